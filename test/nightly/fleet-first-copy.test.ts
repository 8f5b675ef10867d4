import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseDown } from '../../src/fleet/database/database.ts';
import { noteLoss, readPlace } from '../../src/fleet/database/epoch.ts';
import { listCopies, removeUnit } from '../../src/fleet/database/units.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { type FleetScene, fleetScene } from '../fleet/fleet-scene.ts';
import { programs } from '../fleet/postgres.ts';
import { patient, type LeaseChanges, type LeaseScene, leaseScene } from '../fleet/lease-scene.ts';

const home = temporaryFolder();

/** A lease of 200 messages has four requests. */
const messages = 200;

describe.skipIf(programs === null)('a copy of a unit that has none in the database', () => {
  let fleet: FleetScene;
  let scene: LeaseScene;

  beforeAll(async () => {
    fleet = await fleetScene();
  });
  beforeEach(async () => {
    scene = await leaseScene(fleet, home.make());
  });

  /** Ends between the upload of its first copy and the word that it is there. */
  const dying: LeaseChanges = {
    before(sql) {
      if (sql.includes('ferry.save')) throw new DatabaseDown('gone', { path: 'test' });
    },
  };

  /** Its worker is gone with three requests that have left, two of which are in no copy. */
  const sendingLease = async (unit: string) => {
    let asked = 0;
    await scene.lease(unit, {
      async before(sql, { claim }) {
        if (sql.includes('ferry.leave') && ++asked === 4) await fleet.lapse(claim);
      },
    });
    expect(asked).toBe(4);
    await fleet.supervise();
  };

  /** Records the waits of a lease itself, in ms: a request that may still arrive takes minutes. */
  const watchedWaits = () => {
    const waits: number[] = [];
    const clock = {
      ...patient,
      async sleep(ms: number, signal: AbortSignal) {
        if (ms > 10_000 && ms < 600_000) waits.push(ms);
        await patient.sleep(ms, signal);
      },
    };
    return { clock, waits };
  };

  it('is a stray if a lease dies before the database knows its first copy: the unit starts over without a wait', async () => {
    const unit = await scene.submit('stray', messages);
    expect(await scene.lease(unit, dying)).toMatchObject({ state: 'waiting', failures: 1 });
    expect(await scene.lease(unit, dying)).toMatchObject({ state: 'waiting', failures: 2 });
    const strays = scene.copies();
    expect(strays.length).toBeGreaterThan(1);
    expect(Object.values(scene.contents()).flat()).toEqual([]);
    const { clock, waits } = watchedWaits();
    expect(await scene.lease(unit, { clock })).toMatchObject({ state: 'done', failures: 0 });
    expect(waits).toEqual([]);
    scene.expectAllOnce(messages);
    const saved = await listCopies(fleet.query, unit);
    expect(saved.filter(({ number }) => number <= strays.length)).toEqual([]);
  });

  it('is no stray if a request has left: then one was saved', async () => {
    const unit = await scene.submit('left', messages);
    await sendingLease(unit);
    await fleet.query('DELETE FROM ferry.copy WHERE unit = $1', [unit]);
    const { clock, waits } = watchedWaits();
    expect(await scene.lease(unit, { clock })).toMatchObject({ state: 'done' });
    expect(waits.length).toBeGreaterThan(0);
    scene.expectAllOnce(messages);
  });

  it.each([
    ['the database is another, or the unit was dropped while its copies could not be removed', 'again', async () => {}],
    [
      'the database was restored to before it was handed in',
      'restored',
      async () => await noteLoss(fleet.database, await readPlace(fleet.query)),
    ],
  ] as const)('is the store of the unit if it is submitted again: %s', async (_, name, loses) => {
    const unit = await scene.submit(name, messages);
    await sendingLease(unit);
    await removeUnit(fleet.query, unit);
    await fleet.query('DELETE FROM pgboss.job WHERE singleton_key = $1', [unit]);
    await loses();
    expect(await scene.submit(name, messages)).toBe(unit);
    // The dropped unit's conversations are kept for the grace of a kill, by the database's clock.
    await fleet.query(`UPDATE ferry.lane SET free_at = now() WHERE unit = ''`);
    // A copy of the unit as it is now is a stray, the one of before is not.
    const { clock, waits } = watchedWaits();
    expect(await scene.lease(unit, { ...dying, clock })).toMatchObject({ failures: 1 });
    expect(waits.length).toBeGreaterThan(0);
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(messages);
  });

  it('is the store of the unit if the database was restored to the moment before the copy was saved', async () => {
    const unit = await scene.submit('between', messages);
    const seen = await readPlace(fleet.query);
    await sendingLease(unit);
    for (const table of ['copy', 'intent']) await fleet.query(`DELETE FROM ferry.${table} WHERE unit = $1`, [unit]);
    await noteLoss(fleet.database, seen);
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(messages);
  });
});
