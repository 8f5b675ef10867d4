import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/lib/secret.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/app.ts';
import { createInProcessTransport } from '../../src/sandbox/in-process.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { DeliveryClient } from '../../src/service/delivery-client.ts';
import { errorBody } from '../../src/service/operation.ts';
import { importMessages } from '../../src/service/import-item.ts';
import { operationNamed } from '../../src/service/operations.ts';
import { createHttpTransport } from '../../src/service/http-transport.ts';
import { walkConversation } from '../../src/delivery/read-back.ts';
import type { Transport } from '../../src/service/transport.ts';
import { apiKey, ask, clockAt, direct, importAll, list, now, nowSeconds, sandboxOf, toGroup } from './fixture.ts';

const never = new AbortController().signal;

const transports: Readonly<Record<string, (sandbox: Sandbox) => Promise<Transport>>> = {
  'in this process': async (sandbox) => createInProcessTransport(sandbox),
  'over HTTP': async (sandbox) => {
    const server = await serveSandbox(sandbox);
    onTestFinished(() => server.close(0));
    return createHttpTransport(new URL(server.url), { connections: 4 });
  },
};

const bodyOf = (...messages: readonly Record<string, unknown>[]) =>
  JSON.stringify({ messages: Object.fromEntries(messages.map((message) => [message.muid, message])) });

describe.each(Object.entries(transports))('the client at the sandbox %s', (_, open) => {
  async function connect(options: Partial<SandboxOptions> = {}, key = apiKey) {
    const transport = await open(sandboxOf(options));
    onTestFinished(() => transport.close());
    return new DeliveryClient({ transport, apiKey: new Secret(key), clock: clockAt(now) });
  }

  it('imports, each message with its answer', async () => {
    const client = await connect();
    const body = bodyOf(direct('m1'), direct('m2', { data: { text: '' } }), toGroup('m3'));
    expect(await client.importBatch(body, ['m1', 'm2', 'm3'], never)).toEqual({
      kind: 'answered',
      answers: new Map<string, unknown>([
        ['m1', { result: 'imported', serverId: '1', conversationId: 'ann_user_bob' }],
        ['m2', { result: 'refused', code: 'ERR_EMPTY_MESSAGE_TEXT', detail: expect.any(String) }],
        ['m3', { result: 'imported', serverId: '2', conversationId: 'group_g' }],
      ]),
      missing: [],
      unexpectedKeyCount: 0,
      hints: {},
    });
  });

  it('learns that a message already exists', async () => {
    const client = await connect();
    await client.importBatch(bodyOf(direct('m1')), ['m1'], never);
    const again = await client.importBatch(Buffer.from(bodyOf(direct('m1'), direct('m2'))), ['m1', 'm2'], never);
    expect(again.kind === 'answered' && again.answers.get('m1')).toMatchObject({
      result: 'already-exists',
      code: 'ERR_IMPORT_MUID_ALREADY_EXISTS',
    });
    expect(again.kind === 'answered' && again.answers.get('m2')).toMatchObject({ result: 'imported' });
  });

  it('lists imported messages as they were sent', async () => {
    const client = await connect();
    const data = { text: 'Zeile 1\nZeile 2 😀', metadata: { chatferry: { key: 'm1' } } };
    await client.importBatch(bodyOf(toGroup('m1', { data, tags: ['t'] })), ['m1'], never);
    const page = await client.listMessages({ conversationId: 'group_g', limit: 1000 }, never);
    expect(page.kind === 'answered' && page.value).toEqual({
      messages: [
        {
          id: '1',
          muid: 'm1',
          conversationId: 'group_g',
          sender: 'ann',
          receiver: 'g',
          receiverType: 'group',
          category: 'message',
          type: 'text',
          sentAt: nowSeconds - 1000,
          data: { ...data, entities: expect.anything() },
          tags: ['t'],
        },
      ],
      limit: 1000,
      next: { affix: 'append', id: '1', sentAt: nowSeconds - 1000 },
    });
  });

  it('walks a conversation to its end', async () => {
    const client = await connect();
    const muids = Array.from({ length: 23 }, (_, index) => `m${index}`);
    await client.importBatch(bodyOf(...muids.map((muid) => direct(muid)), toGroup('mg')), muids, never);
    const read: (string | undefined)[] = [];
    const walk = { conversationId: 'ann_user_bob', limit: 5, fromId: '3' };
    for await (const page of walkConversation((query, signal) => client.listMessages(query, signal), walk, never)) {
      expect(page.kind).toBe('answered');
      if (page.kind === 'answered') read.push(...page.value.map(({ muid }) => muid));
    }
    expect(read).toEqual(muids.slice(3));
  });

  it('gets a group, or learns that there is none', async () => {
    const client = await connect();
    await client.importBatch(bodyOf(toGroup('m1')), ['m1'], never);
    expect(await client.getGroup('g', never)).toMatchObject({
      kind: 'answered',
      value: { guid: 'g', name: 'The group', type: 'private', membersCount: 1 },
    });
    expect(await client.getGroup('nowhere', never)).toMatchObject({
      kind: 'failed',
      why: 'not-found',
      code: 'ERR_GUID_NOT_FOUND',
      status: 404,
    });
  });

  it('is stopped by an unknown key', async () => {
    const client = await connect({}, 'another-key');
    const code = 'AUTH_ERR_APIKEY_NOT_FOUND';
    expect(await client.importBatch('{}', ['m1'], never)).toMatchObject({ kind: 'not-applied', why: 'stop', code });
    expect(await client.listMessages({}, never)).toMatchObject({ kind: 'failed', why: 'stop', code });
    expect(await client.getGroup('g', never)).toMatchObject({ kind: 'failed', why: 'stop', code });
  });

  it('learns that a request as a whole is not acceptable', async () => {
    const client = await connect();
    expect(await client.importBatch('{"messages":[]}', ['m1'], never)).toMatchObject({
      kind: 'not-applied',
      why: 'rejected',
      code: 'ERR_IMPORT_INVALID_MESSAGE_FORMAT',
    });
    expect(await client.listMessages({ limit: 5000 }, never)).toMatchObject({
      kind: 'failed',
      why: 'stop',
      status: 400,
    });
  });

  it('receives the rate limit, and a request to wait', async () => {
    const client = await connect({ profile: 'hosted', clock: clockAt(now + 59_000) });
    const first = await client.importBatch(bodyOf(direct('m0')), ['m0'], never);
    expect(first.hints).toEqual({ limitPerMinute: 60, remaining: 59 });
    for (let n = 1; n < 60; n++) await client.importBatch(bodyOf(direct(`m${n}`)), [`m${n}`], never);
    const refused = await client.importBatch(bodyOf(direct('m60')), ['m60'], never);
    expect(refused).toMatchObject({ kind: 'not-applied', why: 'rate-limited', retryAfterMs: 1_000 });
    expect(refused.hints).toMatchObject({ remaining: 0 });
  });

  it('knows nothing of a request that failed after part of it was stored', async () => {
    const client = await connect({ badRows: 'abort' });
    const outcome = await client.importBatch(bodyOf(direct('m1'), direct('m2', { data: {} })), ['m1', 'm2'], never);
    expect(outcome).toMatchObject({ kind: 'unknown', byService: true, code: 'ERR_EXCEPTION', status: 500 });
    const page = await client.listMessages({}, never);
    expect(page.kind === 'answered' && page.value.messages.map(({ muid }) => muid)).toEqual(['m1']);
  });

  it('sends nothing once it is called off', async () => {
    const client = await connect();
    const outcome = await client.importBatch(bodyOf(direct('m1')), ['m1'], AbortSignal.abort());
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'aborted' });
    expect(await client.listMessages({}, never)).toMatchObject({ kind: 'answered', value: { messages: [] } });
  });
});

describe('an answer of the sandbox', () => {
  it('has the shape that the contract declares', () => {
    const sandbox = sandboxOf();
    const imported = importAll(sandbox, direct('m1'), toGroup('m2', { tags: ['t'] }), direct('m3', { sentAt: 'x' }));
    expect(importMessages.answer.safeParse(imported.json).error).toBeUndefined();
    expect(operationNamed('listMessages').answer.safeParse(list(sandbox, 'limit=1').json).error).toBeUndefined();
    expect(
      operationNamed('getGroup').answer.safeParse(ask(sandbox, { path: '/v3/groups/g' }).json).error,
    ).toBeUndefined();
  });

  it('has the shape of an error if it is one', () => {
    const sandbox = sandboxOf();
    const paths = ['/v3/groups/nowhere', '/v3/nowhere', '/v3/messages?limit=0'];
    const answers = [...paths.map((path) => ask(sandbox, { path })), ask(sandbox, { headers: {} }), importAll(sandbox)];
    for (const { status, json } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(errorBody.safeParse(json).error).toBeUndefined();
    }
  });
});
