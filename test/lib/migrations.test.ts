import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storeKind } from '../../src/store/base/connection.ts';
import { checkOwner, type DatabaseKind, migrate, NewerStore, readSchemaVersion } from '../../src/lib/migrations.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

const half = 'ALTER TABLE destination ADD COLUMN label TEXT; ';
const second = `${half}UPDATE destination SET label = upper(name);`;

/** The store's tables, and a made-up second version. */
function madeKind(sql = second): DatabaseKind {
  const folder = home.make();
  copyFileSync(new URL('schema.sql', storeKind.folder), join(folder, 'schema.sql'));
  writeFileSync(join(folder, '0002.sql'), sql);
  return { ...storeKind, folder: pathToFileURL(`${folder}/`), migrations: ['0002.sql'] };
}

function open(path = join(home.make(), 'a.db')): Database.Database {
  const db = new Database(path);
  onTestFinished(() => void db.close());
  return db;
}

/** A store of the first version, with a row. */
function firstVersion(path?: string): Database.Database {
  const db = open(path);
  migrate(db, storeKind);
  db.exec(`INSERT INTO destination (address, name, profile, used_at) VALUES ('http://127.0.0.1', 'here', 'spec', 0)`);
  return db;
}

const all = (db: Database.Database) => db.prepare('SELECT * FROM destination').all();
const definitions = (db: Database.Database) => db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();

describe('migrate()', () => {
  it('brings a new database to the newest version, and changes nothing the second time', () => {
    const db = open();
    const kind = madeKind();
    migrate(db, kind);
    expect([readSchemaVersion(db), all(db)]).toEqual([2, []]);
    const before = definitions(db);
    migrate(db, kind);
    expect([readSchemaVersion(db), definitions(db)]).toEqual([2, before]);
    checkOwner(db, 'a.db', kind);
  });

  it('keeps every row of the version before, and makes of it what a new database has', () => {
    const db = firstVersion();
    const [before] = all(db);
    const kind = madeKind();
    migrate(db, kind);
    expect([readSchemaVersion(db), all(db)]).toEqual([2, [{ ...(before as object), label: 'HERE' }]]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    const made = open();
    migrate(made, kind);
    expect(definitions(db)).toEqual(definitions(made));
  });

  it('leaves the version before as it was if a migration fails half-way, and continues from there', () => {
    const db = firstVersion();
    const before = [definitions(db), all(db)];
    expect(() => migrate(db, madeKind(`${half}UPDATE destination SET nowhere = 1;`))).toThrow('no such column');
    expect([readSchemaVersion(db), definitions(db), all(db)]).toEqual([1, ...before]);
    migrate(db, madeKind());
    expect(readSchemaVersion(db)).toBe(2);
  });

  it('leaves the version before as it was if the process is killed half-way', () => {
    const folder = home.make();
    const path = join(folder, 'a.db');
    const db = firstVersion(path);
    db.pragma('journal_mode = wal');
    const before = [definitions(db), all(db)];
    // Pages of the transaction are in the log, and no commit.
    db.pragma('cache_size = 1');
    db.exec(`BEGIN IMMEDIATE; ${second}
      INSERT INTO meta WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i, hex(randomblob(500)) FROM n`);
    const killed = join(home.make(), 'a.db');
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, killed + suffix);
    const after = open(killed);
    expect([readSchemaVersion(after), definitions(after), all(after)]).toEqual([1, ...before]);
    migrate(after, madeKind());
    expect([readSchemaVersion(after), after.prepare('SELECT label FROM destination').pluck().all()]).toEqual([
      2,
      ['HERE'],
    ]);
  });

  it('does nothing that another process has done in the meantime', () => {
    const path = join(home.make(), 'a.db');
    const db = firstVersion(path);
    const kind = madeKind();
    const slower: DatabaseKind = {
      ...kind,
      // Asked for when a version was found to be missing, before the transaction begins.
      get folder() {
        migrate(open(path), kind);
        return kind.folder;
      },
    };
    migrate(db, slower);
    expect([readSchemaVersion(db), all(db)]).toMatchObject([2, [{ label: 'HERE' }]]);
  });
});

describe('checkOwner()', () => {
  it('accepts the version before, refuses a newer one, and says what to do', () => {
    const db = firstVersion();
    checkOwner(db, 'a.db', madeKind());
    migrate(db, madeKind());
    const check = () => checkOwner(db, 'a.db', storeKind);
    expect(check).toThrow(NewerStore);
    expect(check).toThrow('Cannot use "a.db" as checkpoint store: a newer version of Chatferry wrote it');
    expect(check).toThrow(expect.objectContaining({ hint: 'Update Chatferry' }));
  });

  it.each([1, 16, 101])('refuses a database that was made before 0.1, with the number %i', (number) => {
    const db = firstVersion();
    db.pragma(`user_version = ${number}`);
    const check = () => checkOwner(db, 'a.db', storeKind);
    expect(check).toThrow('Cannot use "a.db" as checkpoint store: it was made before 0.1');
    expect(check).toThrow(
      expect.objectContaining({ hint: 'Finish it with that version, or plan again into a new store (--store)' }),
    );
  });
});
