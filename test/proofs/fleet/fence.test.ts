import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { noteLoss, readPlace, isBehind } from '../../../src/fleet/database/epoch.ts';
import { listCopies, readUnit, setState } from '../../../src/fleet/database/units.ts';
import { beginLease } from '../../../src/fleet/database/leases.ts';
import { DatabaseDown } from '../../../src/fleet/database/database.ts';
import { FleetLanes } from '../../../src/fleet/work/lanes.ts';
import { FleetPermits } from '../../../src/fleet/work/permits.ts';
import { UnitLost } from '../../../src/fleet/work/unit-lost.ts';
import { fleetPace } from '../../../src/fleet/work/pace.ts';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { type FleetScene, fleetScene } from '../../fleet/fleet-scene.ts';
import { programs } from '../../fleet/postgres.ts';

const never = new AbortController().signal;

describe.skipIf(programs === null)('a fleet controlled by its database', () => {
  let scene: FleetScene;

  beforeAll(async () => {
    scene = await fleetScene();
  });

  type Lease = Awaited<ReturnType<FleetScene['lease']>>;

  const permitsOf = ({ claim, token }: Lease, query = scene.query, mayGo = async () => {}, clock = systemClock) =>
    new FleetPermits(query, {
      claim,
      token,
      clock,
      heartbeatMs: 10_000,
      signal: never,
      mayGo,
    });

  /** When the next slot of this key begins, by the clock of the database. */
  const nextSlotMs = async (key: string, query = scene.query) => {
    const sql = 'SELECT (extract(epoch FROM next_at) * 1000)::float8 AS ms FROM ferry.slot WHERE key = $1';
    return (await query<{ ms: number }>(sql, [key]))[0]!.ms;
  };

  const intentsOf = (unit: string) =>
    scene.query<{ muids: string[]; arrived: unknown }>(
      'SELECT muids, arrived FROM ferry.intent WHERE unit = $1 ORDER BY id',
      [unit],
    );

  const save = async ({ claim, token, unit }: Lease, number: number, mark = 0) => {
    const [row] = await scene.query<{ old: string[] | null }>(
      'SELECT ferry.save($1, $2, $3, $4, $5, $6, $7, $8) AS old',
      [...[claim.job, claim.attempt, unit, token, `copy-${number}`, 'sum', number, mark]],
    );
    return row!.old;
  };

  it('lets a request leave once it is recorded, and records what arrived', async () => {
    const lease = await scene.lease();
    const permits = permitsOf(lease, scene.query, undefined, { ...systemClock, monotonic: () => 5000 });
    const left = await permits.acquire({ muids: ['m1', 'm2'] });
    expect(left.untilMs).toBeGreaterThan(5000);
    expect(left.untilMs).toBeLessThanOrEqual(6000);
    left.arrived!(new Map([['m1', '17']]));
    await permits.flush();
    expect(await intentsOf(lease.unit)).toEqual([{ muids: ['m1', 'm2'], arrived: { m1: '17' } }]);
  });

  it('outlives a connection that breaks between two statements of a transaction', async () => {
    const broken = scene.database.transaction(async (query) => {
      const [row] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await scene.query('SELECT pg_terminate_backend($1)', [row!.pid]);
      const isThere = () => scene.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [row!.pid]);
      while ((await isThere()).length > 0);
      await query('SELECT 1');
    });
    await expect(broken).rejects.toBeInstanceOf(DatabaseDown);
    expect(await scene.query('SELECT 7 AS number')).toEqual([{ number: 7 }]);
  });

  it('lets nothing leave if a copy of the store is no longer valid', async () => {
    const lease = await scene.lease();
    const permits = permitsOf(lease, scene.query, () => Promise.reject(new UnitLost('lost')));
    await expect(permits.acquire({ muids: ['m1'] })).rejects.toMatchObject({ code: 'claim-lost' });
    expect(await intentsOf(lease.unit)).toEqual([]);
  });

  it('lets nothing leave, and writes nothing, once a worker was silent for too long', async () => {
    const lease = await scene.lease();
    await scene.lapse(lease.claim);
    await expect(permitsOf(lease).acquire({ muids: ['m1'] })).rejects.toMatchObject({ code: 'claim-lost' });
    expect(await intentsOf(lease.unit)).toEqual([]);
  });

  it('lets nothing leave from a worker if another worker holds the same attempt number', async () => {
    const lease = await scene.lease();
    await scene.database.transaction((query) => beginLease(query, lease.claim, randomUUID(), 'worker-2'));
    await expect(permitsOf(lease).acquire({ actions: [7] })).rejects.toMatchObject({ code: 'claim-lost' });
    expect(await save(lease, 1)).toBeNull();
    expect(await listCopies(scene.query, lease.unit)).toEqual([]);
  });

  it('waits for a database that is down, and lets nothing leave before it is back', async () => {
    const lease = await scene.lease();
    let failures = 2;
    const shaky = (async (sql: string, values?: readonly unknown[]) => {
      if (failures-- > 0) throw new DatabaseDown('gone', { path: 'test' });
      return await scene.query(sql, values);
    }) as typeof scene.query;
    let nowMs = 0;
    const waits: number[] = [];
    const clock = {
      ...systemClock,
      monotonic: () => nowMs,
      sleep: async (ms: number) => {
        nowMs += ms;
        waits.push(ms);
      },
    };
    const { claim, token } = lease;
    const permits = new FleetPermits(shaky, {
      claim,
      token,
      clock,
      heartbeatMs: 10_000,
      signal: never,
      mayGo: async () => {},
    });
    await permits.acquire({ muids: ['m1'] });
    expect(waits).toHaveLength(2);
    failures = Number.POSITIVE_INFINITY;
    await expect(permits.acquire({ muids: ['m2'] })).rejects.toMatchObject({ code: 'claim-lost' });
    expect((await intentsOf(lease.unit)).map(({ muids }) => muids)).toEqual([['m1']]);
  });

  it('keeps three copies, and the intents that the oldest of them does not hold', async () => {
    const lease = await scene.lease();
    const permits = permitsOf(lease);
    const old: (string[] | null)[] = [];
    for (const number of [1, 2, 3, 4]) {
      await permits.acquire({ muids: [`m${number}`] });
      const [row] = await scene.query<{ mark: number }>(
        'SELECT max(id)::int AS mark FROM ferry.intent WHERE unit = $1',
        [lease.unit],
      );
      old.push(await save(lease, number, row!.mark));
    }
    expect(old).toEqual([[], [], [], ['copy-1']]);
    expect((await listCopies(scene.query, lease.unit)).map(({ number }) => number)).toEqual([4, 3, 2]);
    expect((await intentsOf(lease.unit)).map(({ muids }) => muids[0])).toEqual(['m3', 'm4']);
  });

  it('gives evenly spaced slots to all callers', async () => {
    // All slots are in the future, so that it does not matter how long the statements take.
    await scene.query(`SELECT ferry.hold_slot('even import', 3600000)`);
    const takeSlot = () =>
      scene.database.transaction(async (query) => {
        await query(`SELECT ferry.take_slot('even import', 600)`);
        return await nextSlotMs('even import', query);
      });
    const ends = await Promise.all(Array.from({ length: 10 }, takeSlot));
    const sorted = ends.toSorted((a, b) => a - b);
    // 600 a minute.
    const apart = sorted.slice(1).map((ms, index) => Math.round(ms - sorted[index]!));
    expect(apart).toEqual(new Array(9).fill(101));
  });

  it('holds everybody where one was asked for silence', async () => {
    const paceAt = () =>
      fleetPace(scene.query, {
        address: 'held',
        perMinute: {},
        clock: { ...systemClock, sleep: () => Promise.reject(new Error('waits')) },
        onWait() {},
      });
    await paceAt().take('import', never);
    await scene.query(`SELECT ferry.hold_slot('held import', 60000)`);
    await expect(paceAt().take('import', never)).rejects.toThrow('waits');
    await paceAt().take('read', never);
  });

  it('knows a pause at the next claim, and forgets the failures of who is let go on', async () => {
    const lease = await scene.lease();
    await setState(scene.query, lease.unit, 'paused');
    expect(
      await scene.database.transaction((query) => beginLease(query, lease.claim, randomUUID(), 'worker-2')),
    ).toBeUndefined();
    await setState(scene.query, lease.unit, 'waiting');
    expect(await readUnit(scene.query, lease.unit)).toMatchObject({ state: 'waiting', failures: 0, reason: null });
  });

  it('takes every unit from its worker if the database lost commits, and gives no slot twice', async () => {
    const lease = await scene.lease();
    await scene.query(`SELECT ferry.take_slot('lost import', 60)`);
    const seen = await readPlace(scene.query);
    expect(isBehind(await readPlace(scene.query), seen)).toBe(false);
    const before = { ...seen, flushed: seen.flushed + 1_000_000n };
    const beforeMs = Date.now();
    expect(isBehind(await readPlace(scene.query), before)).toBe(true);
    await noteLoss(scene.database, before);
    await noteLoss(scene.database, before);
    expect((await readPlace(scene.query)).epoch).toBe(seen.epoch + 1);
    await expect(permitsOf(lease).acquire({ muids: ['m1'] })).rejects.toMatchObject({ code: 'claim-lost' });
    // The next slot is a minute later at least.
    expect(await nextSlotMs('lost import')).toBeGreaterThanOrEqual(beforeMs + 60_000);
    const begun = await scene.database.transaction((query) => beginLease(query, lease.claim, randomUUID(), 'worker-2'));
    expect(begun).toMatchObject({ isLost: true });
  });

  it('detects a restore into another server or a promotion, even if the last position is unknown', async () => {
    const lease = await scene.lease();
    const [{ timeline, systemId, epoch }, now] = [
      await readPlace(scene.query),
      async () => await readPlace(scene.query),
    ];
    expect(isBehind(await now(), undefined)).toBe(false);
    for (const [column, before] of [
      ['timeline', timeline - 1],
      ['system_id', `${systemId}0`],
    ] as const) {
      await scene.query(`UPDATE ferry.fleet SET ${column} = $1`, [before]);
      expect(isBehind(await now(), undefined)).toBe(true);
      await noteLoss(scene.database, undefined);
      expect(isBehind(await now(), undefined)).toBe(false);
      await noteLoss(scene.database, undefined);
    }
    expect((await now()).epoch).toBe(epoch + 2);
    await expect(permitsOf(lease).acquire({ muids: ['m1'] })).rejects.toMatchObject({ code: 'claim-lost' });
  });

  it('keeps a conversation for who took its unit over, whatever who lost it closes', async () => {
    const address = 'https://lanes.example';
    const [lease, other] = [await scene.lease(), await scene.lease()];
    const lanesOf = (unit: string, token: string) => {
      const lanes = new FleetLanes(scene.query, { unit, token, address });
      return { ...lanes.open({ graceLongMs: 0 }), settle: () => lanes.flush() };
    };
    const lost = lanesOf(lease.unit, lease.token);
    const another = lanesOf(other.unit, other.token);
    expect(await lost.take('harbour')).toBe(true);
    expect(await another.take('harbour')).toBe(false);
    const token = randomUUID();
    await scene.database.transaction((query) => beginLease(query, lease.claim, token, 'worker-2'));
    const successor = lanesOf(lease.unit, token);
    expect(await successor.take('harbour')).toBe(true);
    lost.close();
    await lost.settle();
    expect(await lost.take('quay')).toBe(false);
    expect(await another.take('harbour')).toBe(false);
    successor.close();
    await successor.settle();
    expect(await another.take('harbour')).toBe(true);
    const rows = await scene.query<{ lane: string }>('SELECT lane FROM ferry.lane WHERE address = $1', [address]);
    expect(rows.map(({ lane }) => lane)).toEqual([expect.stringMatching(/^[a-z2-7]{26}$/)]);
  });
});
