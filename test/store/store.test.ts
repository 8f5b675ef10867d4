import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseOf, openStore, openStoreToRead } from '../../src/store/open.ts';
import { StoreError } from '../../src/lib/errors.ts';
import { nowMs, openTestStore, storePath } from './fixture.ts';

const open = (path: string) => openStore(path, { command: 'plan', nowMs });

/** Returns the error that opening it throws. */
function refusal(attempt: () => unknown): StoreError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('Expected a StoreError');
}

/** Another process that holds the store until it is killed. */
async function holdInAnotherProcess(path: string): Promise<{ pid: number; kill(): Promise<void> }> {
  const module = new URL('../../src/store/open.ts', import.meta.url).href;
  const code = `
    import { openStore } from ${JSON.stringify(module)};
    // Held: what nothing refers to is collected, and closes its file.
    globalThis.held = openStore(${JSON.stringify(path)}, { command: 'import', nowMs: ${nowMs} });
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('openStore()', () => {
  it('creates a store that only its owner can read, including the files next to it', () => {
    const store = openTestStore();
    const { path } = store;
    databaseOf(store).exec(`INSERT INTO meta VALUES ('source', 'slack')`);
    for (const suffix of ['', '-wal', '-shm', '.lock']) {
      if (process.platform !== 'win32') expect([suffix, statSync(path + suffix).mode & 0o777]).toEqual([suffix, 0o600]);
    }
  });

  it('survives a power cut: WAL and synchronous=FULL, each time it is opened', () => {
    const path = storePath();
    for (const _ of ['new', 'opened again']) {
      const store = open(path);
      expect(databaseOf(store).pragma('journal_mode', { simple: true })).toBe('wal');
      expect(databaseOf(store).pragma('synchronous', { simple: true })).toBe(2);
      store.close();
    }
  });

  it('keeps its content when it is opened again, and is marked as a Chatferry store', () => {
    const path = storePath();
    const store = open(path);
    databaseOf(store).exec(`INSERT INTO meta VALUES ('source', 'slack')`);
    expect(databaseOf(store).pragma('application_id', { simple: true })).toBe(0x43484652);
    expect(databaseOf(store).pragma('user_version', { simple: true })).toBe(102);
    store.close();
    expect(databaseOf(openTestStore(path)).prepare(`SELECT value FROM meta WHERE key = 'source'`).pluck().get()).toBe(
      'slack',
    );
  });

  it('leaves nothing behind if its tables cannot be made, and makes them the next time', () => {
    const path = storePath();
    const other = new Database(path);
    other.pragma('application_id = 0x43484652');
    // One of its own tables: it fails half-way.
    other.exec('CREATE TABLE delivery (a)');
    other.close();
    expect(() => open(path)).toThrow('table delivery already exists');
    const after = new Database(path);
    expect(after.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['delivery']);
    after.exec('DROP TABLE delivery');
    after.close();
    expect(databaseOf(openTestStore(path)).prepare('SELECT count(*) FROM delivery').pluck().get()).toBe(0);
  });

  it('takes an empty file for a new store', () => {
    const path = storePath();
    writeFileSync(path, '');
    expect(databaseOf(openTestStore(path)).pragma('user_version', { simple: true })).toBe(102);
  });

  it('refuses the database of another program and leaves it as it is', () => {
    const path = storePath();
    const other = new Database(path);
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    const error = refusal(() => open(path));
    expect(error.message).toBe(`Cannot use "${path}" as checkpoint store: it is a database of another program`);
    expect(error).toMatchObject({ path, hint: expect.stringContaining('--store') });
    const after = new Database(path, { readonly: true });
    expect(after.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['theirs']);
    after.close();
  });

  it.each([
    [999, 'a newer version of Chatferry wrote it', 'Update Chatferry'],
    [101, 'it was made before 0.1', 'Finish it with that version, or plan again into a new store (--store)'],
  ])('refuses a store with the version number %i, and takes its lock no longer than that', (number, words, hint) => {
    const path = storePath();
    const store = open(path);
    databaseOf(store).pragma(`user_version = ${number}`);
    store.close();
    for (const attempt of [() => open(path), () => open(path), () => openStoreToRead(path)]) {
      const error = refusal(attempt);
      expect(error.message).toBe(`Cannot use "${path}" as checkpoint store: ${words}`);
      expect(error.hint).toBe(hint);
    }
  });

  it.each([['a file that is no database', 'not a database, and longer than the header of one: '.repeat(20)]])(
    'refuses %s',
    (_, content) => {
      const path = storePath();
      writeFileSync(path, content);
      for (const attempt of [() => open(path), () => openStoreToRead(path)]) {
        expect(refusal(attempt).message).toBe(`Cannot use "${path}": it is not a SQLite database (SQLITE_NOTADB)`);
      }
    },
  );

  it('refuses a folder that is not there', () => {
    expect(refusal(() => open('nowhere/chatferry.db')).message).toContain('its folder does not exist');
  });
});

describe('the lock of a store', () => {
  it('tells a second process which process holds it, and since when', async () => {
    const path = storePath();
    const { pid } = await holdInAnotherProcess(path);
    const error = refusal(() => open(path));
    expect(error.message).toBe(
      `Cannot take the checkpoint store "${path}": held by "chatferry import", process ${pid} on ${hostname()}, since 2026-11-21T12:00:00.000Z`,
    );
    expect(error.hint).toContain('--store');
  });

  it('allows others to read', () => {
    const { path } = openTestStore();
    const reader = openStoreToRead(path);
    expect(databaseOf(reader).prepare('SELECT count(*) FROM message').pluck().get()).toBe(0);
    expect(() => databaseOf(reader).exec('DELETE FROM message')).toThrow('readonly');
    reader.close();
  });

  it('ends with its process, however that dies', async () => {
    const path = storePath();
    const holder = await holdInAnotherProcess(path);
    await holder.kill();
    expect(databaseOf(openTestStore(path)).open).toBe(true);
  });

  it('holds inside one process too, and ends with close()', () => {
    const path = storePath();
    const first = open(path);
    expect(refusal(() => open(path)).message).toContain(`process ${process.pid}`);
    first.close();
    open(path).close();
  });
});

describe('openStoreToRead()', () => {
  it('explains what to do if there is no store, and creates none', () => {
    const path = storePath();
    const error = refusal(() => openStoreToRead(path));
    expect(error.message).toBe(`Cannot open the checkpoint store "${path}": there is no such file`);
    expect(error.hint).toContain('chatferry import EXPORT');
    expect(existsSync(path)).toBe(false);
  });

  it('refuses a store that has no tables yet', () => {
    const path = storePath();
    writeFileSync(path, '');
    chmodSync(path, 0o600);
    expect(refusal(() => openStoreToRead(path)).message).toContain('it is not up to date');
  });
});
