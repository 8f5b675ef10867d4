import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLaneClaims } from '../../src/store/destinations.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { manualClock } from '../delivery/manual-clock.ts';

const home = temporaryFolder();

/** Stores that share a database, and who of them has a process. */
function stores() {
  const path = join(home.make(), 'pace.db');
  const clock = manualClock();
  const atWork = new Set(['a', 'b']);
  const claims = (owner: string) =>
    openLaneClaims({
      ...{ path, address: 'https://chat.example', owner, clock, graceShortMs: 10_000, graceLongMs: 120_000 },
      isAtWork: (other) => atWork.has(other),
    });
  return { claims, clock, atWork };
}

describe('openLaneClaims()', () => {
  it('gives a conversation to one store at a time, and to the next one once the sent messages are visible', async () => {
    const { claims, clock } = stores();
    const [a, b] = [claims('a'), claims('b')];
    expect([a.take('harbour'), b.take('harbour'), b.take('pier'), a.take('harbour')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    a.release('harbour');
    expect(b.take('harbour')).toBe(false);
    await clock.advance(10_000);
    expect([b.take('harbour'), a.take('harbour')]).toEqual([true, false]);
    a.close();
    b.close();
  });

  it('gives conversations of a killed process to another store once none of its requests can arrive any more, and to its own store immediately', async () => {
    const { claims, clock, atWork } = stores();
    const [a, b] = [claims('a'), claims('b')];
    a.take('harbour');
    a.take('pier');
    atWork.delete('a');
    expect([b.take('harbour'), claims('a').take('pier')]).toEqual([false, true]);
    await clock.advance(119_999);
    expect(b.take('harbour')).toBe(false);
    await clock.advance(1);
    expect(b.take('harbour')).toBe(true);
  });

  it('waits after a run that was stopped as after a kill', async () => {
    const { claims, clock } = stores();
    const [a, b] = [claims('a'), claims('b')];
    a.take('harbour');
    a.close();
    await clock.advance(10_000);
    expect(b.take('harbour')).toBe(false);
    await clock.advance(110_000);
    expect(b.take('harbour')).toBe(true);
  });

  it('does not prolong a wait if the clock is set back', async () => {
    const { claims, clock } = stores();
    const [a, b] = [claims('a'), claims('b')];
    a.take('harbour');
    a.release('harbour');
    clock.jump(-10 * 365 * 86_400_000);
    expect(b.take('harbour')).toBe(false);
    await clock.advance(120_000);
    expect(b.take('harbour')).toBe(true);
  });
});
