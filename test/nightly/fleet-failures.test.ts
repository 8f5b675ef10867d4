import { randomUUID } from 'node:crypto';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DestinationError } from '../../src/lib/errors.ts';
import { openFleetFiles } from '../../src/fleet/copies/fleet-files.ts';
import { MediaFault, type MediaLocation } from '../../src/media/media-location.ts';
import { packFile, unpackFile } from '../../src/fleet/copies/packed-file.ts';
import { changeUnits } from '../../src/fleet/change-units.ts';
import { noteLoss, readPlace } from '../../src/fleet/database/epoch.ts';
import { beginLease } from '../../src/fleet/database/leases.ts';
import { setState } from '../../src/fleet/database/units.ts';
import { never } from '../scenes/bench.ts';
import { DatabaseDown } from '../../src/fleet/database/database.ts';
import { afterFailure } from '../../src/fleet/lease/after-lease.ts';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { type FleetScene, fleetScene } from '../fleet/fleet-scene.ts';
import { programs } from '../fleet/postgres.ts';
import { type LeaseChanges, type LeaseScene, leaseScene } from '../fleet/lease-scene.ts';

const home = temporaryFolder();

describe.skipIf(programs === null)('when something fails in a fleet', () => {
  let fleet: FleetScene;
  let scene: LeaseScene;

  beforeAll(async () => {
    fleet = await fleetScene();
  });
  beforeEach(async () => {
    scene = await leaseScene(fleet, home.make());
  });

  /** A lease that does something at the request with this number, from 1, before it leaves. */
  const atRequest = (number: number, does: (...given: Parameters<NonNullable<LeaseChanges['before']>>) => unknown) => {
    let asked = 0;
    return {
      before: (...given: Parameters<NonNullable<LeaseChanges['before']>>) =>
        given[0].includes('ferry.leave') && ++asked === number ? does(...given) : undefined,
    };
  };

  /** A lease of four requests that is stopped at the third. */
  const stoppedLease = async (unit: string, changes: LeaseChanges = {}) => {
    const stopping = new AbortController();
    const at = atRequest(3, () => stopping.abort(new Error('stopped')));
    return await scene.lease(unit, { ...changes, ...at, stopping: stopping.signal });
  };

  it('a worker that was paused and resumed sends nothing, and its work is discarded', async () => {
    const unit = await scene.submit('one', 200);
    let arrived: unknown;
    const lapses = atRequest(3, async (_, { claim }) => {
      arrived = scene.contents();
      await fleet.lapse(claim);
    });
    await scene.lease(unit, lapses);
    expect(scene.contents()).toEqual(arrived);
    await fleet.supervise();
    expect(await scene.lease(unit)).toMatchObject({ state: 'done', leases: 2, failures: 0 });
    scene.expectAllOnce(200);
  });

  it('a worker that is gone with its disk is followed by another: what left is found out, not sent again', async () => {
    const unit = await scene.submit('two', 200);
    const dies = atRequest(3, async (_, { claim }) => {
      // The results of the first two requests are lost as well.
      await fleet.query('UPDATE ferry.intent SET arrived = NULL WHERE unit = $1', [unit]);
      await fleet.lapse(claim);
    });
    await scene.lease(unit, dies);
    await fleet.query('UPDATE ferry.intent SET arrived = NULL WHERE unit = $1', [unit]);
    await fleet.supervise();
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(200);
  });

  it('a worker that loses the database sends nothing more, and another continues', async () => {
    const unit = await scene.submit('three', 200);
    let isCut = false;
    await scene
      .lease(unit, {
        before(sql) {
          isCut ||= sql.includes('ferry.leave') && Object.keys(scene.contents()).length > 0;
          if (isCut) throw new DatabaseDown('cut off', { path: 'test' });
        },
      })
      .catch(() => {});
    scene.expectAllOnce(50);
    await fleet.query(`UPDATE pgboss.job SET heartbeat_on = now() - interval '1 h' WHERE singleton_key = $1`, [unit]);
    await fleet.supervise();
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(200);
  });

  it('if the newest copy is damaged, the previous one and the requests sent since are used', async () => {
    const unit = await scene.submit('four', 200);
    expect(await stoppedLease(unit)).toMatchObject({ state: 'waiting', failures: 0 });
    expect(scene.copies()).toHaveLength(2);
    writeFileSync(join(scene.files, scene.copies()[1]!), 'no copy');
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(200);
  });

  it('if the newest copy is damaged and the previous one is from before commits were lost, requests sent since are waited for', async () => {
    const unit = await scene.submit('eleven', 200);
    await stoppedLease(unit);
    const place = await readPlace(fleet.query);
    await noteLoss(fleet.database, { ...place, flushed: place.flushed + 1_000_000n });
    await fleet.query(`UPDATE ferry.fleet SET lost_at = now() - interval '1 h'`);
    const dies = atRequest(1, async (_, { claim }) => await fleet.lapse(claim));
    await scene.lease(unit, dies);
    await fleet.supervise();
    writeFileSync(join(scene.files, scene.copies().at(-1)!), 'no copy');
    const waits: number[] = [];
    const clock: Clock = {
      ...systemClock,
      async sleep(ms, signal) {
        waits.push(ms);
        await systemClock.sleep(ms > 60_000 && ms < 600_000 ? 1 : ms, signal);
      },
    };
    expect(await scene.lease(unit, { clock })).toMatchObject({ state: 'done' });
    expect(waits.some((ms) => ms > 90_000 && ms < 300_000)).toBe(true);
    scene.expectAllOnce(200);
  });

  it('if the database does not know a copy, the previous one is used, and the stray is removed', async () => {
    const unit = await scene.submit('five', 600);
    let saves = 0;
    const failed = await scene.lease(unit, {
      before(sql) {
        if (sql.includes('ferry.save') && ++saves > 1) throw new DatabaseDown('gone', { path: 'test' });
        if (sql.includes('ferry.leave') && Object.keys(scene.contents()).length > 0)
          throw new DestinationError('later', { code: 'later' });
      },
    });
    expect(failed).toMatchObject({ state: 'waiting', failures: 1 });
    const stray = scene.copies()[1]!;
    expect(await stoppedLease(unit)).toMatchObject({ state: 'waiting', failures: 0 });
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(600);
    expect(scene.copies()).not.toContain(stray);
    expect(scene.copies()).toHaveLength(3);
  });

  it('if all copies are lost, everything is read back before anything is sent', async () => {
    const unit = await scene.submit('six', 200);
    await stoppedLease(unit);
    rmSync(join(scene.files, 'copies'), { recursive: true });
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(200);
  });

  it('if all copies of a planned unit are lost, it is stopped, and starts over with retry', async () => {
    const unit = await scene.submit('ten', 200);
    await stoppedLease(unit);
    rmSync(join(scene.files, 'copies'), { recursive: true });
    await fleet.query(`UPDATE ferry.unit SET phase = 'send' WHERE id = $1`, [unit]);
    expect(await scene.lease(unit)).toMatchObject({
      state: 'stopped',
      reason: expect.stringMatching(/^copies-lost: /),
    });
    await changeUnits(fleet.database, { ...fleet, copies: undefined as never, signal: never }, 'retry', unit);
    expect(await scene.lease(unit)).toMatchObject({ state: 'done', failures: 0 });
    scene.expectAllOnce(200);
  });

  it('a worker that is older than the copies gives the lease back, and nothing has failed', async () => {
    const unit = await scene.submit('eight', 200);
    const { totals } = await stoppedLease(unit);
    for (const key of scene.copies()) await makeNewer(join(scene.files, key), key);
    const given = await scene.lease(unit);
    expect(given).toMatchObject({ state: 'waiting', failures: 0, worker: null });
    expect(given.reason).toContain('outdated worker');
    expect(given.totals).toEqual(totals);
    scene.expectAllOnce(totals!.imported);
  });

  /** As if a program of next year had made it. */
  async function makeNewer(path: string, key: string): Promise<void> {
    const database = join(scene.folder, 'newer.db');
    rmSync(database, { force: true });
    await unpackFile(path, database);
    const db = new Database(database);
    db.pragma('user_version = 9999');
    db.close();
    const { sha256 } = await packFile(database, path);
    await fleet.query('UPDATE ferry.copy SET sum = $2 WHERE key = $1', [key, sha256]);
  }

  it('a unit that is handed in with other settings while it runs has its next lease under these', async () => {
    const unit = await scene.submit('nine', 200);
    const changes = atRequest(3, () => scene.submit('nine', 200, { batchItems: '10' }));
    expect(await scene.lease(unit, changes)).toMatchObject({ state: 'waiting', phase: 'plan' });
    expect(await scene.lease(unit)).toMatchObject({ state: 'done', config: { job: { batchItems: '10' } } });
    scene.expectAllOnce(200);
  });

  it('a unit that was paused before its worker died can be dropped once its lease has lapsed', async () => {
    const { claim, unit } = await fleet.lease();
    const drop = () =>
      changeUnits(fleet.database, { ...fleet, copies: { list: async () => [] } as never, signal: never }, 'drop', unit);
    await expect(drop()).rejects.toThrow('worker-1 works on it');
    await setState(fleet.query, unit, 'paused');
    await fleet.lapse(claim);
    await fleet.supervise();
    const again = (await fleet.engine.claim())!;
    expect(again).toEqual({ ...claim, attempt: 1 });
    expect(
      await fleet.database.transaction((query) => beginLease(query, again, randomUUID(), 'worker-2')),
    ).toBeUndefined();
    expect(await drop()).toMatchObject([{ is: 'dropped' }]);
  });

  it('a worker with a wrong clock works like any other', async () => {
    const wrong = (ms: number) => ({ ...systemClock, now: () => systemClock.now() + ms });
    const unit = await scene.submit('seven', 200);
    await stoppedLease(unit, { clock: wrong(31_536_000_000) });
    expect(await scene.lease(unit, { clock: wrong(-31_536_000_000) })).toMatchObject({ state: 'done' });
    scene.expectAllOnce(200);
  });

  it('a unit that fails always is dead after 20 leases, and says why', () => {
    let unit: { phase: 'send'; failures: number; state: string; reason: string | null; afterMs?: number | undefined } =
      {
        ...{ phase: 'send', failures: 0, state: 'waiting', reason: null },
      };
    const waits: (number | undefined)[] = [];
    const run = { result: { exit: 5, stopped: { code: '503', message: 'it is closed', hint: null } }, isCut: false };
    while (unit.state === 'waiting') {
      unit = { ...unit, ...(afterFailure(unit, run) as object) };
      waits.push(unit.afterMs);
    }
    expect(waits).toHaveLength(20);
    expect(waits.slice(0, 3)).toEqual([10_000, 20_000, 40_000]);
    expect(Math.max(...waits.slice(0, -1).map(Number))).toBe(3_600_000);
    expect(unit).toMatchObject({ state: 'dead', reason: expect.stringContaining('503') });
  });

  it('two exports with the same messages are sent one after the other, and existing messages are not sent again', async () => {
    const soon = { gracePeriod: '1s' };
    const one = await scene.submit('overlap', 200, soon);
    const path = join(scene.folder, 'copied.ndjson');
    copyFileSync(join(scene.folder, 'overlap.ndjson'), path);
    const other = await scene.submit('overlap-again', 0, { ...soon, export: path });
    let meanwhile: Promise<unknown> | undefined;
    const begins = atRequest(2, () => {
      meanwhile = scene.lease(other);
    });
    expect(await scene.lease(one, begins)).toMatchObject({ state: 'done', totals: { imported: 200 } });
    expect(await meanwhile).toMatchObject({ state: 'done', totals: { imported: 0, existing: 200 } });
    scene.expectAllOnce(200);
  });

  it('copies that cannot be read or written are waited for, and nothing has failed', async () => {
    const unit = await scene.submit('bucket', 200);
    const down = () => Promise.reject(new MediaFault('the bucket does not answer', { kind: 'again' }));
    const location = await openFleetFiles({ files: scene.files }, { env: {}, folder: scene.folder });
    const waiting = { state: 'waiting', failures: 0, reason: expect.stringMatching(/^files-down: /) };
    expect(await scene.lease(unit, { location: { ...located(location), put: down } })).toMatchObject(waiting);
    expect(scene.contents()).toEqual({});
    expect(await stoppedLease(unit)).toMatchObject({ state: 'waiting', failures: 0, reason: null });
    expect(await scene.lease(unit, { location: { ...located(location), read: unreadable } })).toMatchObject(waiting);
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(200);
  });

  it('a destination that asks for silence is left alone, and nothing has failed', async () => {
    const unit = await scene.submit('silence', 200);
    scene.sandbox.plan = { rules: [{ answer: 'rate-limited', retryAfter: 86_400 }] };
    const beforeMs = Date.now();
    const after = await scene.lease(unit);
    expect(after).toMatchObject({ state: 'waiting', failures: 0, reason: expect.stringMatching(/^silence-asked: /) });
    // An hour after the lease.
    expect(after.dueAtMs).toBeGreaterThanOrEqual(beforeMs + 3_600_000);
    scene.sandbox.plan = { rules: [] };
    await fleet.query(`UPDATE ferry.slot SET held_until = now() WHERE key LIKE $1`, [`${scene.url}%`]);
    expect(await scene.lease(unit)).toMatchObject({ state: 'done' });
    scene.expectAllOnce(200);
  });
});

/** Its methods, to replace one. */
const located = (location: MediaLocation): MediaLocation => ({
  name: location.name,
  keys: (...given) => location.keys(...given),
  head: (...given) => location.head(...given),
  put: (...given) => location.put(...given),
  read: (...given) => location.read(...given),
  remove: (...given) => location.remove(...given),
  addressOf: (key) => location.addressOf(key),
  close: () => location.close(),
});

// biome-ignore lint/correctness/useYield: it fails before there is anything
async function* unreadable(): AsyncGenerator<Uint8Array> {
  throw new MediaFault('the bucket does not answer', { kind: 'again' });
}
