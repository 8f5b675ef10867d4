import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { Secret } from '../../src/lib/secret.ts';
import { DeliveryClient } from '../../src/service/delivery-client.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../../src/service/transport.ts';

const never = new AbortController().signal;
const key = 'the-key-of-the-app';
const now = Date.parse('2026-11-21T12:00:00Z');

/** A client whose transport gives one answer, or fails, and remembers what it was asked. */
function clientOf(answer: Partial<TransportAnswer> | Error) {
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    async send(request) {
      requests.push(request);
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: {}, body: '', ...answer };
    },
    async close() {},
  };
  const clock = { now: () => now, monotonic: () => 0, uptime: () => 0, sleep: async () => {} };
  return { client: new DeliveryClient({ transport, apiKey: new Secret(key), clock }), requests };
}

describe('DeliveryClient', () => {
  it('sends the body of an import as it is, with key and content type', async () => {
    const { client, requests } = clientOf({ body: '{"data":{"m1":{"success":true}}}' });
    const body = Buffer.from('{"messages":{"m1":{}}}');
    await client.importBatch(body, ['m1'], never);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/v3/data_import/messages',
        headers: expect.objectContaining({
          apikey: key,
          'content-type': 'application/json',
          accept: 'application/json',
        }),
        body,
      },
    ]);
  });

  it('lists with the query, and sends no content type without a body', async () => {
    const { client, requests } = clientOf({ body: '{"data":[]}' });
    await client.listMessages({ conversationId: 'group_g', limit: 1000, affix: 'append' }, never);
    expect(requests[0]).toMatchObject({
      method: 'GET',
      path: '/v3/messages?conversationId=group_g&limit=1000&affix=append',
    });
    expect(requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it('reads the fields of a page that a comparison needs, whatever else it contains', async () => {
    const row = {
      id: 7,
      muid: 'm1',
      conversationId: 'group_g',
      sender: 'a',
      receiverType: 'group',
      receiver: 'g',
      category: 'message',
      type: 'text',
      data: { text: 'x', entities: {} },
      sentAt: '1700000000',
      tags: ['t'],
      news: true,
    };
    const meta = { current: { limit: 5, count: 1 }, next: { affix: 'append', sentAt: 1_700_000_000, id: 7 } };
    const { client } = clientOf({ body: JSON.stringify({ data: [row, { id: 'bare' }], meta }) });
    const { news: _, ...known } = row;
    const empty = { conversationId: '', sender: '', receiver: '', receiverType: '', category: '', type: '' };
    expect(await client.listMessages({}, never)).toEqual({
      kind: 'answered',
      value: {
        messages: [
          { ...known, id: '7', sentAt: 1_700_000_000 },
          { id: 'bare', ...empty, sentAt: 0, data: {}, tags: [] },
        ],
        limit: 5,
        next: { affix: 'append', sentAt: 1_700_000_000, id: '7' },
      },
      hints: {},
    });
  });

  it.each(['{"data":{}}', '{"data":[{}]}', '{"data":[null]}', '{}', '[]', 'null'])(
    'fails to read %s as a page',
    async (body) => {
      const { client } = clientOf({ body });
      expect(await client.listMessages({}, never)).toMatchObject({ kind: 'failed', why: 'retry', code: 'bad_answer' });
    },
  );

  it('reads a group, and keeps fields that it does not know', async () => {
    const { client, requests } = clientOf({ body: '{"data":{"guid":"g","name":"G","icon":null,"news":1}}' });
    const outcome = await client.getGroup('g/1', never);
    expect(outcome).toMatchObject({ kind: 'answered', value: { guid: 'g', name: 'G', news: 1 } });
    expect(requests[0]?.path).toBe('/v3/groups/g%2F1');
  });

  it('returns the rate limit from the headers', async () => {
    const headers = { 'x-rate-limit': '60', 'x-rate-limit-remaining': '59' };
    const { client } = clientOf({ headers, body: '{"data":[]}' });
    expect((await client.listMessages({}, never)).hints).toEqual({ limitPerMinute: 60, remaining: 59 });
  });

  it('makes an outcome of a fault', async () => {
    const { client } = clientOf(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    expect(await client.importBatch('{}', ['m1'], never)).toMatchObject({
      kind: 'unknown',
      code: 'ECONNRESET',
      hints: {},
    });
    expect(await client.listMessages({}, never)).toMatchObject({ kind: 'failed', why: 'retry', code: 'ECONNRESET' });
  });

  it('throws a mistake of ours', async () => {
    const { client } = clientOf(new TypeError('oops'));
    await expect(client.importBatch('{}', ['m1'], never)).rejects.toThrow('oops');
  });

  it.each(['', 'two words', 'line\nbreak', 'x\r\nX-Other: y', 'schlüssel'])(
    'refuses the key %j without quoting it',
    (bad) => {
      const make = () => new DeliveryClient({ transport: {} as Transport, apiKey: new Secret(bad) });
      expect(make).toThrow(UsageError);
      if (bad) expect(make).not.toThrow(bad);
    },
  );
});

describe('the key', () => {
  const quoting = { error: { code: 'ERR_BAD_REQUEST', message: `apikey ${key} may not do this` } };

  it.each<[string, Partial<TransportAnswer> | Error]>([
    ['an error body', { status: 400, body: JSON.stringify(quoting), headers: { 'x-request-id': key } }],
    ['the refusal of a message', { body: JSON.stringify({ data: { m1: { success: false, ...quoting } } }) }],
    ['a fault', Object.assign(new Error(`header apikey: ${key}`), { code: 'EPIPE' })],
  ])('is not in an outcome although %s quotes it', async (_, answer) => {
    const { client } = clientOf(answer);
    for (const outcome of [await client.importBatch('{}', ['m1'], never), await client.getGroup('g', never)]) {
      expect(inspect(outcome, { depth: 9 })).not.toContain(key);
    }
  });

  it('is not in the client, however it is printed', () => {
    const { client } = clientOf({});
    expect(inspect(client, { showHidden: true, depth: 9 })).not.toContain(key);
    expect(JSON.stringify(client)).not.toContain(key);
  });
});
