import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runJson, serveSandbox, testKey } from '../cli/process.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const minuteMs = 60_000;

/** When each import request left, by the clock of the machine. */
function departures(store: string): number[] {
  const db = new Database(store, { readonly: true });
  const times = db.prepare('SELECT started_at FROM attempt ORDER BY started_at').pluck().all() as number[];
  db.close();
  return times;
}

/** Requests in each minute of the clock that was used from its beginning to its end. */
function fullMinutes(times: readonly number[]): number[] {
  const counts = Map.groupBy(times, (time) => Math.floor(time / minuteMs));
  return [...counts.values()].slice(1, -1).map(({ length }) => length);
}

/** Four channels, with messages of yesterday: the hosted service takes none that are older than half a year. */
function recentExport(messageCount: number): Record<string, unknown> {
  const yesterday = Math.floor(Date.now() / 1000) - 86_400;
  const day = new Date(yesterday * 1000).toISOString().slice(0, 10);
  const channels = ['a', 'b', 'c', 'd'].map((name, index) => ({ id: `C0000000${index}`, name, members: [userId(1)] }));
  const rows = channels.map(({ name }, channel) => {
    const count = Math.ceil((messageCount - channel) / channels.length);
    const made = Array.from({ length: count }, (_, index) =>
      message(`${yesterday + index}.00010${channel}`, userId(1), `${name} ${index}`),
    );
    return [`${name}/${day}.json`, made];
  });
  return { 'users.json': [user(userId(1))], 'channels.json': channels, ...Object.fromEntries(rows) };
}

describe('an import at the rate of the hosted service, with the clocks of this machine', () => {
  it('receives no 429 and sends at most the quota of each minute, for four minutes', async ({ task }) => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), recentExport(1300));
    const { url, stop } = await serveSandbox(folder, { profile: 'hosted' });
    const options = ['--profile', 'hosted', '--batch-items', '5', '--yes', '--no-verify'];
    const { json } = await runJson(['import', 'export', '--to', url, ...options], {
      folder,
      env: { CHATFERRY_API_KEY: testKey },
    });
    await stop();
    const minutes = fullMinutes(departures(join(folder, 'chatferry.db')));
    // On a busy machine a minute has fewer: test/delivery/windows.test.ts shows with a clock of its own that none is left unused.
    task.meta.figures = { 'requests in each full minute, of 60': minutes.join(' ') };
    expect(json).toMatchObject({ planned: 1300, imported: 1300, requests: { rateLimited: 0 } });
    expect(minutes.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...minutes)).toBeLessThanOrEqual(60);
  });
});
