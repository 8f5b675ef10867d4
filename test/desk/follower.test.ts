import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { HeldStore } from '../../src/desk/engine/held-store.ts';
import { Follower, type FollowerOptions } from '../../src/desk/runs/follower.ts';

const held: HeldStore = {
  ...{ pid: 812, host: hostname(), command: 'import', sinceMs: 500, destination: 'app 0123 (eu)' },
  ...{ done: 20, total: 26 },
};

/** A follower that sees what the test says. */
function scene(first: HeldStore | null = held) {
  let [found, nowMs, looks, tookMs, changes] = [first, 10_000, 0, 0, 0];
  const interrupted: number[] = [];
  let own: ReturnType<FollowerOptions['ownRun']> = null;
  let during = () => {};
  const follower = new Follower({
    async look() {
      looks++;
      during();
      return { held: found, tookMs };
    },
    ownRun: () => own,
    clock: { now: () => nowMs },
    interrupt: (pid) => interrupted.push(pid),
    onChange: () => changes++,
    onFault: (fault) => {
      throw fault;
    },
  });
  const check = async (laterMs: number, now: HeldStore | null = held, takesMs = 0) => {
    nowMs += laterMs;
    [found, tookMs] = [now, takesMs];
    follower.check();
    await new Promise((resolve) => setImmediate(resolve));
    return looks;
  };
  /** What this desk runs itself, from the middle of the next look on. */
  const runsOwn = (run: typeof own) => {
    during = () => {
      own = run;
    };
  };
  const ends = () => {
    found = null;
  };
  return { follower, interrupted, check, runsOwn, ends, changes: () => changes };
}

describe('a Follower', () => {
  it('shows what another process does with the store, until it has ended', async () => {
    const { follower, check, changes } = scene();
    expect(follower.run).toBeNull();
    await check(0);
    expect(follower.run).toMatchObject({
      ...{ kind: 'import', command: 'import', destination: 'app 0123 (eu)', startedAtMs: 500, endedAtMs: null },
      ...{ isOurs: false, stages: [{ done: 20, total: 26 }] },
    });
    await check(5_000, null);
    expect([follower.run, changes()]).toEqual([null, 2]);
  });

  it('takes no run of its own desk for that of another, also if it has ended by now', async () => {
    const { follower, check, runsOwn } = scene();
    runsOwn({ startedAtMs: 10_500, endedAtMs: null });
    await check(0);
    expect(follower.run).toBeNull();
    runsOwn({ startedAtMs: 11_500, endedAtMs: 11_600 });
    await check(2_000);
    expect(follower.run).toBeNull();
    await check(2_000);
    expect(follower.run).toMatchObject({ isOurs: false });
  });

  it('looks again before it says that the store is held', async () => {
    const { follower, check, ends } = scene();
    expect(await follower.isHeld()).toBe(false);
    await check(0);
    expect(await follower.isHeld()).toBe(true);
    ends();
    expect([await follower.isHeld(), follower.run]).toEqual([false, null]);
  });

  it('looks every second at most, and less often where a look takes long', async () => {
    const { check } = scene();
    expect([await check(0), await check(999), await check(1), await check(1_000, held, 1_000)]).toEqual([1, 1, 2, 3]);
    expect([await check(8_999), await check(1)]).toEqual([3, 4]);
  });

  it('asks the process to stop, once, and the next one again', async () => {
    const { follower, interrupted, check } = scene();
    await check(0);
    follower.stop();
    expect(follower.stop()).toMatchObject({ isStopping: true });
    expect(interrupted).toEqual([812]);
    await check(2_000, { ...held, pid: 813 });
    expect(follower.run).toMatchObject({ isStopping: false });
    follower.stop();
    expect(interrupted).toEqual([812, 813]);
  });

  it.each([
    ['of another machine', { host: 'elsewhere' }],
    ['of a command that has to go on', { command: 'media copy' }],
  ])('does not stop a process %s', async (_, other) => {
    const { follower, interrupted, check } = scene();
    await check(0, { ...held, ...other });
    expect([follower.stop()?.canStop, interrupted]).toEqual([false, []]);
  });
});
