import { describe, expect, it } from 'vitest';
import { databaseOptionsSchema } from '../../../src/sources/database/options.ts';
import { readDatabase } from '../../../src/sources/database/read-database.ts';
import { SourceError } from '../../../src/lib/errors.ts';
import { serverInput } from '../../../src/io/input/server-input.ts';
import { contextWith, messagesOf } from '../../contracts/source/check.ts';
import { MemoryDatabase } from './memory-database.ts';

const tables = [
  { name: 'users', columns: ['id', 'name', 'password'], rows: [['1', 'Ada', 'secret']] },
  {
    name: 'messages',
    columns: ['id', 'user_id', 'room', 'at', 'body', 'status', 'meta'],
    rows: [
      ['10', '1', 'r', '2026-01-01T10:00:00Z', 'hello', 'sent', '{"ip":"10.0.0.1","lang":"de"}'],
      ['11', '1', 'r', '2026-01-01T10:01:00Z', 'NULL', 'draft', null],
      ['12', '1', 'r', '2026-01-01T10:02:00Z', '\\N', 'sent', null],
    ],
  },
  { name: 'tokens', columns: ['id', 'token'], rows: [['1', 'secret']] },
];

const mapping = {
  tables: { messages: { table: 'messages' }, users: { table: 'users' } },
  messages: {
    ...{ id: 'id', author: 'user_id', conversation: 'room', time: { from: 'at', format: 'iso' }, text: 'body' },
    only: { status: ['sent'] },
    custom: { lang: 'meta.lang' },
  },
  users: { id: 'id', name: 'name' },
};

/** Returns the entries read from a database, as from one of a server. */
async function read(database: MemoryDatabase, options: unknown) {
  const lists = readDatabase({
    input: serverInput('postgres://db.example.org/app'),
    found: { path: 'app', because: '', isServer: true, open: async () => database },
    options: databaseOptionsSchema.parse(options),
    context: contextWith({}),
    propose: async () => ({ options: {}, findings: [] }),
  });
  return (await Array.fromAsync(lists)).flat();
}

const problemsOf = (entries: Awaited<ReturnType<typeof read>>) =>
  entries.flatMap((entry) => (entry.type === 'problem' ? [`${entry.code}: ${entry.reason}`] : []));

describe('reading a database', () => {
  it('asks for the columns that the mapping names and for keys, and for nothing else', async () => {
    const database = new MemoryDatabase(tables);
    const entries = await read(database, mapping);
    expect(database.asked).toEqual(['users: id, name', 'messages: id, user_id, room, at, body, status, meta']);
    expect(messagesOf(entries).map(({ text }) => text)).toEqual(['hello', '\\N']);
    expect(JSON.stringify(entries)).not.toContain('secret');
    expect(problemsOf(entries)).toEqual([
      expect.stringContaining('meta'),
      'column-not-named: In "users", the mapping does not name password',
      'table-not-read: The mapping does not name tokens',
    ]);
  });

  it('closes a server before the plan continues, or without a copy once everything is read', async () => {
    for (const copy of [true, false]) {
      const database = new MemoryDatabase(tables);
      const closed: boolean[] = [];
      const lists = readDatabase({
        input: serverInput('postgres://db.example.org/app'),
        found: { path: 'app', because: '', isServer: true, open: async () => database },
        options: databaseOptionsSchema.parse({ ...mapping, copy }),
        context: contextWith({}),
        propose: async () => ({ options: {}, findings: [] }),
      });
      for await (const entries of lists) if (messagesOf(entries).length > 0) closed.push(database.isClosed);
      expect(closed).toEqual([copy]);
      expect(database.isClosed).toBe(true);
    }
  });

  it.each(['users', 'messages'])(
    'fails if a server without a copy fails at "%s": its rows are not rejected',
    async (failing) => {
      const database = new MemoryDatabase(tables);
      const { rows } = database;
      database.rows = async function* failingRows(name, columns) {
        yield* rows.call(database, name, columns);
        if (name === failing) throw new SourceError('Lost the connection');
      };
      await expect(read(database, { ...mapping, copy: false })).rejects.toThrow('Lost the connection');
      expect(database.isClosed).toBe(true);
    },
  );

  it('copies the columns that a query names', async () => {
    const database = new MemoryDatabase(tables);
    const query = "SELECT id, upper(name) AS name FROM users WHERE name <> 'NULL'";
    const entries = await read(database, { ...mapping, tables: { ...mapping.tables, users: { query } } });
    expect(database.asked).toContain('users: id, name');
    expect(entries).toContainEqual(
      expect.objectContaining({
        record: { kind: 'user', id: '1', name: 'ADA' },
        location: { path: 'app', pointer: '/query of users/1' },
      }),
    );
  });

  it('copies tables and columns whose names differ only in case, each with its own values', async () => {
    const columns = ['id', 'ID', 'user_id', 'room', 'at', 'body'];
    const row = ['10', 'other', '1', 'r', '2026-01-01T10:00:00Z', 'hello'];
    const own = { name: 'messages', columns, rows: [row] };
    const other = { name: 'Messages', columns, rows: [row.map((cell) => `not ${cell}`)] };
    const { only: _, custom: __, ...messages } = mapping.messages;
    const options = { tables: { messages: { table: 'messages' } }, messages: { ...messages, custom: { own: 'ID' } } };
    const entries = await read(new MemoryDatabase([other, own]), options);
    expect(messagesOf(entries)).toMatchObject([{ text: 'hello', origin: { id: '10' }, custom: { own: 'other' } }]);
  });

  it('names the tables that the mapping ignores', async () => {
    const entries = await read(new MemoryDatabase(tables), {
      ...mapping,
      tables: { ...mapping.tables, ignored: ['tok*'] },
    });
    expect(problemsOf(entries)).toContain('table-not-read: The mapping ignores tokens');
  });

  it('names the table that is not there, with the one that was meant', async () => {
    const options = { ...mapping, tables: { ...mapping.tables, users: { table: 'user' } } };
    await expect(read(new MemoryDatabase(tables), options)).rejects.toMatchObject({
      message: 'Cannot find the table "user", which the mapping names; did you mean "users"?',
      hint: 'The tables are users, messages, tokens',
    });
  });

  it('reports the location of content that a mapping does not read', async () => {
    const entries = await read(new MemoryDatabase(tables), mapping);
    const places = entries.flatMap((entry) => (entry.type === 'file' ? [] : [entry.location]));
    expect(new Set(places.map(({ path }) => path))).toEqual(new Set(['app']));
    expect(entries.filter(({ type }) => type === 'file')).toEqual([{ type: 'file', path: 'app', role: 'rows' }]);
  });
});
