import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { DestinationError, UsageError } from '../../src/lib/errors.ts';
import { Secret } from '../../src/lib/secret.ts';
import { createInProcessTransport } from '../../src/sandbox/in-process.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { ChatServiceError } from '../../src/service/call-operation.ts';
import { type Answer, type CallInput, type CallOptions, ChatServiceClient } from '../contracts/service-client.ts';
import type { Operation } from '../../src/service/operation.ts';
import { type OperationName, operations } from '../../src/service/operations.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../../src/service/transport.ts';
import { apiKey, direct, importAll, sandboxOf } from '../sandbox/fixture.ts';

const key = 'the-key-of-the-app';
const declared: readonly Operation[] = operations;

/** A client whose service gives one answer, or fails, and the requests that it got. */
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
  return { client: new ChatServiceClient({ transport, apiKey: key }), requests };
}

/** Returns the error with which a call was rejected. */
async function rejection(call: Promise<unknown>): Promise<ChatServiceError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ChatServiceError);
  return error as ChatServiceError;
}

const errorAnswer = (status: number, error: object, headers = {}) => ({
  status,
  headers,
  body: JSON.stringify({ error }),
});

describe('ChatServiceClient', () => {
  it.each(declared.map((operation) => [operation.name, operation] as const))(
    'has the method %s, which sends the example and returns its answer',
    async (name, { example, method, path }) => {
      const { client, requests } = clientOf({ body: JSON.stringify(example.answer) });
      const call = (client as unknown as Record<string, (input: object) => Promise<unknown>>)[name]!.bind(client);
      const input = { ...example.parameters, ...(example.body !== undefined && { body: example.body }) };
      expect(await call(Object.keys(input).length === 0 ? {} : input)).toMatchObject({ data: expect.anything() });
      const [request] = requests;
      expect(request).toMatchObject({ method, headers: expect.objectContaining({ apikey: key }) });
      expect(request?.path.split('?')[0]?.split('/').length).toBe(path.split('/').length);
      expect(request?.body === undefined ? undefined : JSON.parse(String(request.body))).toEqual(example.body);
    },
  );

  it('has types for what methods take and answer', () => {
    type Client = ChatServiceClient;
    expectTypeOf<Exclude<keyof Client, OperationName>>().toEqualTypeOf<'close'>();
    expectTypeOf<Parameters<Client['listMessages']>>().toEqualTypeOf<
      [input?: CallInput<'listMessages'> | undefined, options?: CallOptions | undefined]
    >();
    expectTypeOf<Parameters<Client['getGroup']>>().toEqualTypeOf<
      [input: CallInput<'getGroup'>, options?: CallOptions | undefined]
    >();
    expectTypeOf<Parameters<Client['getMessageStats']>>().toEqualTypeOf<[options?: CallOptions | undefined]>();
    expectTypeOf<CallInput<'addReaction'>>().toExtend<{ readonly id: string; readonly onBehalfOf: string }>();
    expectTypeOf<CallInput<'addFriends'>['body']>().toEqualTypeOf<{ accepted: string[] }>();
    expectTypeOf<Awaited<ReturnType<Client['deactivateUsers']>>['data']['deactivatedUids']>().toEqualTypeOf<string[]>();
    expectTypeOf<Answer<'listMessages'>['data'][number]['id']>().toEqualTypeOf<string>();
    // @ts-expect-error: whom it acts for must be said.
    const unsaid: CallInput<'addReaction'> = { id: '1', reaction: 'x' };
    // @ts-expect-error: there is no such parameter.
    const unknown: CallInput<'getGroup'> = { guid: 'g', name: 'x' };
    expect([unsaid, unknown]).toHaveLength(2);
  });

  it('puts parameters where the service expects them', async () => {
    const { client, requests } = clientOf({ body: '{"data":[]}' });
    await client.listUserMessages({ uid: 'a/b', onBehalfOf: 'bob', limit: 5, types: ['text', 'image'], unread: true });
    expect(requests[0]).toMatchObject({
      method: 'GET',
      path: '/v3/users/a%2Fb/messages?limit=5&types=text&types=image&unread=true',
      headers: expect.objectContaining({ onBehalfOf: 'bob' }),
    });
    expect(requests[0]).not.toHaveProperty('body');
  });

  it('spells a list as the profile wants it', async () => {
    const { requests } = clientOf({});
    const transport: Transport = {
      async send(request) {
        requests.push(request);
        return { status: 200, headers: {}, body: '{"data":[]}' };
      },
      async close() {},
    };
    const client = new ChatServiceClient({ transport, apiKey: key, profile: 'hosted' });
    await client.listMessages({ tags: ['a', 'b,c'], limit: 5 });
    expect(decodeURIComponent(requests[0]!.path)).toBe('/v3/messages?tags[0]=a&tags[1]=b,c&limit=5');
    const sandbox = sandboxOf();
    importAll(sandbox, direct('m1', { tags: ['b,c'] }), direct('m2', { tags: ['b'] }));
    const listed = new ChatServiceClient({ transport: createInProcessTransport(sandbox), apiKey, profile: 'hosted' });
    expect((await listed.listMessages({ tags: ['a', 'b,c'] })).data.map(({ muid }) => muid)).toEqual(['m1']);
  });

  it('reads the end of a listing as the hosted service answers it', async () => {
    // The last page names a next one. That page returns the time of the cursor as text, together with the previous
    // page.
    const next = { affix: 'append', sentAt: '1693887765', id: '355' };
    const meta = {
      previous: { affix: 'prepend', sentAt: 1_693_887_765, id: '355' },
      current: { limit: 1000, count: 0 },
    };
    const { client } = clientOf({ body: JSON.stringify({ data: [], meta: { ...meta, next } }) });
    const answer = await client.listMessages({ id: '355', sentAt: 1_693_887_765 });
    expect(answer.meta?.next).toEqual({ affix: 'append', sentAt: 1_693_887_765, id: '355' });
  });

  it.each([
    ['42', 42],
    ['"42"', 42],
  ])('reads the id %s of a cursor as a number', async (id, expected) => {
    const { client } = clientOf({ body: `{"data":[],"meta":{"cursor":{"id":${id},"affix":"prepend"}}}` });
    const { meta } = await client.listUserMessages({ uid: 'ann' });
    expect(meta?.cursor).toEqual({ id: expected, affix: 'prepend' });
    expectTypeOf(meta!.cursor!.id).toEqualTypeOf<number | undefined>();
  });

  it('sends any reaction so that it arrives as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), async (reaction) => {
        fc.pre(reaction !== '.' && reaction !== '..');
        const { client, requests } = clientOf({ body: '{"data":{"id":"1"}}' });
        await client.addReaction({ id: '1', reaction, onBehalfOf: 'bob' });
        expect(decodeURIComponent(requests[0]!.path.split('/').at(-1)!)).toBe(reaction);
      }),
    );
  });

  it('sends the body as it was given: nothing is converted or filled in', async () => {
    const { client, requests } = clientOf({ body: '{"data":{"id":"1"}}' });
    const body = { receiver: 'bob', receiverType: 'user' as const, data: { text: 'x', mood: 1 } };
    await client.sendMessage({ body });
    expect(requests[0]?.body).toBe(JSON.stringify(body));
  });

  it('keeps all digits of an id that came as a number', async () => {
    const { client } = clientOf({ body: '{"data":[{"id":9007199254740993}]}' });
    expect((await client.listMessages()).data[0]?.id).toBe('9007199254740993');
  });

  it('takes an imported message out of the second wrapper that some answers have', async () => {
    const { client } = clientOf({ body: '{"data":{"m1":{"success":true,"data":{"data":{"id":5}}}}}' });
    const { data } = await client.importMessages({ body: { messages: {} } });
    expect(data.m1?.data).toEqual({ id: '5' });
  });

  it('sends nothing that does not fit, and says all that is wrong and where', async () => {
    const { client, requests } = clientOf({});
    const call = client.listMessages({ limit: 5000, affix: 'up', tag: 'x' } as never);
    await expect(call).rejects.toThrow(UsageError);
    await expect(call).rejects.toThrow(
      'Cannot call listMessages:\n  tag: there is no such parameter\n  limit: expected 1 to 1000, found 5000\n' +
        '  affix: expected "append" or "prepend", found "up"',
    );
    const body = { receiver: 'bob', receiverType: 'user', data: { 'a/b': 1, text: 5 } };
    await expect(client.sendMessage({ body } as never)).rejects.toThrow(
      'Cannot call sendMessage: body /data/text: expected string, found 5',
    );
    await expect(client.addReaction({ id: '1', reaction: 'x' } as never)).rejects.toThrow(
      'onBehalfOf: expected string, found nothing',
    );
    expect(requests).toEqual([]);
  });

  it.each(['two words', 'line\r\nbreak', 'ännchen'])('sends no header with %j in it', async (onBehalfOf) => {
    const { client, requests } = clientOf({});
    await expect(client.getGroup({ guid: 'g', onBehalfOf })).rejects.toThrow('expected visible ASCII characters');
    expect(requests).toEqual([]);
  });

  it('has no parameter that every object has', async () => {
    const { client } = clientOf({ body: '{"data":[]}' });
    const parameters = JSON.parse('{"__proto__":1,"constructor":"x","toString":"y"}');
    await expect(client.listMessages(parameters)).rejects.toThrow(/__proto__.*\n.*constructor.*\n.*toString/);
  });
});

describe('an error of ChatServiceClient', () => {
  it('has status, code, message, details, request id and wait', async () => {
    const details = { limit: ['expected 1 to 1000'] };
    const headers = { 'x-request-id': 'r-1', 'retry-after': '7' };
    const { client } = clientOf(
      errorAnswer(429, { code: 'ERR_TOO_MANY_REQUESTS', message: 'Slowly', details }, headers),
    );
    const error = await rejection(client.listMessages());
    expect(error).toBeInstanceOf(DestinationError);
    expect(error).toMatchObject({
      name: 'ChatServiceError',
      operation: 'listMessages',
      status: 429,
      code: 'ERR_TOO_MANY_REQUESTS',
      details,
      requestId: 'r-1',
      retryAfterMs: 7000,
      hint: 'Call again in 7 s',
    });
    expect(error.message).toBe(
      'Cannot call listMessages: Slowly; limit: expected 1 to 1000 (ERR_TOO_MANY_REQUESTS, status 429, request r-1)',
    );
  });

  it.each<[string, Partial<TransportAnswer> | Error, object]>([
    ['a gateway', { status: 502, body: '<html>' }, { status: 502, code: 'http_502' }],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://other.example/x' } },
      { status: 302, code: 'http_302' },
    ],
    ['a reset', Object.assign(new Error('reset'), { code: 'ECONNRESET' }), { status: undefined, code: 'ECONNRESET' }],
    ['no JSON', { body: '{"data":' }, { status: 200, code: 'bad_answer' }],
  ])('tells of %s', async (_, answer, facts) => {
    expect(await rejection(clientOf(answer).client.getMessageStats())).toMatchObject(facts);
  });

  it('reports where an answer differs from its documentation', async () => {
    const { client } = clientOf({ body: '{"data":[{"id":"1"},{"id":null}]}' });
    const error = await rejection(client.listMessages());
    expect(error.message).toBe(
      'Cannot read the answer to listMessages: /data/1/id: expected a string or a number, found null',
    );
  });

  it.each<[string, Partial<TransportAnswer> | Error]>([
    [
      'an error body',
      errorAnswer(
        400,
        { code: 'ERR_BAD_REQUEST', message: `Not with ${key}`, details: { apikey: [key] } },
        { 'x-request-id': key },
      ),
    ],
    ['a foreign answer', { body: JSON.stringify({ data: key }), headers: { 'x-request-id': key } }],
    ['a fault', Object.assign(new Error(`header apikey: ${key}`), { code: 'EPIPE' })],
  ])('does not hold the key although %s quotes it', async (_, answer) => {
    const error = await rejection(clientOf(answer).client.listMessages());
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key);
  });

  it('does not hold a key or token that a parameter named', async () => {
    const { client } = clientOf(errorAnswer(404, { code: 'ERR_APIKEY_NOT_FOUND', message: 'No key s3cr3t-value' }));
    const error = await rejection(client.updateApiKey({ apiKey: 's3cr3t-value', body: { name: 'n' } }));
    expect(inspect(error, { depth: 9 })).not.toContain('s3cr3t-value');
  });

  it('is the abort reason of the signal if the caller aborted', async () => {
    const transport: Transport = { send: async (_, signal) => signal.throwIfAborted() as never, close: async () => {} };
    const client = new ChatServiceClient({ transport, apiKey: key });
    const reason = new Error('enough');
    await expect(client.listMessages({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('leaves a mistake of ours alone', async () => {
    await expect(clientOf(new TypeError('oops')).client.listMessages()).rejects.toThrow(TypeError);
  });
});

describe('the key of ChatServiceClient', () => {
  it('is not in the client, however it is printed', () => {
    const { client } = clientOf({});
    expect(inspect(client, { showHidden: true, depth: 9 })).not.toContain(key);
    expect(JSON.stringify(client)).not.toContain(key);
  });

  it.each(['', 'two words', 'line\nbreak'])('is refused as %j', (bad) => {
    const make = () => new ChatServiceClient({ baseUrl: 'http://127.0.0.1:1', apiKey: bad });
    expect(make).toThrow(UsageError);
  });
});

describe('the address of ChatServiceClient', () => {
  it.each(['chat.example.com', 'http://chat.example.com', 'https://u:p@chat.example.com'])(
    'is refused as %s',
    (baseUrl) => {
      expect(() => new ChatServiceClient({ baseUrl, apiKey: key })).toThrow(UsageError);
    },
  );
});

describe('ChatServiceClient at the sandbox', () => {
  it('imports, lists and gets over HTTP', async () => {
    const server = await serveSandbox(sandboxOf());
    onTestFinished(() => server.close(0));
    const client = new ChatServiceClient({ baseUrl: server.url, apiKey: new Secret(apiKey) });
    onTestFinished(() => client.close());
    const imported = await client.importMessages({ body: { messages: { m1: direct('m1') as never } } });
    expect(imported.data.m1).toMatchObject({ success: true, data: { id: '1', conversationId: 'ann_user_bob' } });
    const { data, meta } = await client.listMessages({ conversationId: 'ann_user_bob', onBehalfOf: 'bob' });
    expect(data).toMatchObject([{ muid: 'm1', data: { text: 'text of m1' } }]);
    expect(meta?.current).toEqual({ limit: 10, count: 1 });
    expect(await rejection(client.getGroup({ guid: 'nowhere' }))).toMatchObject({
      code: 'ERR_GUID_NOT_FOUND',
      status: 404,
    });
  });

  it('speaks to a sandbox of this process', async () => {
    const client = new ChatServiceClient({ transport: createInProcessTransport(sandboxOf()), apiKey });
    expect(await client.listMessages()).toMatchObject({ data: [] });
  });
});
