import { randomUUID } from 'node:crypto';
import { type FleetDatabase, openDatabase, type Query } from '../../src/fleet/database/database.ts';
import { beginLease } from '../../src/fleet/database/leases.ts';
import { putUnit, type Unit } from '../../src/fleet/database/units.ts';
import { type Claim, Engine } from '../../src/fleet/work/engine.ts';
import { makeFleet } from '../../src/fleet/open-fleet.ts';
import { atFileEnd } from '../file-end.ts';
import { testPostgres } from './postgres.ts';

export interface FleetScene {
  readonly database: FleetDatabase;
  readonly engine: Engine;
  readonly query: Query;
  /** A unit that waits for its first lease. @param about What is not as usual. */
  unit(about?: Partial<Unit>): Promise<string>;
  /** A unit whose lease has begun. */
  lease(about?: Partial<Unit>): Promise<{ readonly claim: Claim; readonly token: string; readonly unit: string }>;
  /** Looks for leases whose worker is silent. */
  supervise(): Promise<void>;
  /** As if its worker had been silent for longer than it may. */
  lapse(claim: Claim): Promise<void>;
}

let units = 0;

/** A fleet in a database of its own, for the tests of a file. */
export async function fleetScene(): Promise<FleetScene> {
  const database = await openDatabase(await testPostgres(), { max: 4, application: 'test' });
  atFileEnd(() => database.close());
  await makeFleet(database);
  const engine = await Engine.open(database, { heartbeatSeconds: 10, supervises: false });
  const { query } = database;
  const unit = async (about: Partial<Unit> = {}): Promise<string> => {
    const id = about.id ?? `acme/unit-${++units}`;
    await putUnit(query, {
      ...{ id, tenant: 'acme', quota: 60, address: `https://${units}.example` },
      config: { job: {}, top: {}, folder: '/', from: 'command' },
      ...about,
    });
    return id;
  };
  return {
    database,
    engine,
    query,
    unit,
    async lease(about) {
      const id = await unit(about);
      await engine.send({ unit: id, group: id });
      for (;;) {
        const claim = (await engine.claim())!;
        if (claim.unit !== id) continue;
        const token = randomUUID();
        await database.transaction((query) => beginLease(query, claim, token, 'worker-1'));
        return { claim, token, unit: id };
      }
    },
    async supervise() {
      // It looks every 5 s at most.
      await query('UPDATE pgboss.queue SET monitor_on = NULL, monitor_claim_on = NULL');
      await engine.supervise();
    },
    async lapse({ job }) {
      await query(`UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 hour' WHERE id = $1`, [job]);
    },
  };
}
