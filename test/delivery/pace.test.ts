import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Pace, type RequestKind, sharedPace, unpaced } from '../../src/delivery/pace.ts';
import { type ManualClock, manualClock, settled } from './manual-clock.ts';

const forever = new AbortController().signal;
const minuteMs = 60_000;

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-pace-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'pace.db');
}

interface Opened {
  readonly pace: Pace;
  readonly waits: number[];
}

function open(
  path: string,
  clock: ManualClock,
  perMinute: Partial<Record<RequestKind, number>>,
  address = 'a',
): Opened {
  const waits: number[] = [];
  const pace = sharedPace({ path, address, perMinute, clock, onWait: (ms) => waits.push(ms) });
  onTestFinished(() => pace.close());
  return { pace, waits };
}

/** When each of so many requests leaves, in ms from now. */
function departures(clock: ManualClock, paces: readonly Pace[], count: number, kind: RequestKind = 'import'): number[] {
  const start = clock.monotonic();
  const left: number[] = [];
  for (let index = 0; index < count; index++) {
    void paces[index % paces.length]!.take(kind, forever).then(() => left.push(clock.monotonic() - start));
  }
  return left;
}

describe('sharedPace()', () => {
  it('assigns evenly spaced slots, the first immediately', async () => {
    const clock = manualClock();
    const { pace, waits } = open(newFile(), clock, { import: 60 });
    const left = departures(clock, [pace], 5);
    await clock.advance(minuteMs);
    expect(left).toEqual([0, 1010, 2020, 3030, 4040]);
    expect(waits).toEqual([2020, 3030, 4040]);
  });

  it('saves nothing up: after a pause there is no burst', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, { import: 60 });
    await pace.take('import', forever);
    await clock.advance(10 * minuteMs);
    const left = departures(clock, [pace], 3);
    await clock.advance(minuteMs);
    expect(left).toEqual([0, 1010, 2020]);
  });

  it('shares one quota among all that use the file', async () => {
    const clock = manualClock();
    const path = newFile();
    const paces = [open(path, clock, { import: 60 }).pace, open(path, clock, { import: 60 }).pace];
    const left = departures(clock, paces, 6);
    await clock.advance(minuteMs);
    expect(left).toEqual([0, 1010, 2020, 3030, 4040, 5050]);
  });

  it('keeps destinations and kinds of requests apart', async () => {
    const clock = manualClock();
    const path = newFile();
    const { pace } = open(path, clock, { import: 1, read: 1 });
    const other = open(path, clock, { import: 1 }, 'b').pace;
    await pace.take('import', forever);
    await pace.take('read', forever);
    await other.take('import', forever);
    expect(clock.slept).toEqual([]);
  });

  it('remembers used slots when it is opened again', async () => {
    const clock = manualClock();
    const path = newFile();
    const first = sharedPace({ path, address: 'a', perMinute: { import: 6 }, clock, onWait() {} });
    await first.take('import', forever);
    first.close();
    const left = departures(clock, [open(path, clock, { import: 6 }).pace], 2);
    await clock.advance(minuteMs);
    expect(left).toEqual([10_100, 20_200]);
  });

  it('has no rate where none is given', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, {});
    const left = departures(clock, [pace], 100);
    await settled();
    expect(left).toHaveLength(100);
  });

  it('stops waiting with the signal', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, { import: 1 });
    const stop = new AbortController();
    await pace.take('import', stop.signal);
    const waiting = pace.take('import', stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});

describe('hold()', () => {
  it('is silence for this kind of request only', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, { import: 60, read: 60 });
    pace.hold('import', 30_000);
    await pace.take('read', forever);
    const left = departures(clock, [pace], 2);
    await clock.advance(minuteMs);
    expect(left).toEqual([30_000, 31_010]);
  });

  it('is obeyed by other processes, after a restart and without a rate', async () => {
    const clock = manualClock();
    const path = newFile();
    const first = sharedPace({ path, address: 'a', perMinute: {}, clock, onWait() {} });
    first.hold('import', 30_000);
    first.close();
    const left = departures(clock, [open(path, clock, {}).pace], 1);
    await clock.advance(29_999);
    expect(left).toEqual([]);
    await clock.advance(1);
    expect(left).toEqual([30_000]);
  });

  it('delays requests that already wait for their slots, and spaces them again', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, { import: 60 });
    const left = departures(clock, [pace], 4);
    await clock.advance(500);
    pace.hold('import', 30_000);
    await clock.advance(2 * minuteMs);
    expect(left).toEqual([0, 30_500, 31_510, 32_520]);
  });

  it('never shortens a longer one', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, {});
    pace.hold('import', 30_000);
    pace.hold('import', 1000);
    const left = departures(clock, [pace], 1);
    await clock.advance(minuteMs);
    expect(left).toEqual([30_000]);
  });
});

describe('a hold that is too long', () => {
  it('stops all senders, even after a restart', async () => {
    const clock = manualClock();
    const path = newFile();
    const first = sharedPace({ path, address: 'http://a', perMinute: {}, clock, onWait() {} });
    first.hold('import', 24 * 60 * minuteMs);
    first.close();
    const { pace } = open(path, clock, {}, 'http://a');
    await expect(pace.take('import', forever)).rejects.toThrow(
      'http://a has asked for silence for another 1440 minutes',
    );
  });
});

describe('learn()', () => {
  it('takes the limit of the service where none is configured', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, {});
    await pace.take('import', forever);
    pace.learn('import', { limitPerMinute: 60, remaining: 59 });
    const left = departures(clock, [pace], 3);
    await clock.advance(minuteMs);
    expect(left).toEqual([1010, 2020, 3030]);
  });

  it('counts requests sent before the limit was known as evenly spaced', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, {});
    pace.learn('import', { limitPerMinute: 60, remaining: 52 });
    const left = departures(clock, [pace], 2);
    await clock.advance(minuteMs);
    expect(left).toEqual([8080, 9090]);
  });

  it('remembers the limit when it is opened again', async () => {
    const clock = manualClock();
    const path = newFile();
    const first = sharedPace({ path, address: 'a', perMinute: {}, clock, onWait() {} });
    first.learn('import', { limitPerMinute: 60, remaining: 59 });
    first.close();
    const left = departures(clock, [open(path, clock, {}).pace], 2);
    await clock.advance(minuteMs);
    expect(left).toEqual([1010, 2020]);
  });

  it('leaves a configured rate as it is', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, { import: 60 });
    pace.learn('import', { limitPerMinute: 6000 });
    const left = departures(clock, [pace], 2);
    await clock.advance(minuteMs);
    expect(left).toEqual([0, 1010]);
  });

  it('waits for the reset when nothing is left of the window', async () => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, {});
    pace.learn('import', { remaining: 3, resetInMs: 9000 });
    pace.learn('import', { remaining: 0 });
    await pace.take('import', forever);
    pace.learn('import', { remaining: 0, resetInMs: 9000 });
    const left = departures(clock, [pace], 1);
    await clock.advance(minuteMs);
    expect(left).toEqual([9000]);
  });
});

describe('a wall clock that jumps', () => {
  const dayMs = 24 * 60 * minuteMs;

  it.each([dayMs, -dayMs, 1_800_000, -1_800_000])(
    'by %i ms causes neither a burst nor a stall: requested waits are kept',
    async (jumpMs) => {
      const clock = manualClock();
      const { pace } = open(newFile(), clock, { import: 60 });
      const left = departures(clock, [pace], 3);
      await clock.advance(500);
      clock.jump(jumpMs);
      const later = departures(clock, [pace], 2);
      await clock.advance(minuteMs);
      const all = [...left, ...later.map((at) => at + 500)];
      const gaps = all.slice(1).map((at, index) => at - all[index]!);
      expect(Math.min(...gaps)).toBe(1010);
      // The remaining slots are known from the time of the last slot: 500 ms before the jump.
      expect(Math.max(...gaps)).toBeLessThanOrEqual(1510);
    },
  );

  it.each([dayMs, -dayMs])('by %i ms leaves a hold as long as it was', async (jumpMs) => {
    const clock = manualClock();
    const { pace } = open(newFile(), clock, {});
    pace.hold('import', 30_000);
    clock.jump(jumpMs);
    const left = departures(clock, [pace], 1);
    await clock.advance(minuteMs);
    expect(left).toEqual([30_000]);
  });

  it('backwards between two runs keeps the remaining wait, and does not wait for the earlier time to return', async () => {
    const clock = manualClock();
    const path = newFile();
    const first = sharedPace({ path, address: 'a', perMinute: { import: 6 }, clock, onWait() {} });
    await first.take('import', forever);
    first.close();
    clock.jump(-1_800_000);
    const left = departures(clock, [open(path, clock, { import: 6 }).pace], 2);
    await clock.advance(minuteMs);
    expect(left).toEqual([10_100, 20_200]);
  });
});

describe('unpaced', () => {
  it('never waits', async () => {
    unpaced.hold('import', 1e9);
    await unpaced.take('import', forever);
  });
});
