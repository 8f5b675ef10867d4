import { describe, expect, it } from 'vitest';
import type { LeaseProgress } from '../../src/fleet/database/units.ts';
import { toldProgress } from '../../src/fleet/lease/lease-process.ts';
import { noTotals } from '../../src/model/totals.ts';
import { manualClock } from '../delivery/manual-clock.ts';

const totals = { ...noTotals(), planned: 100, imported: 40, existing: 5, failed: 3, pending: 50, unconfirmed: 2 };

function telling() {
  const clock = manualClock();
  const told: LeaseProgress[] = [];
  let counted = 0;
  const progress = toldProgress({
    clock,
    tell: (at) => void told.push(at),
    totals() {
      counted++;
      return totals;
    },
  });
  return { clock, told, progress, counts: () => counted };
}

describe('toldProgress()', () => {
  it('counts the messages of the store once sending begins, and adds settled ones', async () => {
    const { clock, told, progress, counts } = telling();
    progress.stage('Reading').update({ done: 100 });
    expect(counts()).toBe(0);
    expect(told.at(-1)).toEqual({ stage: 'Reading', done: 0 });
    const stage = progress.stage('Sending', { total: 53 });
    expect(told.at(-1)?.sent).toEqual({ planned: 100, imported: 40, existing: 5, failed: 3, remaining: 52 });
    for (const done of [10, 20, 30]) {
      await clock.advance(1_000);
      stage.update({ done, failed: done / 10 });
    }
    expect(told.at(-1)).toMatchObject({
      done: 30,
      total: 53,
      sent: { planned: 100, imported: 67, failed: 6, remaining: 22 },
    });
    // One more than was remaining: a message that tells of a change.
    await clock.advance(1_000);
    stage.update({ done: 53, failed: 3 });
    expect(told.at(-1)?.sent).toEqual({ planned: 100, imported: 89, existing: 5, failed: 6, remaining: 0 });
    expect(counts()).toBe(1);
    progress.stage('Verifying');
    expect(told.at(-1)).toMatchObject({ stage: 'Verifying', sent: { imported: 89 } });
  });

  it('reports a stage immediately, and its progress at most once a second', async () => {
    const { clock, told, progress } = telling();
    const stage = progress.stage('Reading');
    for (const done of [1, 2, 3]) stage.update({ done });
    expect(told.length).toBe(1);
    await clock.advance(1_000);
    stage.update({ done: 4, waiting: 'https://chat.example asks for it: "Message 1"' });
    expect(told.at(-1)).toEqual({ stage: 'Reading', done: 4, waiting: 'https://chat.example asks for it' });
    progress.stage('Sending');
    expect(told.length).toBe(3);
  });
});
