import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../../src/io/input/open-export.ts';
import { AppDatabase, type DatabaseShape } from '../../../../src/sources/kit/files/app-database.ts';
import { databasesIn, databaseVerdict, firstDatabase } from '../../../../src/sources/kit/files/app-database-files.ts';
import { BesideRows } from '../../../../src/sources/kit/rows/beside-rows.ts';
import { temporaryFolder } from '../../../scenes/temporary-folder.ts';

const home = temporaryFolder();

const shape: DatabaseShape<'note'> = {
  app: 'Pigeon post',
  hint: 'Feed the pigeon',
  required: { note: ['id'] },
  columns: { note: ['id', 'text', 'picture'] },
  presence: ['picture'],
  meaningless: { note: { 'its colour': ['colour'] } },
};
const files = { named: /pigeon\.db$/, marks: ['note'], shape };

async function inputOf(path: string, sql: string) {
  const db = new Database(path);
  db.exec(sql);
  db.close();
  const [input] = await openExport([path]);
  return input!;
}

describe('AppDatabase', () => {
  it('reads whole numbers exactly, leaves out what is too large, and takes a missing column for null', async () => {
    const path = join(home.make(), 'pigeon.db');
    const sql = `CREATE TABLE note (id INTEGER, text TEXT);
      INSERT INTO note VALUES (9007199254740993, 'Coo'), (2, '${'x'.repeat(2 ** 20 + 1)}')`;
    const db = await AppDatabase.open(await inputOf(path, sql), 'pigeon.db', shape);
    const rows = [...db.rows(`SELECT ${db.selected('note', 'n')} FROM note n`)];
    db.close();
    expect(rows).toEqual([
      { rowid: 1n, id: 9_007_199_254_740_993n, text: 'Coo', picture: null },
      { rowid: 2n, id: 2n, text: null, picture: null },
    ]);
  });

  it('names columns that have values and that nobody knows', async () => {
    const path = join(home.make(), 'pigeon.db');
    const sql = 'CREATE TABLE note (id, colour, mood); INSERT INTO note VALUES (1, 2, 3), (2, 2, 0)';
    const db = await AppDatabase.open(await inputOf(path, sql), 'pigeon.db', shape);
    expect(db.unreadColumns()).toMatchObject([{ code: 'column-not-migrated', column: 'mood', count: 1 }]);
    db.close();
  });

  it('says which tables it misses, and what to do with a file that is no database', async () => {
    const folder = home.make();
    const other = await inputOf(join(folder, 'pigeon.db'), 'CREATE TABLE letter (id)');
    await expect(AppDatabase.open(other, 'pigeon.db', shape)).rejects.toThrow('found no "note.id"');
    writeFileSync(join(folder, 'text.db'), 'Coo');
    const [text] = await openExport([join(folder, 'text.db')]);
    await expect(AppDatabase.open(text!, 'text.db', shape)).rejects.toMatchObject({ hint: 'Feed the pigeon' });
  });
});

describe('firstDatabase()', () => {
  it('finds one by its tables, and reads one of the name that holds something else', async () => {
    const folder = home.make();
    await inputOf(join(folder, 'copy.sqlite'), 'CREATE TABLE note (id)');
    writeFileSync(join(folder, 'pigeon.db'), 'Coo');
    const [input] = await openExport([folder]);
    expect(await firstDatabase(input!, files)).toBe('copy.sqlite');
    const found = await databasesIn(input!, files);
    expect([...found]).toEqual(['copy.sqlite', 'pigeon.db']);
    expect(databaseVerdict('pigeon.db-wal', found)).toBe('log');
    expect(databaseVerdict('letter.txt', found)).toBeUndefined();
  });
});

describe('BesideRows', () => {
  it('gives the rows of each message, also if it is asked for twice, and passes over those of none', () => {
    const rows = new BesideRows([1n, 1n, 2n, 5n].map((message, index) => ({ message, index })));
    const found = [1n, 1n, 3n, 5n, 6n].map((message) => rows.of(message).map(({ index }) => index));
    expect(found).toEqual([[0, 1], [0, 1], [], [3], []]);
  });
});
