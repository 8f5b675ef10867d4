import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseHours } from '../../src/sync/config/times.ts';
import { rateAt } from '../../src/sync/job.ts';
import { paceOf } from '../../src/delivery/target.ts';
import { profiles } from '../../src/service/profiles.ts';
import { never } from '../scenes/bench.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = join(home.path, 'state');

it('the pace of a run follows the timetable during the run', async () => {
  const clock = new VirtualClock(Date.parse('2026-11-21T17:58:00Z'));
  onTestFinished(() => clock.stop());
  const table = { rates: [{ hours: parseHours('18:00-06:00'), rate: 60 }], timeZone: 'UTC' };
  const pace = paceOf(
    'http://127.0.0.1:1',
    { ...profiles.spec, importsPerMinute: 6 },
    {
      clock,
      importRate: () => rateAt(table, clock.now()),
    },
    () => {},
  );
  const left: number[] = [];
  while (clock.now() < Date.parse('2026-11-21T18:01:00Z')) {
    await pace.take('import', never);
    left.push(clock.now());
  }
  pace.close();
  const of = (from: string, to: string) =>
    left.filter((at) => at >= Date.parse(`2026-11-21T${from}Z`) && at < Date.parse(`2026-11-21T${to}Z`)).length;
  // Ten seconds apart by day, one by night; the last slow slot reaches into the night.
  expect(of('17:58:00', '18:00:00')).toBe(12);
  expect(of('18:00:00', '18:01:00')).toBeGreaterThanOrEqual(50);
  expect(of('18:00:00', '18:01:00')).toBeLessThanOrEqual(60);
});
