import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { csv } from '../../../src/sources/csv/index.ts';
import { database } from '../../../src/sources/database/index.ts';
import { json } from '../../../src/sources/json/index.ts';
import { runJson } from '../../cli/in-process.ts';
import { everyFeature } from '../../cli/samples.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const columns = (...names: string[]) => names.map((name) => ({ name, type: '' }));
const bare = { isView: false, primaryKey: [], references: [] };

it('outline of CSV names every table with its columns', async () => {
  const input = memoryInput({ 'a.csv': 'id;text\n1;hi\n', 'b.csv': 'who,name\nann,Ann\n', 'photo.jpg': 'x' });
  expect(await csv.outline(input, {})).toEqual([
    { ...bare, name: 'a.csv', columns: columns('id', 'text'), rows: 1, isExact: true },
    { ...bare, name: 'b.csv', columns: columns('who', 'name'), rows: 1, isExact: true },
  ]);
});

it('outline of JSON names every list with the paths of its values', async () => {
  const rows = [
    { id: 1, body: { text: 'hi' } },
    { id: 2, edited: true },
  ];
  const tables = await json.outline(memoryInput({ 'a.json': { messages: rows }, 'b.json': [{ id: 7 }] }), {});
  expect(tables.map(({ name }) => name)).toEqual(['a.json#/messages', 'b.json']);
  expect(tables[0]!.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['id', 'edited']));
  expect(tables.map(({ rows, isExact }) => [rows, isExact])).toEqual([
    [2, true],
    [1, true],
  ]);
});

it('outline of a large CSV estimates its rows, of a large JSON it says no number', async () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `${index + 100_000},text of a row`);
  const [large] = await csv.outline(memoryInput({ 'a.csv': `id,text\n${lines.join('\n')}\n` }), {});
  expect(large!.isExact).toBeUndefined();
  expect(large!.rows! / lines.length).toBeCloseTo(1, 1);
  const [list] = await json.outline(memoryInput({ 'a.json': lines.map((text, id) => ({ id, text })) }), {});
  expect(list!.rows).toBeUndefined();
});

it('outline of a SQLite file counts the tables that the options name', async () => {
  const path = join(home.make(), 'chat.sqlite');
  const db = new Database(path);
  db.exec(`CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT); CREATE TABLE jobs (name TEXT);
    INSERT INTO messages (body) VALUES ('a'), ('b'), ('c')`);
  db.close();
  const [input] = await openExport([path]);
  onTestFinished(() => input!.close());
  const tables = await database.outline(input!, { tables: { messages: { table: 'messages' }, ignored: ['x'] } });
  expect(tables.map(({ name, rows, isExact }) => [name, rows, isExact])).toEqual([
    ['jobs', undefined, undefined],
    ['messages', 3, true],
  ]);
});

it('inspect --json lists the tables of a database with types and keys, also those that nothing reads', async () => {
  const folder = home.make();
  const db = new Database(join(folder, 'chat.sqlite'));
  db.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id), room TEXT, body TEXT, at INTEGER);
    CREATE TABLE jobs (name TEXT);
    CREATE VIEW recent AS SELECT * FROM messages;
    INSERT INTO users VALUES (1, 'Ann');
    INSERT INTO messages VALUES (1, 1, 'a', 'hi', 1700000000)`);
  db.close();
  const { json: found } = await runJson(['inspect', 'chat.sqlite'], { folder });
  expect(found.tables).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'jobs', isView: false }),
      expect.objectContaining({ name: 'recent', isView: true }),
      expect.objectContaining({
        name: 'messages',
        primaryKey: ['id'],
        references: [{ column: 'user_id', table: 'users', key: 'id' }],
      }),
    ]),
  );
  const messages = (found.tables as { name: string; columns: unknown[] }[]).find(({ name }) => name === 'messages')!;
  expect(messages.columns).toContainEqual({ name: 'body', type: 'text' });
});

it('inspect --json lists no tables of a format with fixed fields', async () => {
  const folder = home.make();
  expect((await runJson(['inspect', everyFeature], { folder })).json).toMatchObject({ tables: [] });
});
