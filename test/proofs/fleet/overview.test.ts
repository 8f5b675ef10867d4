import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginLease, endLease, noteProgress } from '../../../src/fleet/database/leases.ts';
import type { SentMessages } from '../../../src/fleet/database/units.ts';
import { fleetOverview, type FleetOverview, silentlyHeld } from '../../../src/fleet/fleet-overview.ts';
import { UsageError } from '../../../src/lib/errors.ts';
import { noTotals } from '../../../src/model/totals.ts';
import { manualClock } from '../../delivery/manual-clock.ts';
import { fleetScene, type FleetScene } from '../../fleet/fleet-scene.ts';
import { programs } from '../../fleet/postgres.ts';

describe.skipIf(programs === null)('fleetOverview()', () => {
  let scene: FleetScene;
  beforeAll(async () => {
    scene = await fleetScene();
  });

  const look = (name?: string): Promise<FleetOverview> =>
    fleetOverview(scene.database, {
      ...{ name, clock: manualClock(), heartbeatMs: 10_000 },
      files: async () => undefined,
    });
  const unitNow = async (id: string) => (await look(id)).units[0]!;

  /**
   * @param silentSeconds Time since its last sign of life.
   */
  async function worker(id: string, silentSeconds = 0, leases = 2): Promise<void> {
    await scene.query(
      `INSERT INTO ferry.worker (id, host, version, leases, seen) VALUES ($1, $1, '1.0.0', $2, clock_timestamp() - $3::float8 * interval '1 s')
       ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, leases = excluded.leases`,
      [id, leases, silentSeconds],
    );
  }

  /** A unit as a lease left it, or as one has it that runs on the worker. */
  async function unit(
    id: string,
    { left = 0, state = 'waiting', on = null as string | null, ...about }: UnitScene = {},
  ): Promise<string> {
    await scene.unit({ id, tenant: id.split('/')[0]!, address: `https://${id}.example`, ...about });
    const totals = { ...noTotals(), read: left + 10, planned: left + 10, imported: 10, pending: left };
    await scene.query(
      `UPDATE ferry.unit SET state = $2, phase = $3, totals = $4, worker = $5, due_at = clock_timestamp() WHERE id = $1`,
      [id, state, about.phase ?? 'send', JSON.stringify(totals), on],
    );
    return id;
  }
  type UnitScene = Parameters<FleetScene['unit']>[0] & { readonly left?: number; readonly on?: string | null };

  const sent = (imported: number): SentMessages => ({
    ...{ planned: 5_000, imported, existing: 0, failed: 5, remaining: 4_995 - imported },
  });

  it('keeps the message counts of a killed lease until the next one has counted them', async () => {
    const { claim, token, unit } = await scene.lease();
    const note = (token: string, progress: object) =>
      noteProgress(scene.query, [{ unit, token, progress: { stage: 'Sending', done: 0, ...progress } }]);
    await note(token, { sent: sent(810), waiting: 'the service asks us to' });
    expect(await unitNow(unit)).toMatchObject({ planned: 5_000, imported: 810, remaining: 4_185, failed: 5 });
    const second = randomUUID();
    await scene.database.transaction((query) => beginLease(query, { ...claim, attempt: 1 }, second, 'worker-2'));
    await note(second, { stage: 'Reading', done: 3 });
    const now = await unitNow(unit);
    expect(now.stage).toEqual({ stage: 'Reading', done: 3, sent: sent(810) });
    expect(now).toMatchObject({ isPlanned: true, planned: 5_000, imported: 810, remaining: 4_185, takeovers: 1 });
    await note(second, { sent: sent(1_000) });
    expect(await unitNow(unit)).toMatchObject({ planned: 5_000, imported: 1_000, remaining: 3_995 });
    // The killed one says no more.
    await note(token, { sent: sent(820) });
    expect(await unitNow(unit)).toMatchObject({ imported: 1_000 });
    const totals = { ...noTotals(), read: 5_000, planned: 5_000, imported: 1_900, existing: 100, pending: 3_000 };
    const next = { state: 'waiting', phase: 'send', afterMs: 0, failures: 0, reason: null, result: {} } as const;
    await endLease(scene.query, unit, 2, { ...next, exit: 0, totals });
    expect(await unitNow(unit)).toMatchObject({
      planned: 5_000,
      imported: 1_900,
      existing: 100,
      remaining: 3_000,
      stage: null,
    });
  });

  it('knows no messages of a unit that was never planned', async () => {
    expect(await unitNow(await scene.unit())).toMatchObject({ isPlanned: false, planned: 0, startedAgoMs: null });
  });

  it('shows units of a silent worker as waiting for another, and forgets the worker once it has none', async () => {
    const silentOne = async () => (await look()).workers.find(({ id }) => id === 'silent');
    await worker('alive');
    await worker('silent', 5);
    await unit('silent/runs', { left: 100, state: 'running', on: 'silent', quota: 60 });
    await unit('silent/rests', { state: 'paused', on: 'silent' });
    expect(await silentOne()).toMatchObject({ isSilent: false, running: 2, waiting: 0 });
    expect(await unitNow('silent/runs')).toMatchObject({ state: 'running', worker: 'silent', etaMs: 2_000 });
    await worker('silent', 3_600);
    expect(await silentOne()).toMatchObject({ isSilent: true, running: 0, waiting: 1 });
    const lost = { state: 'waiting', waitsFor: 'takeover', worker: null, etaMs: null, stage: null };
    expect(await unitNow('silent/runs')).toMatchObject(lost);
    expect(await unitNow('silent/rests')).toMatchObject({ state: 'paused', worker: null });
    expect([...(await silentlyHeld(scene.query, ['silent/runs', 'silent/none'], 10_000))]).toEqual(['silent/runs']);
    await unit('silent/runs', { state: 'running', on: 'alive' });
    expect(await silentOne()).toBeUndefined();
    await worker('silent', 60);
    expect(await silentOne()).toMatchObject({ isSilent: true, waiting: 0 });
    await scene.query(`DELETE FROM ferry.unit WHERE tenant = 'silent'`);
  });

  it('says why a unit that is due does not run', async () => {
    await scene.query('DELETE FROM ferry.worker; DELETE FROM ferry.unit');
    const at = { address: 'https://busy.example' };
    await unit('a/one', at);
    await unit('a/later');
    await scene.query(`UPDATE ferry.unit SET due_at = due_at + interval '1 hour' WHERE id = 'a/later'`);
    const reasons = async () => Object.fromEntries((await look()).units.map(({ name, waitsFor }) => [name, waitsFor]));
    expect(await reasons()).toEqual({ one: 'worker', later: null });
    await worker('w', 0, 3);
    expect(await reasons()).toEqual({ one: null, later: null });
    await unit('b/one', { ...at, state: 'running', on: 'w' });
    await unit('b/two', { ...at, state: 'running', on: 'w' });
    expect(await reasons()).toMatchObject({ one: null, two: null });
    expect(await unitNow('a/one')).toMatchObject({ waitsFor: 'destination' });
    await worker('w', 0, 2);
    await unit('a/other');
    expect(await unitNow('a/one')).toMatchObject({ waitsFor: 'destination' });
    expect(await unitNow('a/other')).toMatchObject({ waitsFor: 'lease' });
  });

  it('uses the limit that a destination reported, and shares it among the units left there', async () => {
    const address = 'https://shared.example';
    const small = await unit('c/small', { address, quota: null, left: 500 });
    const asSmall = await unit('c/as-small', { address, quota: null, left: 500 });
    const large = await unit('c/large', { address, quota: null, left: 5_000 });
    await unit('c/rests', { address, quota: null, left: 9_000, state: 'paused' });
    expect(await unitNow(small)).toMatchObject({ quota: null, etaMs: null });
    await scene.query(
      `INSERT INTO ferry.slot (key, learned) VALUES ('${address} import', 10), ('${address} read', 99)`,
    );
    // All get as many slots until the small ones are through: 10 + 10 + 10 requests; then 90 for the large one.
    expect(await unitNow(small)).toMatchObject({ quota: 10, etaMs: 3 * 60_000 });
    expect(await unitNow(asSmall)).toMatchObject({ quota: 10, etaMs: 3 * 60_000 });
    expect(await unitNow(large)).toMatchObject({ etaMs: 12 * 60_000 });
    expect(await unitNow('c/rests')).toMatchObject({ quota: 10, etaMs: null });
  });

  it('names the worker of the last lease that does not run', async () => {
    const { claim, unit } = await scene.lease();
    expect(await unitNow(unit)).toMatchObject({ lastLease: null, endedAgoMs: null, takeovers: 0 });
    const next = { state: 'waiting', phase: 'plan', afterMs: 0, failures: 1, reason: 'x', result: {} } as const;
    await endLease(scene.query, unit, 1, { ...next, exit: 1, totals: null });
    const ended = await unitNow(unit);
    expect(ended.lastLease).toEqual({ worker: 'worker-1', endedAgoMs: ended.endedAgoMs });
    expect(ended.startedAgoMs!).toBeGreaterThanOrEqual(ended.endedAgoMs!);
    await scene.database.transaction((query) => beginLease(query, claim, randomUUID(), 'worker-2'));
    expect(await unitNow(unit)).toMatchObject({ lastLease: { worker: 'worker-1' } });
    await scene.query(`UPDATE ferry.unit SET state = 'dead' WHERE id = $1`, [unit]);
    expect(await unitNow(unit)).toMatchObject({ lastLease: { worker: 'worker-2', endedAgoMs: null } });
  });

  it('lists a few tenants if there is none of that name', async () => {
    await expect(look('nobody')).rejects.toThrow(UsageError);
    const met = await look('nobody').catch((error: UsageError) => error);
    expect(met).toMatchObject({
      message: 'Cannot show "nobody": there is no such tenant',
      hint: expect.stringMatching(/^Tenants: a, /),
    });
    await scene.query('DELETE FROM ferry.unit');
    await expect(look('nobody')).rejects.toThrow(expect.objectContaining({ hint: expect.stringContaining('submit') }));
  });
});
