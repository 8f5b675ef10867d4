import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { type Dialect, type MockAnswer, type MockRequest, startMock } from './mock/mock-provider.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();
const key = 'k3y-of-the-provider-0123456789abcdefghij';

const head = (url: string, auth: string) => `title: Harbour
source: json
version: 1
facts: [https://example.com/docs]
key: { what: a token }
address: ${url}
auth: ${auth}
rate: {}
steps:
`;

const roomSteps = `  - { name: rooms, get: /rooms, rows: /rooms, id: /id, values: { room: /id }, lines: rooms.ndjson }
  - name: messages
    each: rooms
    get: /rooms/{room}/messages
    rows: /messages
    id: /id
    next: { cursor: /next, as: after }
    lines: messages.ndjson
    messages: true
`;

interface Scene {
  readonly steps?: string;
  readonly auth?: string;
  answer(path: string, request: MockRequest): MockAnswer | undefined;
}

/** A provider of a recipe that a user wrote. */
async function scene({ steps = roomSteps, auth = `{ headers: { authorization: 'Bearer {key}' } }`, answer }: Scene) {
  const folder = home.make();
  const dialect: Dialect = {
    ...{ provider: 'harbour', settings: {}, idsIn: () => [] },
    answer: (request) => answer(`/${request.parts.join('/')}`, request),
  };
  const mock = await startMock(dialect, makeWorld(0, 0));
  writeFileSync(join(folder, 'harbour.yaml'), head(mock.url, auth) + steps);
  const fetch = (...more: readonly string[]) =>
    runJson(['fetch', '--recipe', 'harbour.yaml', '--out', 'out', '--rate', '60000', '--quiet', ...more], {
      ...{ folder, env: { CHATFERRY_FROM_KEY: key } },
    });
  const plain = (...more: readonly string[]) =>
    run(['fetch', '--recipe', 'harbour.yaml', '--out', 'out', '--rate', '60000', '--quiet', ...more], {
      ...{ folder, env: { CHATFERRY_FROM_KEY: key } },
    });
  const linesOf = (name: string) =>
    readFileSync(join(folder, 'out', name), 'utf8')
      .split('\n')
      .filter(Boolean);
  return { folder, mock, fetch, plain, linesOf };
}

const rooms = { json: { rooms: [{ id: 'r1' }, { id: 'r2' }, { id: 'r3' }] } };
const messages = (path: string): MockAnswer => ({ json: { messages: [{ id: `m-${path.split('/')[2]}` }] } });
const usual = (path: string) => (path === '/rooms' ? rooms : messages(path));

describe('a fetch', () => {
  it('says from its first request on that it is not whole', async () => {
    const { folder, plain } = await scene({ answer: () => ({ status: 401, json: {} }) });
    expect((await plain()).code).toBe(8);
    expect(JSON.parse(readFileSync(join(folder, 'out/chatferry-fetch.json'), 'utf8'))).toMatchObject({ ended: null });
  });

  it('shows no part of a key that an error repeats behind other words', async () => {
    const { plain } = await scene({
      answer: () => ({ status: 401, json: { at: 'x'.repeat(150), authorization: key } }),
    });
    const { stderr } = await plain();
    expect(stderr).not.toContain(key.slice(0, 12));
  });

  it('keeps no key that rows and addresses of pages repeat', async () => {
    const { folder, fetch } = await scene({
      auth: `{ query: { token: '{key}' } }`,
      steps: `  - { name: rooms, get: /rooms, rows: /rooms, id: /id, next: { link: /next }, pages: 'rooms-{page}.json' }\n`,
      answer: (_, { query, base }) =>
        query.has('cursor')
          ? { json: { rooms: [{ id: 2, echo: key }] } }
          : { json: { rooms: [{ id: 1 }], next: `${base}/rooms?cursor=2&token=${key}` } },
    });
    expect((await fetch()).code).toBe(0);
    for (const name of readdirSync(join(folder, 'out')))
      expect(readFileSync(join(folder, 'out', name), 'latin1')).not.toContain(key);
  });

  it('writes into no folder in which something else is', async () => {
    const { folder, plain, mock } = await scene({ answer: usual });
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out/rooms.ndjson'), 'mine');
    const { code, stderr } = await plain();
    expect({ code, asked: mock.requests.length }).toEqual({ code: 2, asked: 0 });
    expect(stderr).toContain('it has files, and no fetch was begun in it');
    expect(readFileSync(join(folder, 'out/rooms.ndjson'), 'utf8')).toBe('mine');
  });

  it('gives each list files of its own, though a recipe names one for all', async () => {
    const steps = roomSteps.replace('lines: messages.ndjson', `pages: 'messages-{page}.json'`);
    const { folder, fetch } = await scene({ steps, answer: usual });
    expect((await fetch()).code).toBe(0);
    const texts = readdirSync(join(folder, 'out'))
      .filter((name) => name.startsWith('messages-'))
      .map((name) => readFileSync(join(folder, 'out', name), 'utf8'));
    expect(texts.toSorted()).toEqual(['r1', 'r2', 'r3'].map((room) => `{"messages":[{"id":"m-${room}"}]}`));
  });

  it('asks again for what was refused, and the rest comes the first time', async () => {
    let isRefused = true;
    const { fetch, linesOf } = await scene({
      answer: (path) => (path.includes('r2') && isRefused ? { status: 403, json: {} } : usual(path)),
    });
    expect((await fetch()).code).toBe(3);
    expect(linesOf('messages.ndjson').length).toBe(2);
    isRefused = false;
    expect((await fetch()).code).toBe(0);
    expect(linesOf('messages.ndjson').length).toBe(3);
  });

  it('goes on behind one list that always fails, and stops where all do', async () => {
    const one = await scene({ answer: (path) => (path.includes('r2') ? { status: 422, json: {} } : usual(path)) });
    expect((await one.fetch()).json.manifest.gaps).toMatchObject([{ of: { room: 'r2' } }]);
    expect(one.linesOf('messages.ndjson').length).toBe(2);
  });

  it('goes on with what is new where lists that always fail were refused before', async () => {
    const bad = new Set(['r1', 'r2', 'r3']);
    const rooms5 = { json: { rooms: ['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => ({ id })) } };
    let isDown = false;
    const answer = (path: string) => {
      if (path === '/rooms') return rooms5;
      if (bad.has(path.split('/')[2]!)) return { status: 422, json: {} };
      return isDown ? { status: 401, json: {} } : messages(path);
    };
    const { fetch, plain, linesOf } = await scene({ answer });
    isDown = true;
    expect((await plain()).code).toBe(8);
    isDown = false;
    expect((await fetch()).code).toBe(3);
    expect(linesOf('messages.ndjson').length).toBe(2);
    expect((await fetch()).code).toBe(3);
  });

  it('leaves a key in texts that is too short to be one', async () => {
    const { folder, linesOf } = await scene({ answer: usual });
    const args = ['fetch', '--recipe', 'harbour.yaml', '--out', 'out', '--rate', '60000', '--quiet'];
    expect((await run(args, { folder, env: { CHATFERRY_FROM_KEY: 'm' } })).code).toBe(0);
    expect(linesOf('messages.ndjson')).toContain('{"id":"m-r1"}');
  });

  it('begins a list again if the provider no longer knows the place that was kept', async () => {
    let isDown = true;
    let isExpired = false;
    const { fetch, plain, linesOf } = await scene({
      answer(path, { query }) {
        if (path === '/rooms') return { json: { rooms: [{ id: 'r1' }] } };
        const after = query.get('after');
        if (after === 'old' && isExpired) return { status: 400, json: { error: 'unknown cursor' } };
        if (after !== null && isDown) return { status: 401, json: {} };
        if (after !== null) return { json: { messages: [{ id: 2 }] } };
        return { json: { messages: [{ id: 1 }], next: isExpired ? 'new' : 'old' } };
      },
    });
    expect((await plain()).code).toBe(8);
    [isDown, isExpired] = [false, true];
    expect((await fetch()).code).toBe(0);
    expect(linesOf('messages.ndjson')).toEqual(['{"id":1}', '{"id":2}']);
  });

  it('of one conversation has its messages and what belongs to them, and names an id that is nowhere', async () => {
    const steps = `${roomSteps}  - name: replies
    each: messages
    get: /messages/{message}/replies
    rows: /messages
    id: /id
    lines: replies.ndjson
    messages: true
`.replace('    id: /id\n    next', '    id: /id\n    values: { message: /id }\n    next');
    const answer = (path: string) =>
      path.startsWith('/messages/') ? { json: { messages: [{ id: 'reply' }] } } : usual(path);
    const { fetch, linesOf } = await scene({ steps, answer });
    expect((await fetch('--only', 'r2')).code).toBe(0);
    expect([
      linesOf('rooms.ndjson').length,
      linesOf('messages.ndjson').length,
      linesOf('replies.ndjson').length,
    ]).toEqual([1, 1, 1]);
    const other = await scene({ steps, answer });
    const { code, json } = await other.fetch('--only', 'nosuch');
    expect(code).toBe(3);
    expect(json.manifest.gaps).toEqual([
      { step: 'only', of: { id: 'nosuch' }, why: 'no list has this id', missing: 1 },
    ]);
  });

  it('takes a cursor of another type, and an object in place of a list, for gaps', async () => {
    const odd = await scene({
      answer: (path) =>
        path === '/rooms'
          ? rooms
          : { json: { messages: [{ id: 1 }], next: path.includes('r1') ? { after: 'x' } : undefined } },
    });
    const { json } = await odd.fetch();
    expect(json.manifest.gaps.map(({ why }: { why: string }) => why)).toEqual([
      'page 1 says where more follows in a form that is not understood',
    ]);
    const error = await scene({
      answer: (path) => (path === '/rooms' ? rooms : { json: { messages: { error: 'oops' } } }),
    });
    expect((await error.fetch()).json.manifest.gaps.length).toBe(3);
    expect(existsSync(join(error.folder, 'out/messages.ndjson'))).toBe(false);
  });

  it('keeps numbers as they are written', async () => {
    const text = '{"messages":[{"id":1,"a":1.10,"b":-0,"c":1700000000123.4567891}]}';
    const { fetch, linesOf } = await scene({
      answer: (path) => (path === '/rooms' ? { json: { rooms: [{ id: 'r1' }] } } : { json: text }),
    });
    expect((await fetch()).code).toBe(0);
    expect(linesOf('messages.ndjson')).toEqual(['{"id":1,"a":1.10,"b":-0,"c":1700000000123.4567891}']);
  });
});

it('a manifest that somebody else wrote into an export harms no plan', async () => {
  const folder = home.make();
  cpSync('samples/intercom/answers/export', join(folder, 'x'), { recursive: true });
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  writeFileSync(
    join(folder, 'x/chatferry-fetch.json'),
    `{"gaps":[{"step":{"toString":1}},{"step":${deep}}],"only":3,"since":{}}`,
  );
  const { code, stderr } = await run(['inspect', 'x'], { folder });
  expect({ code, isFault: stderr.includes('internal error') }).toEqual({ code: 0, isFault: false });
});
