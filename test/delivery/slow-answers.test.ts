import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import type { Progress } from '../../src/lib/flow/progress.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import type { Transport } from '../../src/service/transport.ts';
import { apiKey, check, copyStore, send } from '../scenes/bench.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { plannedStore } from './altering-service.ts';

const home = temporaryFolderInMemory();

let template: string;
beforeAll(async () => {
  ({ store: template } = await plannedStore([30, 30]));
});

/** A virtual clock that calls back. */
class AlarmClock extends VirtualClock {
  alarm(ms: number, call: () => void): () => void {
    const cancelled = new AbortController();
    void this.sleep(ms, cancelled.signal).then(call, () => {});
    return () => cancelled.abort(new Error('cancelled'));
  }
}

interface Said {
  readonly atMs: number;
  readonly untilMs: number;
  readonly waiting: string | undefined;
}

/** Records the waits of a run that a user sees, by the clock. */
function watch(clock: VirtualClock) {
  const startMs = clock.monotonic();
  const said: Said[] = [];
  const say = (waiting?: string, waitMs = 0) => {
    const atMs = clock.monotonic() - startMs;
    said.push({ atMs, untilMs: atMs + waitMs, waiting });
  };
  const progress: Progress = {
    stage() {
      say();
      return { update: ({ waiting, waitMs }) => say(waiting, waitMs), finish: () => say() };
    },
  };
  /** The longest time in which nothing is said and nothing that was said goes on, in ms. */
  const longestSilence = () => {
    let longest = 0;
    let knownUntil = 0;
    for (const { atMs, untilMs } of [...said, { atMs: clock.monotonic() - startMs, untilMs: 0 }]) {
      longest = Math.max(longest, atMs - knownUntil);
      knownUntil = Math.max(atMs, untilMs);
    }
    return Math.floor(longest);
  };
  return { progress, said, longestSilence, tookMs: () => Math.floor(clock.monotonic() - startMs) };
}

/** A sandbox behind a transport of which some requests end at their deadline, after 90 s, without an answer. */
function open(isSlow: (method: string) => boolean) {
  const folder = home.make();
  const clock = new AlarmClock();
  const opened = openSandboxStore(join(folder, 'server.db'), { synchronous: 'NORMAL' });
  const sandbox = createSandbox({ store: opened, apiKey, clock, profile: 'spec', duplicates: 'refused' });
  const state = { isSlow };
  const transport: Transport = {
    async send(request, signal) {
      if (!state.isSlow(request.method)) return clock.busy(() => sandbox.handle(request));
      await clock.sleep(90_000, signal);
      throw Object.assign(new Error('No complete answer within 90000 ms'), { code: 'timeout' });
    },
    async close() {},
  };
  onTestFinished(() => {
    clock.stop();
    sandbox.close();
  });
  const bench = { store: copyStore(template, folder), transport, clock, random: seededRandom(1) };
  return { ...bench, state, clock };
}

describe('a destination that lists very slowly', () => {
  it('is waited for aloud, until the deadline that was shown', async () => {
    const bench = open(() => false);
    await send(bench);
    bench.state.isSlow = () => true;
    const { progress, said, longestSilence, tookMs } = watch(bench.clock);
    await expect(check({ ...bench, progress })).rejects.toThrow('Cannot read messages of the destination: timeout');
    expect(longestSilence()).toBeLessThanOrEqual(10_000);
    const first = said.find(({ waiting }) => waiting !== undefined)!;
    expect(first).toMatchObject({
      atMs: 10_000,
      waiting: 'no answer to a listing yet (attempt 1 of 6; gives up then)',
    });
    expect(tookMs()).toBeLessThanOrEqual(first.untilMs);
    expect(tookMs()).toBeGreaterThan(first.untilMs - 15_500);
    expect(said.findLast(({ waiting }) => waiting !== undefined)!.waiting).toContain('attempt 6 of 6');
  });

  it('is not said to be waited for any more once it has answered', async () => {
    const bench = open(() => false);
    await send(bench);
    let reads = 0;
    bench.state.isSlow = () => ++reads === 1;
    const { progress, said } = watch(bench.clock);
    expect(await check({ ...bench, progress })).toMatchObject({ same: 60, missing: 0 });
    expect(said.filter(({ waiting }) => waiting !== undefined).map(({ waiting }) => waiting)).toEqual([
      'no answer to a listing yet (attempt 1 of 6; gives up then)',
      expect.stringContaining('timeout: No complete answer within 90000 ms (attempt 1 of 6'),
    ]);
    expect(said.at(-1)!.waiting).toBeUndefined();
  });
});

describe('a destination that answers reads and no import', () => {
  it('is waited for aloud, and stops the run, which may be continued', async () => {
    const bench = open((method) => method === 'POST');
    const { progress, said, longestSilence } = watch(bench.clock);
    const { stopped, report } = await send({ ...bench, progress });
    expect(stopped?.message).toContain('Stopped: the destination answers no import any more: timeout');
    expect(report.totals).toMatchObject({ imported: 0, failed: 0, pending: 60, unconfirmed: 0 });
    expect(said.map(({ waiting }) => waiting)).toContain('no answer to an import yet');
    expect(longestSilence()).toBeLessThanOrEqual(10_000);
    bench.state.isSlow = () => false;
    expect((await send(bench)).report.totals).toMatchObject({ imported: 60, pending: 0 });
  });
});
