import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { openTarget } from '../../../src/delivery/target.ts';
import { apiKey } from '../../scenes/bench.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { alter, importedScene } from './scene.ts';

const home = temporaryFolder();

it('verify remembers a destination with duplicated messages: later runs wait longer, and send nothing there immediately', async () => {
  const { data, store, url, verify } = await importedScene(home.make());
  const graceOf = async (overrides: { graceLongMs?: number; duplicates?: 'refused' } = {}) => {
    const opened = openStore(store, { command: 'import', nowMs: systemClock.now() });
    const to = { to: url, apiKey: new Secret(apiKey), concurrency: 1, clock: systemClock };
    const target = await openTarget(opened, { ...to, overrides, profile: 'sandbox' });
    await target.close();
    opened.close();
    return [target.profile.graceLongMs, target.profile.duplicates];
  };
  expect(await graceOf()).toEqual([0, 'refused']);
  alter(data, (db) => {
    const columns = (db.pragma('table_info(message)') as { name: string }[]).map(({ name }) => name);
    const others = columns.filter((name) => name !== 'id').join(', ');
    db.exec(`INSERT INTO message (${others}) SELECT ${others} FROM message ORDER BY id DESC LIMIT 1`);
  });
  const { report, exit } = await verify();
  expect([exit, report.verify]).toEqual([6, expect.objectContaining({ duplicated: 1 })]);
  expect(await graceOf()).toEqual([600_000, 'unknown']);
  expect(await graceOf({ graceLongMs: 5000 })).toEqual([5000, 'unknown']);
  expect(await graceOf({ duplicates: 'refused' })).toEqual([600_000, 'refused']);
});
