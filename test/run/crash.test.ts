import { setTimeout as wait } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStoreToRead } from '../../src/checkpoint/store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Books } from '../../src/model/books.ts';
import { readStatus } from '../../src/run/session.ts';
import { type Ended, run, runJson, serveSandbox, start, testKey } from '../cli/process.ts';
import { makeExport, seeded } from './make-export.ts';
import { byName, sandboxContents } from './sandbox-contents.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Real processes, killed at random moments. A failure prints the seed; `CHATFERRY_TEST_SEED` runs it again.
 * Which instant a kill meets depends on the machine as well, so the seed gives the same schedule, not the same instants.
 */
const seed = Number(process.env.CHATFERRY_TEST_SEED ?? Date.now() % 1_000_000);
const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

interface Victim {
  readonly folder: string;
  readonly args: readonly string[];
  readonly random: () => number;
  readonly killsMax: number;
  /** A kill comes up to so many ms after the words, in the log of the process, that begin the stage. */
  readonly after: string;
  readonly withinMs: number;
}

/** Runs the same command until it ends by itself, killing it `killsMax` times; the books are added up after each kill. */
async function runWithKills({
  folder,
  args,
  random,
  killsMax,
  after,
  withinMs,
}: Victim): Promise<Ended & { kills: number }> {
  const command = ['import', ...args, '--log-json', '--json'];
  for (let kills = 0; kills < killsMax; kills++) {
    const { child, line, ended } = start(command, { folder, env });
    if ((await line(after)) !== undefined) {
      await Promise.race([wait(Math.floor(random() ** 2 * withinMs)), ended]);
      child.kill('SIGKILL');
    }
    const end = await ended;
    expect(booksOf(folder), `seed ${seed}, after ${kills} kills`).toSatisfy(isBalanced);
    if (end.signal !== 'SIGKILL') return { ...end, kills };
  }
  return { ...(await run(command, { folder, env })), kills: killsMax };
}

function booksOf(folder: string): Books | undefined {
  const store = join(folder, 'chatferry.db');
  if (!existsSync(store) || !isMigrated(store)) return undefined;
  return readStatus({ store, clock: systemClock }, 'status').books;
}

/** A kill may come before the store has its tables. */
function isMigrated(path: string): boolean {
  try {
    openStoreToRead(path).close();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('an older version of Chatferry')) return false;
    throw error;
  }
}

const isBalanced = (books: Books | undefined) =>
  !books ||
  (books.read === books.planned + books.skipped + books.rejected &&
    books.planned === books.imported + books.present + books.refused + books.pending + books.inDoubt);

describe('an import that is killed again and again', () => {
  it.concurrent.each([
    ['refuses', 'refused'],
    ['stores', 'stored'],
  ])('arrives whole, once and in order at a server that %s what it already has', async (_, duplicates) => {
    const folder = home.make();
    const random = seeded(seed);
    const made = makeExport(join(folder, 'export'), { seed, messages: 1500 });
    const server = await serveSandbox(folder, { duplicates });
    const args = ['export', '--to', server.url, '--yes', '--grace', '1s', '--batch-items', '3', '--rate', '3000'];
    const end = await runWithKills({
      folder,
      args: [...args, '--concurrency', '4'],
      random,
      killsMax: 20,
      after: '"stage":"Sending"',
      withinMs: 1500,
    });

    expect(end, `seed ${seed}`).toMatchObject({ code: 0 });
    expect(end.kills, `seed ${seed}`).toBeGreaterThan(10);
    const { read, skipped, planned } = made;
    const verified = await runJson(['verify'], { folder, env });
    expect(verified.json, `seed ${seed}`).toMatchObject({
      ...{ read, skipped, planned, rejected: 0, refused: 0, pending: 0, inDoubt: 0 },
      verify: { same: planned, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 },
      exit: 0,
    });
    expect(verified.json.imported + verified.json.present).toBe(planned);
    await server.stop();
    expect(byName(sandboxContents(server.data)), `seed ${seed}`).toEqual(byName(made.conversations));
  });

  it.concurrent('arrives whole, once and in order in the embedded sandbox', async () => {
    const folder = home.make();
    const made = makeExport(join(folder, 'export'), { seed, messages: 1500 });
    const end = await runWithKills({
      folder,
      args: ['export', '--to', 'sandbox', '--batch-items', '2'],
      random: seeded(seed + 1),
      killsMax: 10,
      after: '"stage":"Sending"',
      withinMs: 250,
    });
    expect(end, `seed ${seed}`).toMatchObject({ code: 0 });
    expect(byName(sandboxContents(join(folder, 'chatferry.sandbox.db'))), `seed ${seed}`).toEqual(
      byName(made.conversations),
    );
  });

  it.concurrent('is planned whole after kills while it was read', async () => {
    const folder = home.make();
    const made = makeExport(join(folder, 'export'), { seed, messages: 24_000, channels: 60, days: 20 });
    const random = seeded(seed + 2);
    const end = await runWithKills({
      folder,
      args: ['export', '--to', 'sandbox'],
      random,
      killsMax: 10,
      after: '"stage":"Reading"',
      withinMs: 600,
    });
    expect(end, `seed ${seed}`).toMatchObject({ code: 0 });
    expect(booksOf(folder), `seed ${seed}`).toMatchObject({
      read: made.read,
      skipped: made.skipped,
      imported: made.planned,
    });
    expect(byName(sandboxContents(join(folder, 'chatferry.sandbox.db'))), `seed ${seed}`).toEqual(
      byName(made.conversations),
    );
  });
});
