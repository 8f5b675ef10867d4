import { expect, it } from 'vitest';
import { deskTimes, largeSize } from '../../bench/desk.ts';
import { median } from '../../bench/median.ts';
import { prepareProgram } from '../../bench/program.ts';
import { chromiumPath } from '../requirements.ts';

// The clock gives no verdict: the machine may do anything else meanwhile.
it.skipIf(chromiumPath() === null)(
  'every step of the desk answers over a database of 1,000,000 messages, 100,000 people and 500 tables',
  async ({ task }) => {
    await prepareProgram();
    const rows = await deskTimes(largeSize);
    task.meta.figures = Object.fromEntries(rows.map(({ name, took }) => [`${name}, ms`, Math.round(median(took))]));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ took }) => took.some((ms) => !(ms > 0)))).toEqual([]);
  },
  1_800_000,
);
