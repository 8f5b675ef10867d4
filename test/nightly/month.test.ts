import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStoreToRead } from '../../src/store/open.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { isAccountedFor } from '../../src/model/totals.ts';
import { readStatus } from '../../src/commands/check.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { isArchived } from '../month/archives.ts';
import { judge, readArrived } from '../month/judge.ts';
import { type JournalLine, liveMonth, worldsOf } from '../month/month.ts';
import type { World } from '../month/world.ts';
import { testSeed as seed } from '../seed.ts';
import { isReplay } from '../tier.ts';

/** An odd seed: a service that stores duplicates. A replay lives the month that failed alone. */
const killsMax = 20;
const home = temporaryFolder();

describe.each(isReplay ? [0] : [0, 1])('a month of sync, %i after the seed', (offset) => {
  it('ends with every message present once, in order, and every change sent; the quota is never exceeded', async ({
    task,
  }) => {
    const monthSeed = seed + offset;
    task.meta.seed = monthSeed;
    const folder = home.make();
    const journal = await liveMonth(folder, monthSeed, killsMax);
    const { old, archived, app } = worldsOf(monthSeed);

    expect(found(folder, 'old', old)).toEqual([]);
    expect(archived.messages.every(({ sentAtMs }) => isArchived(sentAtMs))).toBe(true);
    expect(found(folder, 'archived', archived)).toEqual([]);
    expect(found(folder, 'app', app)).toEqual([]);
    expect(requestsOverQuota(journal)).toEqual([]);
    expect(journal.filter(({ what }) => what === 'fault')).toEqual([]);
    expect(overlaps(journal)).toEqual([]);
    for (const job of ['old', 'archived', 'app']) {
      expect(journal.findLast(({ what, job: name }) => what === 'end' && name === job)).toMatchObject({
        exit: 0,
        stopped: null,
      });
    }
    const kills = journal.filter(({ what }) => what === 'kill').length;
    const runs = journal.filter(({ what }) => what === 'begin').length;
    const requests = journal.filter(({ what }) => what === 'request').length;
    const messages = old.messages.length + archived.messages.length + app.messages.length;
    task.meta.figures = { runs, kills, requests, messages };
  });
});

/** Returns the complaints about one job, in sentences. */
function found(folder: string, job: string, world: World): string[] {
  const path = join(folder, `chatferry-${job}.db`);
  const store = openStoreToRead(path);
  const late = new Set(store.failures.lateMessages());
  store.close();
  const { totals } = readStatus({ store: path, clock: systemClock }, 'status');
  const complaints = judge(world, readArrived(join(folder, 'service.db'), world), late);
  if (!isAccountedFor(totals)) complaints.push(`the totals do not add up: ${JSON.stringify(totals)}`);
  if (totals.pending + totals.unconfirmed + totals.invalid + totals.failed > 0)
    complaints.push(`left: ${JSON.stringify(totals)}`);
  return complaints;
}

const isImport = ({ what, path }: JournalLine) => what === 'request' && path === '/v3/data_import/messages';

/** Import requests that the service refused for their number, and minutes with more of them than it allows. */
function requestsOverQuota(journal: readonly JournalLine[]): string[] {
  const imports = journal.filter(isImport);
  const refused = imports.filter(({ answer }) => answer?.startsWith('429')).map(({ atMs }) => `429 at ${atMs}`);
  const crowded = imports.flatMap(({ atMs }, index) => {
    const sixtyFirst = imports[index + 60];
    return sixtyFirst && sixtyFirst.atMs - atMs < 60_000 ? [`61 requests within a minute at ${atMs}`] : [];
  });
  return [...refused, ...crowded];
}

/** Runs of a job that began before the one before had ended, and was not killed. */
function overlaps(journal: readonly JournalLine[]): string[] {
  const running = new Set<string>();
  const complaints: string[] = [];
  for (const { what, job = '', number } of journal) {
    if (what === 'kill') running.clear();
    if (what === 'end') running.delete(job);
    if (what === 'begin' && running.has(job)) complaints.push(`${job} ${number} overlaps`);
    if (what === 'begin') running.add(job);
  }
  return complaints;
}
