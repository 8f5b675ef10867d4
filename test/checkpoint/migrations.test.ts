import { readdirSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachMessage } from '../../src/checkpoint/base/message-facts.ts';
import { databaseOf, openStore } from '../../src/checkpoint/open.ts';
import { isNightly } from '../tier.ts';
import { renderStoreTables } from '../../scripts/write-store-tables.ts';
import { nowMs, storePath } from './fixture.ts';

const folder = new URL('../../src/checkpoint/migrations/', import.meta.url);
const files = readdirSync(folder)
  .filter((file) => /^\d/.test(file))
  .sort();
/** Each version that a store may have been left at. */
const earlier = files.slice(0, -1).map((_, index) => index + 1);

/** Words of versions before 15, and what they became. */
const words: Readonly<Record<string, string>> = {
  ...{ rejected: 'invalid', repeated: 'duplicate', present: 'existing', refused: 'failed' },
};
const states = ['pending', 'sent', 'imported', 'present', 'refused'];
const verdicts = ['planned', 'skipped', 'rejected', 'repeated'];
interface Message {
  readonly verdict: string;
  /** Nothing was tried where it has none. */
  readonly state: string | null;
  readonly text: string;
  readonly isLate: boolean;
  readonly conversation: number;
}

const anyMessage: fc.Arbitrary<Message> = fc.record({
  verdict: fc.constantFrom(...verdicts),
  state: fc.option(fc.constantFrom(...states)),
  text: fc.string({ unit: 'binary', maxLength: 20 }),
  isLate: fc.boolean(),
  conversation: fc.integer({ min: 1, max: 3 }),
});

/** A store as a program of that version would have left it. */
function storeAt(version: number, messages: readonly Message[]): string {
  const path = storePath();
  const db = new Database(path);
  db.pragma('journal_mode = wal');
  for (const file of files.slice(0, version)) db.exec(readFileSync(new URL(file, folder), 'utf8'));
  db.pragma('application_id = 0x43484652');
  db.pragma(`user_version = ${version}`);
  db.exec(`INSERT INTO destination (id, address, name, profile, used_at) VALUES (1, 'http://127.0.0.1', 'here', 'spec', 0);
    INSERT INTO run (id, command, started_at, host, pid) VALUES (1, 'import', 0, 'host', 1);
    INSERT INTO meta VALUES ('source', 'slack');
    INSERT INTO batch VALUES (1, 1, 1, ${messages.length}, 100, 'open');
    INSERT INTO attempt (batch, number, started_at) VALUES (1, 1, 0)`);
  const stage = db.prepare(
    `INSERT INTO message (muid, conversation, verdict, file, place, payload) VALUES (?, ?, ?, 1, '1', ?)`,
  );
  const deliver = db.prepare(
    `INSERT INTO delivery (destination, message, state, batch, is_late) VALUES (1, ?, ?, 1, ?)`,
  );
  const word = (given: string): string => (version < 15 ? given : (words[given] ?? given));
  for (const [index, { verdict, state, text, isLate, conversation }] of messages.entries()) {
    const { lastInsertRowid } = stage.run(`m${index}`, conversation, word(verdict), JSON.stringify({ text }));
    if (state !== null) deliver.run(lastInsertRowid, word(state), isLate ? 1 : 0);
  }
  db.close();
  return path;
}

type Rows = Record<string, unknown[]>;

/** Every row of every table of a version, in the columns that it had. */
function rowsOf(db: Database.Database, columns: Readonly<Record<string, readonly string[]>>): Rows {
  return Object.fromEntries(
    Object.entries(columns).map(([table, names]) => {
      const own = table === 'meta' ? `WHERE key <> 'openedAs'` : '';
      return [table, db.prepare(`SELECT ${names.join()} FROM ${table} ${own} ORDER BY 1, 2`).raw().all()];
    }),
  );
}

/** Rows of an earlier version in today's words. */
const inTodaysWords = (rows: Rows): Rows => JSON.parse(JSON.stringify(rows), (_, value) => words[value] ?? value);

/** Counts that are made again. */
const droppedTables: readonly string[] = ['kept_books'];

/** Columns that a later version no longer has, by table. */
const droppedColumns: Readonly<Record<string, readonly string[]>> = { source_file: ['rest', 'read_to'] };

/** Those that the newest version has too. */
function columnsOf(db: Database.Database): Record<string, string[]> {
  const tables = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  const names = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
  return Object.fromEntries(
    tables
      .filter((table) => !droppedTables.includes(table))
      .map((table) => [table, names.all(table).filter((name) => !droppedColumns[table]?.includes(name))]),
  );
}

/** Returns the verdict and state that a report shows for each message. */
function totalsOf(db: Database.Database): [verdict: string, state: string | null][] {
  const totals: [string, string | null][] = [];
  eachMessage(db, 1, ({ verdict, state }) => totals.push([verdict, state]));
  return totals;
}

/** Sent messages stay planned, unless they are another version of a message that is. */
const isSent = (verdict: string, state: string | null) =>
  state !== null && state !== 'pending' && verdict !== 'repeated';

describe('a store of an earlier version', () => {
  it.each(earlier)('keeps every row of version %d when it is brought up to date', (version) => {
    const property = fc.property(fc.array(anyMessage, { maxLength: 30 }), (messages) => {
      const path = storeAt(version, messages);
      const old = new Database(path, { readonly: true });
      const columns = columnsOf(old);
      const before = inTodaysWords(rowsOf(old, columns));
      old.close();
      const store = openStore(path, { command: 'plan', nowMs });
      expect(databaseOf(store).pragma('user_version', { simple: true })).toBe(files.length);
      expect(rowsOf(databaseOf(store), columns)).toEqual(before);
      expect(databaseOf(store).pragma('integrity_check', { simple: true })).toBe('ok');
      expect(totalsOf(databaseOf(store))).toEqual(
        messages.map(({ verdict, state }) => [
          isSent(verdict, state) ? 'planned' : (words[verdict] ?? verdict),
          state && (words[state] ?? state),
        ]),
      );
      store.close();
    });
    fc.assert(property, { numRuns: isNightly ? 25 : 6 });
  });

  it('has what version 14 wrote of purged content and of undo in the words of today', () => {
    const path = storeAt(14, [{ verdict: 'planned', state: 'imported', text: 'gone', isLate: false, conversation: 1 }]);
    const old = new Database(path);
    old.exec(`UPDATE delivery SET payload = '{"forgotten":"a digest"}';
      INSERT INTO meta VALUES ('contentForgotten', 'yes');
      INSERT INTO action (kind, message, person, other, reaction) VALUES ('reactions', 1, 1, 0, 'forgotten 1');
      INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason) VALUES
        (1, 1, 'group', 1, 1, 'left', 'present'), (1, 1, 'group', 2, 1, 'left', 'refused'),
        (1, 1, 'group', 3, 1, 'left', 'in-doubt'), (1, 1, 'group', 4, 1, 'left', 'foreign'), (1, 1, 'group', 5, 1, 'planned', NULL);
      INSERT INTO problem (code, reason, place) VALUES ('column-not-carried', 'a reason', 'a.csv'), ('history-cut', 'a reason', 'a.csv');
      UPDATE run SET stopped = '{"code":"in-doubt","message":"m","hint":null}'`);
    old.close();
    const store = openStore(path, { command: 'plan', nowMs });
    const all = (sql: string) => databaseOf(store).prepare(sql).pluck().all();
    expect(all('SELECT payload FROM delivery')).toEqual(['{"purged":"a digest"}']);
    expect(store.readMeta('contentPurged')).toBe('yes');
    expect(all(`SELECT reaction FROM action WHERE kind = 'reactions'`)).toEqual(['purged 1']);
    const reasons = ['existing', 'failed', 'unconfirmed', 'foreign', null];
    expect(all('SELECT reason FROM undo_call ORDER BY id')).toEqual(reasons);
    expect(all('SELECT code FROM problem ORDER BY id')).toEqual(['column-not-migrated', 'history-cut']);
    expect(all('SELECT stopped FROM run WHERE stopped IS NOT NULL')[0]).toContain('"code":"unconfirmed"');
    store.close();
  });

  it('names the profile of the hosted service as version 16 does', () => {
    const path = storeAt(15, []);
    const old = new Database(path);
    old.exec(
      `UPDATE destination SET profile = 'public'; UPDATE run SET profile = 'public'; INSERT INTO meta VALUES ('profile', 'public')`,
    );
    old.close();
    const store = openStore(path, { command: 'plan', nowMs });
    const all = (sql: string) => databaseOf(store).prepare(sql).pluck().all();
    expect(all('SELECT profile FROM destination')).toEqual(['hosted']);
    expect(all('SELECT profile FROM run WHERE id = 1')).toEqual(['hosted']);
    expect(store.readMeta('profile')).toBe('hosted');
    store.close();
  });

  it('gives a file the rows that version 12 had staged behind its last whole line, and reads the file again', () => {
    const path = storeAt(12, [{ verdict: 'planned', state: 'imported', text: 'cut', isLate: false, conversation: 1 }]);
    const old = new Database(path);
    old.exec(`INSERT INTO source_input (id, path, listing) VALUES (1, '/export', 'as it was');
      INSERT INTO source_file (id, input, path, role, fingerprint, size_bytes, rest) VALUES
        (7, 1, 'a.csv', 'rows', 'before', 9, 8), (8, 1, 'a.csv', 'rest', '', 0, NULL), (9, 1, 'b.csv', 'rows', 'same', 9, NULL);
      UPDATE message SET file = 8;
      INSERT INTO problem (file, code, reason, place, count) VALUES (8, 'code', 'reason', '2', 1);
      INSERT INTO attachment_host (file, host, count) VALUES (7, 'a.test', 2), (8, 'a.test', 1), (8, 'b.test', 1)`);
    old.close();
    const store = openStore(path, { command: 'plan', nowMs });
    const db = databaseOf(store);
    const all = (sql: string) => db.prepare(sql).raw().all();
    expect(all('SELECT file FROM message')).toEqual([[7]]);
    expect(all('SELECT file FROM problem')).toEqual([[7]]);
    expect(all('SELECT file, host, count FROM attachment_host ORDER BY 1, 2')).toEqual([
      [7, 'a.test', 3],
      [7, 'b.test', 1],
    ]);
    expect(all('SELECT id, role, fingerprint FROM source_file ORDER BY 1')).toEqual([
      [7, 'rows', ''],
      // Version 14 reads all files again.
      [9, 'rows', ''],
    ]);
    expect(all('SELECT listing FROM source_input')).toEqual([[null]]);
    store.close();
  });
});

describe('a new store', () => {
  /** Returns everything that the database defines, in order of creation. */
  const definitionsOf = (db: Database.Database) =>
    db.prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid`).all();

  it('has the tables that the migrations create from an empty one: new.sql is up to date', () => {
    expect(readFileSync(new URL('new.sql', folder), 'utf8'), 'run: npm run store-tables').toBe(renderStoreTables());
    const path = storePath();
    const migrated = new Database(path);
    for (const file of files) migrated.exec(readFileSync(new URL(file, folder), 'utf8'));
    const store = openStore(storePath(), { command: 'plan', nowMs });
    expect(definitionsOf(databaseOf(store))).toEqual(definitionsOf(migrated));
    expect(databaseOf(store).pragma('user_version', { simple: true })).toBe(files.length);
    expect(Object.values(rowsOf(migrated, columnsOf(migrated))).flat()).toEqual([]);
    migrated.close();
    store.close();
  });
});
