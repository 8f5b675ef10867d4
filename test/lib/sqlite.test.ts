import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../src/lib/errors.ts';
import { openDatabase, toStoreError } from '../../src/lib/sqlite.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function open(...parts: Parameters<typeof openDatabase>) {
  const db = openDatabase(...parts);
  onTestFinished(() => void db.close());
  return db;
}

/** Returns the error that opening it throws. */
function refusal(path: string, options = {}): unknown {
  try {
    open(path, options);
  } catch (error) {
    return error;
  }
  return undefined;
}

const pragma = (db: ReturnType<typeof open>, name: string) => db.pragma(name, { simple: true });

describe('openDatabase()', () => {
  it.each([
    ['FULL', 2],
    ['NORMAL', 1],
  ] as const)('sets synchronous=%s in a WAL file, every time it is opened', (synchronous, level) => {
    const path = join(newFolder(), 'x.db');
    for (const _ of ['new', 'opened again']) {
      const db = openDatabase(path, { synchronous });
      db.exec('CREATE TABLE IF NOT EXISTS a (b)');
      expect([pragma(db, 'journal_mode'), pragma(db, 'synchronous'), pragma(db, 'foreign_keys')]).toEqual([
        'wal',
        level,
        1,
      ]);
      db.close();
    }
  });

  it('is FULL where nothing is said, and keeps another journal where one is asked for', () => {
    const db = open(join(newFolder(), 'x.lock'), { journal: 'delete' });
    expect([pragma(db, 'journal_mode'), pragma(db, 'synchronous')]).toEqual(['delete', 2]);
  });

  it('opens a database of this process alone', () => {
    const db = open(':memory:');
    db.exec('CREATE TABLE a (b)');
    expect(existsSync(':memory:')).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('makes files for their owner alone, the WAL too', () => {
    const path = join(newFolder(), 'x.db');
    open(path).exec('CREATE TABLE a (b)');
    const modes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it('reads while another connection writes', () => {
    const path = join(newFolder(), 'x.db');
    const writer = open(path);
    writer.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1); BEGIN IMMEDIATE; INSERT INTO a VALUES (2)');
    const reader = open(path, { readonly: true });
    expect(reader.prepare('SELECT count(*) FROM a').pluck().get()).toBe(1);
    expect(() => reader.exec('INSERT INTO a VALUES (3)')).toThrow('readonly');
  });

  it('does not make a file to read from', () => {
    const path = join(newFolder(), 'absent.db');
    expect(refusal(path, { readonly: true })).toBeInstanceOf(StoreError);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['a text', (folder: string) => writeFileSync(join(folder, 'x.db'), 'not a database'.repeat(100)), 'not a SQLite'],
    ['a folder', (folder: string) => mkdirSync(join(folder, 'x.db')), 'Cannot use'],
    ['nothing in a folder that is not there', (folder: string) => rmSync(folder, { recursive: true }), 'folder'],
  ])('refuses %s, with path and hint', (_, prepare, reason) => {
    const folder = newFolder();
    const path = join(folder, 'x.db');
    prepare(folder);
    const error = refusal(path);
    mkdirSync(folder, { recursive: true });
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ path, message: expect.stringContaining(reason), hint: expect.any(String) });
  });
});

describe('toStoreError()', () => {
  const fault = (code: string) => Object.assign(new Error('it failed'), { code });

  it.each([
    ['SQLITE_FULL', 'the disk is full'],
    ['SQLITE_IOERR_FSYNC', 'the disk reports an error'],
    ['SQLITE_CORRUPT_INDEX', 'the file is damaged'],
    ['SQLITE_BUSY_SNAPSHOT', 'another process'],
    ['ENOSPC', 'the disk is full'],
    ['EACCES', 'permission denied'],
  ])('says what %s means, and keeps the fault as cause', (code, reason) => {
    const cause = fault(code);
    expect(toStoreError(cause, 'x.db')).toMatchObject({
      message: expect.stringContaining(reason),
      path: 'x.db',
      cause,
    });
  });

  it('ignores errors that are not caused by the disk', () => {
    expect(toStoreError(fault('SQLITE_CONSTRAINT_UNIQUE'), 'x.db')).toBeUndefined();
    expect(toStoreError(fault('SQLITE_FULLER'), 'x.db')).toBeUndefined();
    expect(toStoreError(new TypeError('oops'), 'x.db')).toBeUndefined();
    expect(toStoreError('text', 'x.db')).toBeUndefined();
    expect(toStoreError(new StoreError('known', { path: 'y.db' }), 'x.db')).toBeUndefined();
  });
});
