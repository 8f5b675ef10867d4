import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/lib/errors.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { json } from '../../../src/sources/json/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const bindings = {
  id: 'id',
  conversation: 'room',
  author: 'by',
  time: { from: 'at', format: 'unix-ms' },
  text: 'text',
};
const row = (id: number | string) => ({ id, room: 'r', by: 'ann', at: 1772442900000, text: `text ${id}` });

const read = (files: MemoryFiles, tables?: object, messages: object = {}) =>
  readAll(json, memoryInput(files), {}, { messages: { ...bindings, ...messages }, ...(tables && { tables }) });

const messages = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const ids = (entries: readonly Entry[]) => messages(entries).map(({ origin }) => origin.id);
const rejects = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'invalid' ? [{ code: entry.code, ...entry.location }] : []));

describe('json rows', () => {
  it.each<readonly [shape: string, content: unknown, list: string | undefined]>([
    ['an array', [row(1), row(2)], undefined],
    ['lines', `${JSON.stringify(row(1))}\n${JSON.stringify(row(2))}\n`, undefined],
    ['objects one behind another', JSON.stringify(row(1)) + JSON.stringify(row(2), null, 2), undefined],
    ['a list inside', { data: { rows: [row(1), row(2)] } }, '/data/rows'],
    ['an object of rows', { x: row(1), y: row(2) }, ''],
    ['lists of every key', { a: [row(1)], b: { k: row(2) } }, '/*'],
  ])('are read from %s', async (_shape, content, list) => {
    const entries = await read({ 'a.json': content }, list === undefined ? undefined : { messages: { list } });
    expect(ids(entries)).toEqual(['1', '2']);
    expect(rejects(entries)).toEqual([]);
  });

  it('keep ids of 64 bits exact', async () => {
    const text = '[{"id":9223372036854775807,"room":175928847299117063,"by":-9007199254740993,"at":1772442900000}]';
    const [message] = messages(await read({ 'a.json': text }));
    expect(message).toMatchObject({
      origin: { id: '9223372036854775807', conversation: '175928847299117063' },
      author: '-9007199254740993',
    });
  });

  it('are rejected one by one if broken, with their location', async () => {
    const array = `[${JSON.stringify(row(1))}, {"id" 2}, null, ${JSON.stringify(row(3))}, {"id":`;
    expect(rejects(await read({ 'a.json': array }))).toEqual([
      { code: 'json-syntax', path: 'a.json', pointer: '/1' },
      { code: 'json-cut-off', path: 'a.json', pointer: '/4' },
    ]);
    const lines = `${JSON.stringify(row(1))}\n{"id" 2}\n\n7\n${JSON.stringify(row(3))}\n{"id":`;
    const entries = await read({ 'a.ndjson': lines });
    expect(ids(entries)).toEqual(['1', '3']);
    expect(rejects(entries)).toEqual([
      { code: 'json-syntax', path: 'a.ndjson', line: 2 },
      { code: 'json-not-an-object', path: 'a.ndjson', line: 4 },
      { code: 'json-cut-off', path: 'a.ndjson', line: 6 },
    ]);
  });

  it('are not guessed where one object has several lists', async () => {
    expect(rejects(await read({ 'a.json': { a: [row(1)], b: { c: [row(2)] } } }))).toEqual([
      { code: 'json-list-unknown', path: 'a.json' },
    ]);
  });

  it('are counted in every run if the mapping does not read them', async () => {
    const tables = { messages: { list: '/messages/*' }, users: { list: '/users' } };
    const content = {
      users: [{ id: 'ann', name: 'Ann' }],
      messages: { r1: [row(1)] },
      archive: { r1: [row(2), row(3)] },
    };
    const entries = await readAll(
      json,
      memoryInput({ 'a.json': content }),
      {},
      {
        ...{ tables, messages: bindings, users: { id: 'id', name: 'name' } },
      },
    );
    expect(ids(entries)).toEqual(['1']);
    expect(entries.filter(({ type }) => type === 'problem')).toEqual([
      {
        type: 'problem',
        code: 'json-list-not-read',
        reason: 'The file has 2 objects below "/archive" that the mapping does not read',
        location: { path: 'a.json' },
        count: 2,
      },
    ]);
  });

  it('are not counted as unread if a query of the mapping reads them', async () => {
    const reaction = { mid: '1', by: 'ann', emoji: '👍' };
    const content = { messages: [row(1)], likes: [reaction], visits: [reaction, reaction] };
    const tables = { messages: { list: '/messages' }, reactions: { query: 'SELECT * FROM likes' } };
    const sections = { messages: bindings, reactions: { message: 'mid', user: 'by', emoji: 'emoji' } };
    const entries = await readAll(json, memoryInput({ 'a.json': content }), {}, { tables, ...sections });
    expect(messages(entries)[0]?.reactions).toEqual([{ emoji: '👍', users: ['ann'], count: 1 }]);
    expect(entries.filter(({ type }) => type === 'problem')).toMatchObject([
      { code: 'json-list-not-read', reason: expect.stringContaining('2 objects below "/visits"') },
    ]);
  });

  it('reports a number among lists without counting it as a row', async () => {
    const entries = await read({ 'a.json': { a: [row(1)], count: 1, none: null } }, { messages: { list: '/*' } });
    expect(rejects(entries)).toEqual([]);
    expect(entries.filter((entry) => entry.type === 'problem')).toMatchObject([
      { code: 'json-no-list', location: { pointer: '/count' } },
    ]);
  });

  it('come from several files, each with its own table', async () => {
    const entries = await readAll(
      json,
      memoryInput({
        'users.json': [{ uid: 'ann', name: 'Ann' }],
        'messages/2026-01.json': [row(1)],
        'messages/2026-02.ndjson': JSON.stringify(row(2)),
        'photo.jpg': '\xff\xd8',
        'other.json': [{ x: 1 }],
      }),
      {},
      {
        tables: { messages: { file: 'messages/*' }, users: { file: 'users.json' } },
        messages: bindings,
        users: { id: 'uid', name: 'name' },
      },
    );
    expect(ids(entries)).toEqual(['1', '2']);
    expect(entries.flatMap((entry) => (entry.type === 'file' ? [`${entry.path} ${entry.role}`] : [])).sort()).toEqual([
      'messages/2026-01.json rows',
      'messages/2026-02.ndjson rows',
      'other.json skipped',
      'photo.jpg unknown',
      'users.json shared',
    ]);
  });
});

describe('json without bindings', () => {
  it('shows what could be, and says what to do', async () => {
    const reading = readAll(json, memoryInput({ 'a.json': [row(1), row(2)] }));
    await expect(reading).rejects.toThrow(SourceError);
    await expect(reading).rejects.toMatchObject({ hint: expect.stringContaining('chatferry init') });
    await expect(reading).rejects.toThrow(/text/);
  });
});

describe('json probe', () => {
  it.each<readonly [path: string, content: unknown, because: string | undefined]>([
    ['a.json', [{ id: 1 }], '"a.json": a list of objects'],
    ['a.json', { data: { rows: [{ id: 1 }] } }, '"a.json": a list of objects at /data/rows'],
    ['a.ndjson', '{"id":1}', '"a.ndjson": the name of the file'],
    ['dump', '{"id":1}\n{"id":2}', '"dump": one object on each line'],
    ['a.json', ['a', 'b'], undefined],
    ['a.json', { name: 'x', version: '1.0.0', scripts: { test: 'x', build: 'y' } }, undefined],
    ['a.json', '', undefined],
    ['a.json', '{"a":', undefined],
  ])('of %s with %j', async (path, content, because) => {
    const expected = because === undefined ? { match: 'no' } : { match: 'likely', because };
    expect(await json.probe(memoryInput({ [path]: content }))).toEqual(expected);
  });
});

describe('any bytes in a JSON file', () => {
  const fragment = fc.constantFrom(
    ...'[]{},:"\\ 1\n',
    '"id":',
    '{"id":1}',
    '[{"id":1}]',
    '"$date":',
    '{"m":',
    '\ufeff',
  );
  const bytes = fc.oneof(
    fc.array(fragment, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 60 }),
    fc.json().map((text) => Buffer.from(text)),
  );

  it('become entries, each with its place, and the file is closed', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(undefined, '', '/m', '/*'), async (content, list) => {
        const files = { 'a.json': content };
        expect(['no', 'likely']).toContain((await json.probe(memoryInput(files))).match);
        const entries = await read(files, list === undefined ? undefined : { messages: { list } });
        expect(entries.at(-1)).toEqual({ type: 'file', path: 'a.json', role: 'rows' });
        for (const entry of entries) expect(entry.type === 'file' ? entry.path : entry.location.path).toBe('a.json');
      }),
      { numRuns: 500 },
    );
  });
});

describe('json proposal', () => {
  const propose = (files: MemoryFiles, options = {}) => json.propose(memoryInput(files), options);

  it('finds fields by their names, and their values exact', async () => {
    const row = (id: string, room: string, user: string) =>
      `{"message_id":${id},"room_id":"${room}","user_id":"${user}","created_at":"2026-03-01T10:00:00Z","text":"hi"}`;
    const first = row('175928847299117063', 'r', 'ann');
    const rows = `[${[first, row('2', 'r', 'bo'), row('3', 's', 'ann'), row('4', 't', 'bo')].join(',')}]`;
    const { options } = await propose({ 'a.json': rows });
    expect(options).toMatchObject({
      messages: { id: 'message_id', conversation: 'room_id', author: 'user_id', text: { from: 'text' } },
    });
  });

  it('finds the list that holds messages', async () => {
    const users = [{ id: 'u1', name: 'Ann', email: 'ann@example.org' }];
    const data = { id: 'm1', room_id: 'r', user_id: 'u1', created_at: '2026-03-01T10:00:00Z', text: 'hi' };
    const { options } = await propose({ 'a.json': { users, data: { messages: [data, { ...data, id: 'm2' }] } } });
    expect(options).toMatchObject({ tables: { messages: { list: '/data/messages' } } });
  });

  it('takes the conversation from around the list where messages do not name it', async () => {
    const data = { id: 'm1', user_id: 'u1', created_at: '2026-03-01T10:00:00Z', text: 'hi' };
    const nested = await propose({ 'a.json': { rooms: [{ id: 'r1', title: 'Lobby', messages: [data, data] }] } });
    expect(nested.options).toMatchObject({
      tables: { messages: { list: '/rooms/*/messages' } },
      messages: { conversation: '$outer.id' },
    });
    const byKey = await propose({ 'a.json': { lobby: { m1: data, m2: data }, quay: { m3: data, m4: data } } });
    expect(byKey.options).toMatchObject({
      tables: { messages: { list: '/*' } },
      messages: { conversation: '$parentKey' },
    });
  });

  it('leaves decisions of the user unchanged', async () => {
    const data = { id: 'm1', user_id: 'u1', created_at: '2026-03-01T10:00:00Z', text: 'hi' };
    const decided = {
      tables: { messages: { file: 'a.json', list: '/b' } },
      messages: { conversation: { constant: 'c' } },
    };
    const { options } = await propose({ 'a.json': { a: [data], b: [data] } }, decided);
    expect(options).toMatchObject(decided);
  });

  it('asks whether the only key is a room or a name, and reads either', async () => {
    const data = { user_id: 'u1', created_at: '2026-03-01T10:00:00Z', text: 'hi' };
    const lobby = ['u1', 'u2', 'u1'].map((author) => ({ ...data, user_id: author }));
    const files = { 'a.json': { messages: { lobby } } };
    const { findings } = await propose(files);
    expect(findings.find(({ key }) => key === 'tables.messages')).toMatchObject({
      value: { list: '/messages/*' },
      alternatives: [{ value: { file: 'a.json', list: '/messages/lobby' } }],
    });
    const answered = await propose(files, { tables: { messages: { file: 'a.json', list: '/messages/lobby' } } });
    expect(answered.findings.some(({ key }) => key === 'tables.messages')).toBe(false);
    expect(answered.options).toMatchObject({ messages: { author: 'user_id' } });
  });

  it('reads all rooms of a Realtime Database, one of which is an array with gaps', async () => {
    const room1 = [
      null,
      { user: 'ines', text: 'Who?', ts: 1772442900000 },
      null,
      { user: 'bo', text: 'I', ts: 1772442960000 },
    ];
    const files = {
      'a.json': { messages: { room1, room2: { '-Nx': { user: 'pia', text: 'Zero', ts: 1772442970000 } } } },
    };
    const { options } = await propose(files);
    const entries = await readAll(json, memoryInput(files), {}, options);
    expect(messages(entries).map(({ origin: { conversation, id } }) => [conversation, id])).toEqual([
      ['room1', '1'],
      ['room1', '3'],
      ['room2', '-Nx'],
    ]);
    expect(rejects(entries)).toEqual([]);
  });

  it('takes the wrapped id of the document around the messages for the conversation', async () => {
    const message = (id: string) => ({
      _id: { $oid: id },
      sender_id: 'a',
      createdAt: { $date: '2026-03-02T09:15:00Z' },
      content: 'Hi',
    });
    const files = {
      'a.json': ['c1', 'c2'].map((id) => ({ _id: { $oid: id }, users: [], contents: [message(`m${id}`)] })),
    };
    const { options } = await propose(files);
    expect(options).toMatchObject({ messages: { conversation: '$outer._id' } });
    const entries = await readAll(json, memoryInput(files), {}, options);
    expect(messages(entries).map(({ origin }) => origin.conversation)).toEqual(['c1', 'c2']);
  });
});
