import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkStore, databaseOf, openStore, openStoreToRead, type Store, storeDamage } from '../../src/store/open.ts';
import { RowAppender } from '../../src/store/messages/append.ts';
import { packHere } from '../../src/fleet/copies/pack-here.ts';
import { packStore, type StorePaths } from '../../src/fleet/copies/pack-store.ts';
import { packFile, unpackFile } from '../../src/fleet/copies/packed-file.ts';
import { unpackStore } from '../../src/fleet/copies/unpack-store.ts';
import { StoreError } from '../../src/lib/errors.ts';
import { type JobState, openJobState } from '../../src/sync/job-state.ts';
import { addCast, addDestination, addFiles, deliver, nowMs, rowOf } from '../store/fixture.ts';
import { run, testKey } from '../cli/in-process.ts';
import { noSignal } from '../scenes/media-content.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { isNightly } from '../tier.ts';

const folders = temporaryFolderInMemory();

const pathsIn = (folder: string): StorePaths => ({ store: join(folder, 'a.db'), state: join(folder, 'state.db') });

interface Scene {
  readonly folder: string;
  readonly paths: StorePaths;
  readonly store: Store;
  readonly state: JobState;
}

/** A store with messages, and the state of a job; both open. */
function openScene(messages = 10): Scene {
  const folder = folders.make();
  const paths = pathsIn(folder);
  const store = openStore(paths.store, { command: 'import', nowMs });
  const state = openJobState(paths.state, nowMs);
  onTestFinished(() => {
    store.close();
    state.close();
  });
  const db = databaseOf(store);
  const { people, conversations } = addCast(db);
  const [file] = addFiles(db, 'export', 'a.json');
  const writer = new RowAppender(db);
  db.transaction(() => {
    const home = { file: file!, path: 'a.json', conversation: conversations.C1!, sender: people.U1! };
    for (let id = 1; id <= messages; id++) writer.save(rowOf(id, `words ${id}`), { ...home, reactions: undefined });
    writer.flush();
  })();
  return { folder, paths, store, state };
}

const rowsOf = (path: string, sql: string): unknown[] => {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare(sql).all();
  db.close();
  return rows;
};

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Restores a copy into a folder of its own. */
async function restored(packed: string): Promise<StorePaths> {
  const paths = pathsIn(folders.make());
  await unpackStore(packed, paths);
  return paths;
}

async function packedScene(messages?: number) {
  const scene = openScene(messages);
  const into = join(folders.make(), 'copy.zst');
  const packed = await packStore(scene.paths, into, noSignal);
  return { ...scene, into, packed };
}

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => new Error('Nothing was refused'),
    (error: unknown) => error,
  );

describe('packStore()', () => {
  it('makes one file that only its owner may read, and says its size and digest', async () => {
    const { into, packed } = await packedScene();
    expect(packed).toEqual({ sizeBytes: statSync(into).size, sha256: digestOf(into) });
    if (process.platform !== 'win32') expect(statSync(into).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(into, '..'))).toEqual(['copy.zst']);
  });

  it('leaves the store as it is, open and healthy', async () => {
    const { store, paths, folder } = await packedScene();
    expect(store.facts.read('openedAs')).toBeDefined();
    expect(checkStore(paths.store).faults).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('saves one state from between its start and end, despite concurrent writes; the job state in it is no newer', async () => {
    const { store, state, paths } = openScene(20_000);
    const into = join(folders.make(), 'copy.zst');
    const note = databaseOf(store).prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    const noteState = state.db.prepare(`INSERT INTO location VALUES (?, 'k', '')`);
    let written = 0;
    const write = () => {
      written++;
      databaseOf(store).transaction(() => {
        note.run(`one ${written}`, '');
        note.run(`two ${written}`, '');
      })();
      noteState.run(`job ${written}`);
    };
    write();
    const begin = written;
    let isDone = false;
    const packing = packStore(paths, into, noSignal).finally(() => (isDone = true));
    while (!isDone) {
      write();
      await setImmediate();
    }
    await packing;
    const copy = await restored(into);
    const counted = (kind: string) => rowsOf(copy.store, `SELECT 1 FROM meta WHERE key LIKE '${kind} %'`).length;
    const ones = counted('one');
    expect(counted('two')).toBe(ones);
    expect(ones).toBeGreaterThanOrEqual(begin);
    expect(ones).toBeLessThanOrEqual(written);
    // The one who writes did not wait for the thread.
    expect(written - begin).toBeGreaterThan(5);
    const states = rowsOf(copy.state, 'SELECT 1 FROM location').length;
    expect(states).toBeGreaterThanOrEqual(begin);
    expect(states).toBeLessThanOrEqual(ones);
    expect(checkStore(copy.store).faults).toEqual([]);
    expect(storeDamage(copy.store)).toBeUndefined();
  });

  it.each([
    ['there is no store', (_: StorePaths) => {}],
    [
      'it is none',
      ({ store }: StorePaths) => writeFileSync(store, 'no database, but text that is long enough'.repeat(99)),
    ],
    [
      'it is newer',
      ({ store }: StorePaths) => {
        openStore(store, { command: 'plan', nowMs }).close();
        const db = new Database(store);
        db.pragma('user_version = 999');
        db.close();
      },
    ],
    [
      'it is damaged',
      ({ store }: StorePaths) => {
        openStore(store, { command: 'plan', nowMs }).close();
        const bytes = readFileSync(store);
        bytes.fill(0xa5, 8192 * 2, bytes.length);
        writeFileSync(store, bytes);
      },
    ],
  ])('refuses with a StoreError where %s, and leaves nothing', async (_, prepare) => {
    const [folder, out] = [folders.make(), folders.make()];
    prepare(pathsIn(folder));
    const error = await refusal(packStore(pathsIn(folder), join(out, 'copy.zst'), noSignal));
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).hint).toBeDefined();
    expect(readdirSync(out)).toEqual([]);
  });

  it('leaves nothing if it is aborted, and removes the files of a killed process', async () => {
    const { paths } = openScene(5000);
    const out = folders.make();
    const into = join(out, 'copy.zst');
    const controller = new AbortController();
    const packing = packStore(paths, into, controller.signal);
    await setImmediate();
    controller.abort(new Error('It is enough'));
    await expect(packing).rejects.toThrow('It is enough');
    expect(readdirSync(out)).toEqual([]);
    for (const name of ['store', 'store-journal', 'state', 'packed'])
      writeFileSync(join(out, `.copy.zst.${name}`), 'half');
    await packStore(paths, into, noSignal);
    expect(readdirSync(out)).toEqual(['copy.zst']);
  });

  it.runIf(existsSync('/dev/full'))('says that the disk is full', async () => {
    const { paths } = openScene();
    const beside = join(folders.make(), 'copy');
    const files = { storeCopy: `${beside}.store`, stateCopy: `${beside}.state`, packed: '/dev/full' };
    expect(await packHere({ ...paths, ...files })).toMatchObject({
      fault: { message: expect.stringContaining('the disk is full'), hint: expect.stringContaining('Free some space') },
    });
  });

  it('says that a folder is missing', async () => {
    const { paths } = openScene();
    const error = await refusal(packStore(paths, join(folders.make(), 'none', 'copy.zst'), noSignal));
    expect(error).toBeInstanceOf(StoreError);
    expect((error as Error).message).toContain('its folder does not exist');
  });
});

describe('unpackStore()', () => {
  it('creates a store that no process holds and that records how long messages have been unconfirmed, with the job state next to it', async () => {
    const { store, state, paths } = openScene();
    const conversation = databaseOf(store).prepare<[], number>('SELECT min(id) FROM conversation').pluck().get()!;
    const lane = { conversation, receiverType: 'group' };
    const destination = addDestination(store);
    await deliver(destination, lane, [1, 2], 'imported');
    await deliver(destination, lane, [3], 'sent');
    databaseOf(store).exec('UPDATE attempt SET started_uptime = 77');
    state.db.exec(`INSERT INTO location VALUES ('job', 'key', '{"etag":1}')`);
    const into = join(folders.make(), 'copy.zst');
    await packStore(paths, into, noSignal);
    const copy = await restored(into);
    const uptimes = `SELECT b.state, a.started_uptime AS uptime FROM attempt a JOIN batch b ON b.id = a.batch ORDER BY b.id`;
    const stamps = rowsOf(copy.store, uptimes) as { state: string; uptime: number }[];
    expect(stamps.map(({ state }) => state)).toEqual(['closed', 'open']);
    expect([stamps[0]!.uptime, stamps[1]!.uptime < 0]).toEqual([77, true]);
    expect(rowsOf(copy.store, `SELECT 1 FROM meta WHERE key = 'openedAs'`)).toEqual([]);
    expect(rowsOf(copy.store, 'SELECT muid, payload FROM message')).toEqual(
      databaseOf(store).prepare('SELECT muid, payload FROM message').all(),
    );
    expect(rowsOf(copy.state, 'SELECT memory FROM location')).toEqual([{ memory: '{"etag":1}' }]);
    if (process.platform !== 'win32')
      for (const path of [copy.store, copy.state]) expect(statSync(path).mode & 0o777).toBe(0o600);
    openJobState(copy.state, nowMs).close();
    openStore(copy.store, { command: 'import', nowMs }).close();
    expect(readdirSync(join(copy.store, '..')).sort()).toEqual(['a.db', 'a.db.lock', 'state.db', 'state.db.lock']);
    expect(storeDamage(copy.store)).toBeUndefined();
  });

  it('removes the local state of the job if the copy has none, and every log', async () => {
    const folder = folders.make();
    const source = pathsIn(folders.make());
    openStore(source.store, { command: 'plan', nowMs }).close();
    const into = join(folder, 'copy.zst');
    await packStore(source, into, noSignal);
    const paths = pathsIn(folder);
    for (const path of [paths.store, paths.state])
      for (const ending of ['', '-wal', '-shm']) writeFileSync(path + ending, 'old');
    await unpackStore(into, paths);
    expect(readdirSync(folder).sort()).toEqual(['a.db', 'a.db.lock', 'copy.zst', 'state.db.lock']);
    expect(checkStore(paths.store).faults).toEqual([]);
  });

  it('replaces a store that was used', async () => {
    const { into, paths: source } = await packedScene();
    const paths = await restored(into);
    const used = openStore(paths.store, { command: 'import', nowMs });
    databaseOf(used).exec('DELETE FROM message');
    used.close();
    await unpackStore(into, paths);
    const ids = 'SELECT muid FROM message';
    expect(rowsOf(paths.store, ids)).toEqual(rowsOf(source.store, ids));
  });

  it('refuses while a process has the store, which stays as it is', async () => {
    const { into } = await packedScene();
    const { paths, folder, store } = openScene(3);
    const error = await refusal(unpackStore(into, paths));
    expect(error).toBeInstanceOf(StoreError);
    expect((error as Error).message).toContain('held by "chatferry import"');
    expect(databaseOf(store).prepare('SELECT count(*) FROM message').pluck().get()).toBe(3);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('rejects truncated bytes and flipped bits at any place, and leaves nothing', async () => {
    const { into } = await packedScene(300);
    const bytes = readFileSync(into);
    const folder = folders.make();
    const other = join(folder, 'damaged.zst');
    const broken = fc.oneof(
      fc.nat(bytes.length - 1).map((length) => bytes.subarray(0, length)),
      fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
        const changed = Buffer.from(bytes);
        changed[at]! ^= bits;
        return changed;
      }),
      fc.uint8Array({ minLength: 1, maxLength: 60 }).map((more) => Buffer.concat([bytes, more])),
    );
    await fc.assert(
      fc.asyncProperty(broken, async (changed) => {
        writeFileSync(other, changed);
        const error = await refusal(unpackStore(other, pathsIn(folder)));
        expect(error).toBeInstanceOf(StoreError);
        expect(readdirSync(folder)).toEqual(['damaged.zst']);
      }),
      {
        numRuns: isNightly ? 150 : 40,
        examples: [[bytes.subarray(0, 0)], [bytes.subarray(0, 40)], [bytes.subarray(-40)]],
      },
    );
  });

  it('rejects a complete file that is not a copy, and a copy of a newer version', async () => {
    const folder = folders.make();
    const made = (name: string, change: (db: Database.Database) => void) => {
      const db = new Database(join(folder, name));
      change(db);
      db.close();
      return join(folder, name);
    };
    const { into } = await packedScene();
    await unpackFile(into, join(folder, 'newer.db'));
    const cases = [
      [made('other.db', (db) => db.exec('CREATE TABLE a (b)')), 'no copy of a checkpoint store'],
      [made('newer.db', (db) => db.pragma('user_version = 999')), 'a newer version of Chatferry wrote it'],
    ] as const;
    for (const [path, words] of cases) {
      const packed = join(folder, 'copy.zst');
      await packFile(path, packed);
      const into = folders.make();
      const error = await refusal(unpackStore(packed, pathsIn(into)));
      expect(error).toBeInstanceOf(StoreError);
      expect((error as Error).message).toContain(words);
      expect(readdirSync(into)).toEqual([]);
    }
    expect(await refusal(unpackStore(join(folder, 'none'), pathsIn(folder)))).toBeInstanceOf(StoreError);
  });
});

describe('a restored copy', () => {
  it('is the store to every other command', async () => {
    const [folder, elsewhere] = [folders.make(), folders.make()];
    const env = { CHATFERRY_API_KEY: testKey };
    const sample = join(import.meta.dirname, '../../samples/slack/every-feature/export');
    for (const place of [folder, elsewhere])
      cpSync(sample, join(place, 'export'), { recursive: true, preserveTimestamps: true });
    const go = (place: string, ...args: string[]) => run(args, { folder: place, env });
    expect((await go(folder, 'import', 'export')).code).toBe(0);
    const into = join(elsewhere, 'copy.zst');
    await packStore({ store: join(folder, 'chatferry.db'), state: join(folder, 'none.db') }, into, noSignal);
    await unpackStore(into, { store: join(elsewhere, 'chatferry.db'), state: join(elsewhere, 'none.db') });
    expect(existsSync(join(elsewhere, 'none.db'))).toBe(false);
    for (const name of readdirSync(folder).filter((name) => name.includes('sandbox')))
      cpSync(join(folder, name), join(elsewhere, name));
    const store = openStoreToRead(join(elsewhere, 'chatferry.db'));
    const muid = databaseOf(store).prepare<[], string>('SELECT muid FROM message LIMIT 1').pluck().get()!;
    store.close();
    for (const args of [['status'], ['explain', muid], ['verify'], ['import', 'export']]) {
      const [here, there] = [await go(folder, ...args), await go(elsewhere, ...args)];
      expect([args, there.code]).toEqual([args, here.code]);
      if (args[0] === 'explain' || args[0] === 'status') expect(there.stdout).toBe(here.stdout);
    }
  });
});
