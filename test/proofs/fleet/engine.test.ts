import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/fleet/work/engine.ts';
import { notePlace, sendLease } from '../../../src/fleet/database/leases.ts';
import { type FleetScene, fleetScene } from '../../fleet/fleet-scene.ts';
import { programs } from '../../fleet/postgres.ts';

/** The behaviour of pg-boss that Chatferry relies on: an update must not change any of it. */
describe.skipIf(programs === null)('the queue of leases', () => {
  let scene: FleetScene;
  let engine: Engine;

  beforeAll(async () => {
    scene = await fleetScene();
    engine = scene.engine;
  });

  const claimed = async (unit: string) => {
    for (let claim = await engine.claim(); claim; claim = await engine.claim()) if (claim.unit === unit) return claim;
    return undefined;
  };
  const complete = (claim: Parameters<Engine['complete']>[0]) =>
    scene.database.transaction((query) => engine.complete(claim, query));

  it('holds one lease for a unit, whether it waits or runs', async () => {
    expect(await engine.send({ unit: 'a/one', group: 'one' })).toBe(true);
    expect(await engine.send({ unit: 'a/one', group: 'one' })).toBe(false);
    const claim = (await claimed('a/one'))!;
    expect(await engine.send({ unit: 'a/one', group: 'one' })).toBe(false);
    expect(await complete(claim)).toBe(true);
    expect(await engine.send({ unit: 'a/one', group: 'one' })).toBe(true);
    await engine.withdraw('a/one');
    expect(await claimed('a/one')).toBeUndefined();
  });

  it('gives the lease of a silent worker to another as a further attempt; the first can no longer change anything', async () => {
    await engine.send({ unit: 'a/two', group: 'two' });
    const first = (await claimed('a/two'))!;
    expect(first.attempt).toBe(0);
    expect(await engine.beat([first])).toEqual([]);
    await scene.lapse(first);
    await scene.supervise();
    const second = (await claimed('a/two'))!;
    expect(second).toEqual({ ...first, attempt: 1 });
    expect(await engine.beat([first, second])).toEqual([first]);
    expect(await complete(first)).toBe(false);
    await engine.giveBack(first);
    expect(await engine.beat([second])).toEqual([]);
    expect(await complete(second)).toBe(true);
  });

  it('ends a lease and begins the next in one commit, or neither', async () => {
    await engine.send({ unit: 'a/three', group: 'three' });
    const claim = (await claimed('a/three'))!;
    const next = { unit: 'a/three', group: 'three' };
    const failing = scene.database.transaction(async (query) => {
      await engine.complete(claim, query);
      await engine.send(next, query);
      throw new Error('not yet');
    });
    await expect(failing).rejects.toThrow('not yet');
    expect(await engine.beat([claim])).toEqual([]);
    await scene.database.transaction(async (query) => {
      expect(await engine.complete(claim, query)).toBe(true);
      expect(await engine.send(next, query)).toBe(true);
    });
    expect(await claimed('a/three')).toMatchObject({ attempt: 0 });
  });

  it('runs two leases of a group at a time', async () => {
    for (const unit of ['g/1', 'g/2', 'g/3']) await engine.send({ unit, group: 'https://one.example' });
    const claims = [(await engine.claim())!, (await engine.claim())!];
    expect(claims.map(({ unit }) => unit).sort()).toEqual(['g/1', 'g/2']);
    expect(await engine.claim()).toBeUndefined();
    await complete(claims[0]!);
    expect(await engine.claim()).toMatchObject({ unit: 'g/3' });
  });

  it('claims due leases by place, then in the order they were sent', async () => {
    for (const [unit, place] of [
      ['p/1', 7],
      ['p/2', 5],
      ['p/3', 5],
    ] as const)
      await engine.send({ unit, group: unit, place });
    const claims = [await engine.claim(), await engine.claim(), await engine.claim()];
    expect(claims.map((claim) => `${claim?.unit} ${claim?.place}`)).toEqual(['p/2 5', 'p/3 5', 'p/1 7']);
  });

  it('lets tenants take turns, however many units one has', async () => {
    const send = async (tenant: string, name: string) => {
      const id = await scene.unit({ id: `${tenant}/${name}`, tenant, address: `https://${tenant}-${name}.example` });
      await sendLease(scene.query, engine, { unit: { id, tenant }, group: id });
    };
    for (const name of ['1', '2', '3', '4']) await send('many', name);
    const began: string[] = [];
    const begin = async () => {
      const claim = (await engine.claim())!;
      await notePlace(scene.query, claim.place);
      began.push(claim.unit);
      return claim;
    };
    const first = await begin();
    for (const name of ['1', '2']) await send('few', name);
    await begin();
    // Its next lease, after the others of its tenant: no unit is overtaken permanently.
    await complete(first);
    await send('many', '1');
    for (let left = 5; left > 0; left--) await begin();
    expect(began).toEqual(['many/1', 'few/1', 'many/2', 'few/2', 'many/3', 'many/4', 'many/1']);
  });

  it('sends leases of one tenant one behind the other, and none of a unit that has one', async () => {
    const unitOf = async (name: string) => ({
      id: await scene.unit({ id: `row/${name}`, tenant: 'row' }),
      tenant: 'row',
    });
    const [first, second, third, later, fourth] = await Promise.all(['1', '2', '3', 'later', '4'].map(unitOf));
    for (const unit of [first!, second!, first!, third!])
      await sendLease(scene.query, engine, { unit, group: unit.id });
    await sendLease(scene.query, engine, { unit: later!, group: later!.id, afterMs: 3_600_000 });
    await sendLease(scene.query, engine, { unit: fourth!, group: fourth!.id });
    const sent = await scene.query<{ unit: string; place: number }>(
      `SELECT singleton_key AS unit, -priority AS place FROM pgboss.job WHERE singleton_key LIKE 'row/%' ORDER BY place`,
    );
    const { place } = sent[0]!;
    expect(sent).toEqual([
      { unit: 'row/1', place },
      { unit: 'row/2', place: place + 1 },
      { unit: 'row/3', place: place + 2 },
      { unit: 'row/4', place: place + 3 },
      { unit: 'row/later', place: 2 ** 30 },
    ]);
    for (const unit of sent) await engine.withdraw(unit.unit);
  });

  it("puts a lease sent for later behind others until it is due, and then in its tenant's place", async () => {
    const send = async (tenant: string, name: string, afterMs = 0) => {
      const id = await scene.unit({ id: `${tenant}/${name}`, tenant });
      await sendLease(scene.query, engine, { unit: { id, tenant }, group: id, afterMs });
    };
    for (const name of ['1', '2']) await send('daily', name, 3_600_000);
    await send('daily', 'now');
    await send('other', '1');
    await scene.query(
      `UPDATE pgboss.job SET start_after = now() - right(singleton_key, 1)::int * interval '-1 s' - interval '9 s' WHERE singleton_key LIKE 'daily/_'`,
    );
    await scene.query('SELECT ferry.place_due()');
    const began: string[] = [];
    for (let claim = await engine.claim(); claim; claim = await engine.claim()) began.push(claim.unit);
    expect(began).toEqual(['daily/now', 'other/1', 'daily/1', 'daily/2']);
  });

  it('begins a lease no earlier than it is due', async () => {
    await engine.send({ unit: 'a/four', group: 'four', afterMs: 3_600_000 });
    expect(await claimed('a/four')).toBeUndefined();
    await scene.query(`UPDATE pgboss.job SET start_after = now() - interval '1 s' WHERE singleton_key = 'a/four'`);
    expect(await claimed('a/four')).toMatchObject({ unit: 'a/four' });
  });

  it('gives up a unit whose workers died twenty times, and reports it once', async () => {
    await engine.send({ unit: 'a/five', group: 'five' });
    await scene.query(`UPDATE pgboss.job SET retry_limit = 1 WHERE singleton_key = 'a/five' AND state = 'created'`);
    for (const attempt of [0, 1]) {
      const claim = (await claimed('a/five'))!;
      expect(claim.attempt).toBe(attempt);
      await scene.lapse(claim);
      await scene.supervise();
    }
    expect(await claimed('a/five')).toBeUndefined();
    const failing = scene.database.transaction(async (query) => {
      expect(await engine.buried(query)).toEqual(['a/five']);
      throw new Error('not yet');
    });
    await expect(failing).rejects.toThrow('not yet');
    expect(await scene.database.transaction((query) => engine.buried(query))).toEqual(['a/five']);
    expect(await scene.database.transaction((query) => engine.buried(query))).toEqual([]);
  });
});
