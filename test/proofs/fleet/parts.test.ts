import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { planExport } from '../../../src/commands/plan.ts';
import { changeUnits } from '../../../src/fleet/change-units.ts';
import { UnitCopies } from '../../../src/fleet/copies/unit-copies.ts';
import { openFleetFiles } from '../../../src/fleet/copies/fleet-files.ts';
import { takeNames } from '../../../src/fleet/database/names.ts';
import { lockExport, readUnit, type Unit } from '../../../src/fleet/database/units.ts';
import { submitJob } from '../../../src/fleet/submit.ts';
import { finishTurn } from '../../../src/fleet/turn/end-turn.ts';
import { jobFromKeys } from '../../../src/fleet/unit-job.ts';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { never } from '../../scenes/bench.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { exportOf } from '../../fleet/fleet-here.ts';
import { type FleetScene, fleetScene } from '../../fleet/fleet-scene.ts';
import { programs } from '../../fleet/postgres.ts';

const home = temporaryFolder();

describe.skipIf(programs === null)('parts of an export', () => {
  let fleet: FleetScene;
  let exports = 0;

  beforeAll(async () => {
    fleet = await fleetScene();
  });

  type Turn = Awaited<ReturnType<FleetScene['turn']>>;

  /** Parts whose first turns run. */
  async function partsOf(
    count: number,
    job: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly name: string; readonly turns: readonly Turn[] }> {
    const name = `acme/parts-${++exports}`;
    const turns: Turn[] = [];
    for (let part = 0; part < count; part++)
      turns.push(
        await fleet.turn({
          ...{ id: `${name}#${part + 1}`, export: name, part, parts: count, address: `https://${name}` },
          config: { job, top: {}, folder: '/', from: 'command' },
        }),
      );
    return { name, turns };
  }

  const phasesOf = async (name: string) =>
    (
      await fleet.query<Pick<Unit, 'phase' | 'state'>>(
        'SELECT phase, state FROM ferry.unit WHERE export = $1 ORDER BY part',
        [name],
      )
    ).map(({ phase, state }) => `${phase} ${state}`);

  const result = { exit: 0, stopped: null };
  /** The plan of a part ends well. */
  const named = { state: 'waiting', phase: 'named', afterMs: undefined, failures: 0, reason: null } as const;
  const done = { state: 'done', phase: 'done', afterMs: undefined, failures: 0, reason: null } as const;

  async function end(
    { claim, token, unit }: Turn,
    next: typeof named | typeof done,
    store = 'none',
    hasPeople = false,
  ) {
    const turn = { number: 1, epoch: 1, isLost: false, lostAgoMs: 0 };
    const request = { claim, token, turn, unit: (await readUnit(fleet.query, unit))! };
    return await finishTurn(request, fleet, { run: { result, isCut: false }, next, books: null, store, hasPeople });
  }

  const jobsOf = async (name: string) =>
    (
      await fleet.query<{ unit: string }>(
        `SELECT singleton_key AS unit FROM pgboss.job WHERE singleton_key LIKE $1 AND state = 'created' ORDER BY 1`,
        [`${name}#%`],
      )
    ).map(({ unit }) => unit.slice(name.length));

  async function drop(unit: string): Promise<void> {
    await fleet.query('UPDATE ferry.unit SET worker = NULL WHERE id = $1', [unit]);
    const folder = home.make();
    const location = await openFleetFiles({ files: join(folder, 'files') }, { env: {}, folder });
    const copies = new UnitCopies(location, { clock: systemClock, random: Math.random });
    await changeUnits(fleet.database, { engine: fleet.engine, copies, signal: never }, 'drop', unit);
  }

  async function plannedStore(): Promise<string> {
    const folder = home.make();
    const from = exportOf(folder, 'shared', 20);
    const request = await sessionRequest(folder, { from: [from] });
    await planExport(request);
    return request.store;
  }

  it('may all end their plans at one time: each waits for the others, and all are sent once', async () => {
    const store = await plannedStore();
    const { name, turns } = await partsOf(4);
    await Promise.all(turns.map((turn) => end(turn, named, store)));
    expect(await phasesOf(name)).toEqual(Array.from({ length: 4 }, () => 'send waiting'));
    expect(await jobsOf(name)).toEqual(['#1', '#2', '#3', '#4']);
  });

  it('leave the worker free to say that it lives while names are compared', async () => {
    const store = await plannedStore();
    const { name, turns } = await partsOf(2);
    const comparing = Promise.withResolvers<void>();
    const other = fleet.database.transaction(async (query) => {
      await lockExport(query, name);
      await comparing.promise;
    });
    const ending = end(turns[0]!, named, store);
    expect(await fleet.engine.beat([turns[0]!.claim])).toEqual([]);
    comparing.resolve();
    await other;
    expect(await ending).toMatchObject({ state: 'waiting' });
  });

  it('go on without one that is dropped', async () => {
    const { name, turns } = await partsOf(3);
    for (const turn of turns.slice(0, 2)) await end(turn, named);
    expect(await phasesOf(name)).toEqual(['named waiting', 'named waiting', 'plan running']);
    await drop(`${name}#3`);
    expect(await phasesOf(name)).toEqual(['send waiting', 'send waiting']);
    expect(await jobsOf(name)).toEqual(['#1', '#2']);
  });

  it('do what is about people without one that is dropped before it was sent', async () => {
    const { name, turns } = await partsOf(2, { actions: 'friends' });
    await end(turns[0]!, done, 'none', true);
    await drop(`${name}#2`);
    expect(await phasesOf(name)).toEqual(['people waiting']);
    await drop(`${name}#1`);
    expect(await phasesOf(name)).toEqual([]);
  });

  it('do what is about people once all are sent, each for its own', async () => {
    const { name, turns } = await partsOf(2);
    await end(turns[0]!, done, 'none', true);
    expect(await phasesOf(name)).toEqual(['done done', 'plan running']);
    await end(turns[1]!, done, 'none', true);
    expect(await phasesOf(name)).toEqual(['people waiting', 'people waiting']);
    expect(await jobsOf(name)).toEqual(['#1', '#2']);
  });

  const submit = (name: string, workspace: string, folder = home.make()) => {
    const path = exportOf(folder, name, 5);
    const job = { name, to: `https://${name}.example`, export: { path: [path] }, workspace };
    const options = { tenant: 'acme', parts: 3, env: {}, nowMs: systemClock.now(), random: Math.random };
    return submitJob(fleet.database, fleet.engine, jobFromKeys({ job, top: {}, folder, from: 'command' }), options);
  };

  it('run as many plans at a time as there are workers', async () => {
    await submit('many', 'one');
    const units: string[] = [];
    for (let claim = await fleet.engine.claim(); claim; claim = await fleet.engine.claim()) units.push(claim.unit);
    expect(units.filter((unit) => unit.startsWith('acme/many#'))).toHaveLength(3);
  });

  it('forget what names they took where they are handed in with other settings', async () => {
    const folder = home.make();
    await submit('names', 'one', folder);
    const take = (part: number, sourceId: string) => {
      const unit = { id: `acme/names#${part}`, export: 'acme/names' };
      return takeNames(fleet.query, unit, [{ kind: 'uid', id: 'x', sourceId }]);
    };
    expect(await take(1, 'ann')).toMatchObject({ count: 0 });
    expect(await take(2, 'ann')).toMatchObject({ count: 0 });
    expect(await take(3, 'bob')).toMatchObject({ count: 1 });
    expect((await submit('names', 'two', folder)).map(({ was }) => was)).toEqual(['changed', 'changed', 'changed']);
    // Now somebody else has that name, and no other part: which ends first makes no difference.
    expect(await take(2, 'bob')).toMatchObject({ count: 0 });
    expect(await take(3, 'bob')).toMatchObject({ count: 0 });
  });
});
