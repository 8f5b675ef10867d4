import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStoreToRead } from '../../src/store/open.ts';
import { compareMessage } from '../../src/rows/shown.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import type { Location } from '../../src/lib/text/location.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import type { ColumnSource } from '../../src/sources/table-source.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const database = sourceNamed('database') as ColumnSource;

const home = temporaryFolder();
const samples = join(import.meta.dirname, '../../samples/database');

/** Plans a copy of a sample. */
async function planned(sample: string, file: string) {
  const folder = home.make();
  const from = join(folder, file);
  copyFileSync(join(samples, sample, file), from);
  const mapping = readFileSync(join(samples, sample, 'mapping.yaml'), 'utf8');
  const request = await sessionRequest(folder, { from: [from], source: 'database', mapping });
  await planExport(request);
  return { from, store: request.store };
}

/** The planned messages of a store, with the text that is sent. */
function messagesOf(path: string) {
  const store = openStoreToRead(path);
  const rows = databaseOf(store)
    .prepare<[], { muid: string; text: string | null }>(
      `SELECT muid, payload ->> '$.data.text' AS text FROM message WHERE verdict = 'planned'`,
    )
    .all();
  store.close();
  return rows;
}

describe('compareMessage() of a database', () => {
  it.each([
    ['a SQLite file', 'mapping-own-database', 'export.sqlite', 8],
    ['a dump', 'own-database-postgres', 'export.sql', 10],
  ])('shows the row of each message of %s with its columns', async (_, sample, file, count) => {
    const { store } = await planned(sample, file);
    const messages = messagesOf(store);
    expect(messages.length).toBe(count);
    for (const { muid, text } of messages) {
      const { row } = (await compareMessage(store, muid))!;
      expect(JSON.parse(row!)).toMatchObject({ id: expect.stringMatching(/./), body: text ?? '' });
    }
  });

  it('shows no row of a file that has changed since', async () => {
    const { store, from } = await planned('mapping-own-database', 'export.sqlite');
    const db = new DatabaseSync(from);
    db.exec("UPDATE messages SET body = 'other words'");
    db.close();
    expect(await compareMessage(store, messagesOf(store)[0]!.muid)).toMatchObject({
      row: null,
      why: expect.stringContaining('has changed'),
    });
  });
});

describe('rowsAt() of a database', () => {
  /** A table whose key is its last column, with more rows than are searched. */
  function madeTable(type: string): string {
    const path = join(home.make(), 'app.sqlite');
    const db = new DatabaseSync(path);
    db.exec(`CREATE TABLE message (body TEXT, id ${type} PRIMARY KEY);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
      INSERT INTO message SELECT 'words ' || i, i FROM n;`);
    db.close();
    return path;
  }

  async function rowsOf(path: string, at: Omit<Location, 'path'>, bytesMax: number, said: object = {}) {
    const [input] = await openExport([path]);
    try {
      const [file] = await input!.paths();
      const options = database.options.parse(said);
      const rows = await database.rowsAt(input!, options, [{ path: file!, ...at }], bytesMax);
      return [...rows.values()].map((row) => Object.fromEntries(row));
    } finally {
      await input!.close();
    }
  }

  it.each(['INTEGER', 'TEXT', 'VARCHAR(20)'])(
    'finds a row of SQLite far in its table by its key of type %s',
    async (type) => {
      const path = madeTable(type);
      expect(await rowsOf(path, { pointer: '/message/29999' }, 10)).toEqual([{ id: '29999', body: 'words 29999' }]);
      expect(await rowsOf(path, { pointer: '/message/30001' }, 10)).toEqual([]);
      expect(await rowsOf(path, { pointer: "/message/1' OR '1" }, 10)).toEqual([]);
    },
  );

  it('finds a row of the query of a mapping by its number, in a file that is not too large to be copied', async () => {
    const path = madeTable('INTEGER');
    const query = "SELECT id, 'room' AS room, body FROM message WHERE id % 2 = 0";
    const messages = { conversation: 'room', author: 'room', time: { from: 'id', format: 'unix-s' }, text: 'body' };
    const said = { tables: { messages: { query } }, messages };
    const pointer = '/query of messages/5000';
    const { size } = statSync(path);
    expect(await rowsOf(path, { pointer }, size, said)).toEqual([{ id: '10000', room: 'room', body: 'words 10000' }]);
    expect(await rowsOf(path, { pointer }, size - 1, said)).toEqual([]);
    expect(await rowsOf(path, { pointer: '/query of messages/15001' }, size, said)).toEqual([]);
    expect(await rowsOf(path, { pointer }, size)).toEqual([]);
  });

  it.each([
    ['bytes', 'BLOB', "CAST('key ' || i AS BLOB)", Buffer.from('key 29999').toString('hex')],
    ['a number without a type', '', 'i', '29999'],
    ['a text that begins like a number', 'TEXT', "i || 'e1'", '29999e1'],
  ])('finds a row of SQLite far in its table by a key of %s', async (_, type, value, key) => {
    const path = join(home.make(), 'app.sqlite');
    const db = new DatabaseSync(path);
    db.exec(`CREATE TABLE message (body TEXT, id ${type} PRIMARY KEY);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
      INSERT INTO message SELECT 'words ' || i, ${value} FROM n;`);
    db.close();
    expect(await rowsOf(path, { pointer: `/message/${key}` }, 10)).toEqual([{ id: key, body: 'words 29999' }]);
  });

  it('searches no dump that is too large to be read for one row', async () => {
    const path = join(home.make(), 'app.sql');
    writeFileSync(
      path,
      "CREATE TABLE message (id integer PRIMARY KEY, body text);\nINSERT INTO message VALUES (1,'words');\n",
    );
    const { size } = statSync(path);
    expect(await rowsOf(path, { line: 2, pointer: '/message/1' }, size)).toEqual([{ id: '1', body: 'words' }]);
    expect(await rowsOf(path, { line: 2, pointer: '/message/1' }, size - 1)).toEqual([]);
  });
});
