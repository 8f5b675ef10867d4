import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { run, serveSandbox, testKey } from '../cli/in-process.ts';
import { start } from '../cli/process.ts';
import { damagedRows } from '../cli/samples.ts';
import { effectsIn, sceneEffects, sceneRecords } from '../scenes/actions-scene.ts';
import { countRequests, killable, killAt } from '../scenes/killed.ts';
import { makeExport } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

/** Spread over all its requests. */
const instantsOf = (count: number): number[] => [
  ...new Set(Array.from({ length: 10 }, (_, index) => 1 + Math.floor((index * count) / 10))),
];

describe('a command that is killed at ten instants, said again,', () => {
  const cases = Object.keys(killable).flatMap((name) =>
    (['before', 'after'] as const).map((when) => [name, when] as const),
  );

  it.each(cases)(
    'continues: %s, killed %s a request is applied, duplicates alternately stored and refused',
    async (name, when) => {
      const command = killable[name]!;
      const instants = instantsOf(await countRequests(home.make(), command));
      expect(instants.length).toBeGreaterThan(3);
      for (const [index, request] of instants.entries()) {
        // If duplicates are stored for a kill before a request is applied, they are refused for the same request after
        // it.
        const isStored = (index % 2 === 0) === (when === 'before');
        await killAt(home.make(), command, { request, when, duplicates: isStored ? 'stored' : 'refused' });
      }
    },
  );
});

const env = { CHATFERRY_API_KEY: testKey };

/** A process that writes files or the store, and how to see that it did all of it. */
interface FileCommand {
  /**
   * Prepares a folder so that the command has work to do.
   * @returns Its words.
   */
  readonly prepare: (folder: string) => Promise<readonly string[]>;
  /** Returns its output, for comparison with that of a command that was not killed. */
  readonly made: (folder: string) => unknown;
}

const text = (name: string) => (folder: string) => readFileSync(join(folder, name), 'utf8');

/** Each message of a fetched file, sorted: every service lists in the order in which it was sent to. */
const muidsIn = (name: string) => (folder: string) =>
  [...text(name)(folder).matchAll(/"muid":"(\w+)"/g)].map(([, muid]) => muid).sort();

/** An answer of a database in the folder. */
const answer = (name: string, ask: (db: Database.Database) => unknown) => (folder: string) => {
  const db = new Database(join(folder, name), { readonly: true });
  try {
    return ask(db);
  } finally {
    db.close();
  }
};

const exported = (folder: string, messages = 400) =>
  makeExport(join(folder, 'export'), { seed: 3, messages, people: 6, channels: 6 });

const fileCommands: Readonly<Record<string, FileCommand>> = {
  convert: {
    async prepare(folder) {
      exported(folder, 20_000);
      return ['convert', 'export', '--out', 'out.ndjson'];
    },
    made: text('out.ndjson'),
  },
  'export-failed': {
    async prepare(folder) {
      await run(['import', damagedRows], { folder });
      return ['export-failed', '--out', 'out.ndjson'];
    },
    made: text('out.ndjson'),
  },
  purge: {
    async prepare(folder) {
      exported(folder, 3_000);
      await run(['import', 'export'], { folder });
      return ['purge', '--yes'];
    },
    made: answer('chatferry.db', (db) => db.prepare('SELECT count(payload), count(*) FROM message').raw().get()),
  },
  fetch: {
    async prepare(folder) {
      exported(folder);
      const { url } = await serveSandbox(folder);
      await run(['import', 'export', '--to', url, '--yes'], { folder, env });
      return ['fetch', '--from', url, '--out', 'out.ndjson', '--page-size', '10'];
    },
    made: muidsIn('out.ndjson'),
  },
  'import --actions': {
    async prepare(folder) {
      writeRecords(join(folder, 'export.ndjson'), sceneRecords);
      const { url } = await serveSandbox(folder);
      const actions = 'friends,reactions,blocks,deactivations';
      return ['import', 'export.ndjson', '--actions', actions, '--to', url, '--yes', '--grace-period', '0s'];
    },
    made: answer('server.db', (db) => {
      expect(effectsIn(db)).toEqual(sceneEffects);
      return sceneEffects;
    }),
  },
};

describe('a process that is killed at ten instants, started again,', () => {
  it.each(Object.entries(fileCommands))('goes on: %s', async (_, { prepare, made }) => {
    const undisturbed = home.make();
    const args = await prepare(undisturbed);
    const began = performance.now();
    expect([0, 3]).toContain((await start(args, { folder: undisturbed, env }).ended).code);
    const lengthMs = performance.now() - began;
    const expected = made(undisturbed);
    for (let instant = 0; instant < 10; instant++) {
      const folder = home.make();
      const words = await prepare(folder);
      const { child, ended } = start(words, { folder, env });
      await Promise.race([wait((lengthMs * (instant + 0.5)) / 10), ended]);
      child.kill('SIGKILL');
      await ended;
      const { code, stderr } = await run(words, { folder, env });
      expect([0, 3], `instant ${instant}: ${stderr}`).toContain(code);
      expect(made(folder), `instant ${instant}`).toEqual(expected);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
