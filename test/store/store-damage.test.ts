import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStore, type Store, storeDamage } from '../../src/store/open.ts';
import { StoreError } from '../../src/lib/errors.ts';
import { seeded } from '../scenes/make-export.ts';
import { nowMs, storePath } from './fixture.ts';
import { testSeed as seed } from '../seed.ts';

const pageBytes = 8192;
const open = (path: string) => openStore(path, { command: 'import', nowMs });

function fill(store: Store, problems: number): void {
  const insert = databaseOf(store).prepare(`INSERT INTO problem (code, reason, place) VALUES ('code', ?, 'place')`);
  databaseOf(store).transaction(() => {
    for (let index = 0; index < problems; index++) insert.run(`reason ${index} ${'x'.repeat(200)}`);
  })();
}

/** A store of some 60 pages, closed. */
function filledStore(): string {
  const path = storePath();
  const store = open(path);
  fill(store, 2000);
  store.close();
  return path;
}

/** Leaves files as a killed process does: as they are while the store is open, under their own names. */
function leaveUnclean(path: string): void {
  const store = open(path);
  fill(store, 10);
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, `${path}${suffix}.left`);
  store.close();
  // In place: a file that is replaced is another file.
  const left = readFileSync(`${path}.left`);
  truncateSync(path, 0);
  overwrite(path, 0, left);
  renameSync(`${path}-wal.left`, `${path}-wal`);
}

function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

function refusal(path: string): StoreError {
  try {
    open(path).close();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('It was opened');
}

const problemsIn = (path: string) => {
  const store = open(path);
  const count = databaseOf(store).prepare('SELECT count(*) FROM problem').pluck().get();
  store.close();
  return count;
};

describe('a damaged store', () => {
  it('is refused where bytes of its pages were flipped, and stays as it is', () => {
    const random = seeded(seed);
    const path = filledStore();
    const whole = readFileSync(path);
    for (let round = 0; round < 30; round++) {
      // The first bytes of a page say what it is and where its rows are; the first page begins with the file's header.
      const page = 1 + Math.floor(random() * (whole.length / pageBytes - 1));
      const offset = page * pageBytes + Math.floor(random() * 8);
      const flipped = Buffer.from(whole);
      flipped[offset] = flipped[offset]! ^ (1 + Math.floor(random() * 255));
      overwrite(path, 0, flipped);
      const context = `seed ${seed}, round ${round}, byte ${offset}`;
      let error: StoreError | undefined;
      try {
        error = refusal(path);
      } catch (opened) {
        // The number of unused bytes, and a hint for the next free block, may be wrong without harm.
        expect((opened as Error).message, context).toBe('It was opened');
        expect([1, 2, 5, 6, 7], context).toContain(offset % pageBytes);
        overwrite(path, 0, whole);
        continue;
      }
      expect(error.message, context).toMatch(/damaged|malformed/);
      expect(error.hint, context).toContain('chatferry reconcile EXPORT');
      expect(readFileSync(path).equals(flipped), context).toBe(true);
    }
    overwrite(path, 0, whole);
    expect(problemsIn(path)).toBe(2000);
  });

  it.each([0.9, 0.5, 0.1])('is refused where only %d of it is left', (share) => {
    const path = filledStore();
    const size = readFileSync(path).length;
    truncateSync(path, Math.floor(size * share));
    const error = refusal(path);
    expect(error.message).toContain('damaged');
    expect(error.hint).toContain('chatferry reconcile EXPORT');
  });

  it('is refused where its log was taken away after a kill, and welcome when it is back', () => {
    const path = filledStore();
    leaveUnclean(path);
    renameSync(`${path}-wal`, `${path}-wal.away`);
    for (const _ of ['first', 'again']) {
      const error = refusal(path);
      expect(error.message).toContain(`its log "${path}-wal" is missing`);
      expect(error.hint).toContain('chatferry reconcile EXPORT');
    }
    rmSync(`${path}-wal`, { force: true });
    renameSync(`${path}-wal.away`, `${path}-wal`);
    expect(problemsIn(path)).toBe(2010);
  });

  it('is checked after an unclean end, including its log', () => {
    const path = filledStore();
    leaveUnclean(path);
    expect(problemsIn(path)).toBe(2010);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it('accepts a copy made while a process was writing as an older state', () => {
    const path = filledStore();
    const store = open(path);
    databaseOf(store).pragma('wal_checkpoint(PASSIVE)');
    copyFileSync(path, `${path}.copy`);
    store.close();
    expect(problemsIn(`${path}.copy`)).toBe(2000);
  });

  it('is not damaged if its first write was cut off', () => {
    const path = storePath();
    const db = new Database(path);
    db.pragma('cache_size = 1');
    db.exec('CREATE TABLE begun (a)');
    db.exec('BEGIN');
    const insert = db.prepare('INSERT INTO begun VALUES (?)');
    for (let row = 0; row < 100; row++) insert.run('x'.repeat(1000));
    for (const suffix of ['', '-journal']) copyFileSync(path + suffix, `${path}.cut${suffix}`);
    db.close();
    expect(readFileSync(`${path}.cut-journal`).length).toBeGreaterThan(0);
    // Taken back, it is the database of another program; what matters is that it could be taken back.
    expect(refusal(`${path}.cut`).message).toContain('a database of another program');
  });

  it('may be one of another build, where a table is defined differently', () => {
    const path = filledStore();
    const db = new Database(path);
    db.exec('ALTER TABLE problem ADD COLUMN other TEXT');
    db.close();
    const error = storeDamage(path);
    expect(error?.message).toContain(
      'another build of Chatferry made it, or it is damaged: the definition of "problem" differs',
    );
    expect(error?.hint).toContain('finish it with that build');
  });

  it('forgets a log without its file', () => {
    const path = filledStore();
    leaveUnclean(path);
    rmSync(path);
    expect(problemsIn(path)).toBe(0);
  });

  it('does not touch the database of another program', () => {
    const path = storePath();
    const other = new Database(path);
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    const before = readFileSync(path);
    expect(refusal(path).message).toContain('a database of another program');
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
