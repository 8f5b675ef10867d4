import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { type FleetScene, fleetScene } from '../fleet/fleet-scene.ts';
import { programs } from '../fleet/postgres.ts';
import { leaseScene } from '../fleet/lease-scene.ts';

const home = temporaryFolder();

describe.skipIf(programs === null)('a lease that has used up its time', () => {
  let fleet: FleetScene;

  beforeAll(async () => {
    fleet = await fleetScene();
  });

  it('is not cut while it reads a file that it would have to read again, and is before it sends', async () => {
    const scene = await leaseScene(fleet, home.make());
    const unit = await scene.submit('large', 3_000);
    expect(
      await scene.lease(unit, {
        ms: 1,
        clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) },
      }),
    ).toMatchObject({
      ...{ state: 'waiting', failures: 0, reason: null },
      totals: { planned: 3_000, imported: 0, pending: 3_000 },
    });
    expect(scene.contents()).toEqual({});
    expect(await scene.lease(unit)).toMatchObject({ state: 'done', totals: { imported: 3_000 } });
  });
});
