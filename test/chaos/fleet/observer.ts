import { type FleetDatabase, openDatabase, DatabaseDown } from '../../../src/fleet/database/database.ts';
import type { UnitState } from '../../../src/fleet/database/units.ts';
import type { Secret } from '../../../src/lib/secret.ts';
import type { Totals } from '../../../src/model/totals.ts';

/** A lease as it was once in the database: a restore may have taken it away again. */
export interface SeenLease {
  readonly unit: string;
  readonly job: string;
  readonly attempt: number;
  readonly worker: string;
  /** Ms since 1970, of this machine. */
  readonly beganMs: number;
}

export interface SeenUnit {
  readonly id: string;
  readonly state: UnitState;
  readonly worker: string | null;
  readonly reason: string | null;
  readonly totals: Totals | null;
}

/** Looks at the database again and again, and remembers what it saw. */
export class Observer {
  readonly leases = new Map<string, SeenLease>();
  units: readonly SeenUnit[] = [];
  readonly #database: FleetDatabase;

  private constructor(database: FleetDatabase) {
    this.#database = database;
  }

  static open = async (url: Secret): Promise<Observer> =>
    new Observer(await openDatabase(url, { max: 1, application: 'chaos' }));

  /** @returns Whether the database answered. */
  async check(): Promise<boolean> {
    try {
      this.units = await this.#database.query<SeenUnit>('SELECT id, state, worker, reason, totals FROM ferry.unit');
      const leases = await this.#database.query<SeenLease>(
        `SELECT unit, job, attempt, worker, (extract(epoch FROM began) * 1000)::float8 AS "beganMs" FROM ferry.lease
         WHERE began > clock_timestamp() - interval '2 minutes'`,
      );
      for (const lease of leases)
        this.leases.set(`${lease.unit} ${lease.job} ${lease.attempt} ${lease.beganMs}`, lease);
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseDown)) throw error;
      return false;
    }
  }

  /** Keys of its copies, the newest first; none while the database is down. */
  copiesOf = async (unit: string): Promise<readonly string[]> =>
    await this.#database
      .query<{ key: string }>('SELECT key FROM ferry.copy WHERE unit = $1 ORDER BY number DESC', [unit])
      .then((rows) => rows.map(({ key }) => key))
      .catch(() => []);

  close = (): Promise<void> => this.#database.close();
}
