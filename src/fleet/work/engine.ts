/**
 * The queue of leases, on pg-boss: the only module that knows it. Six things are leaned on, and tested as such: one job for a unit at a time, waiting or
 * running; the attempt as a fence; `complete` and `send` inside of our transaction; a limit for each group; dead letters; a job that begins later.
 */
import type { PgBoss } from 'pg-boss';
import { StoreError } from '../../lib/errors.ts';
import { databaseFault, type FleetDatabase, missingPeer, type Query } from '../database/database.ts';

/** The queue name also appears in `ferry.holds`. */
const leaseQueue = 'ferry.lease';
const dead = 'ferry.dead';

/** So often a lease may die with its worker, one after the other. */
const attemptsMax = 20;
/** Stores at one destination at a time: more at one quota would only wait. */
export const atDestinationMax = 2;

export interface Claim {
  readonly job: string;
  /** From 0; goes up each time a worker lost the lease. */
  readonly attempt: number;
  readonly unit: string;
}

export interface FreshClaim extends Claim {
  /** As it was sent. */
  readonly place: number;
}

export interface NextLease {
  readonly unit: string;
  /** At most two leases of one group run at a time. */
  readonly group: string;
  /** In ms; now by default. */
  readonly afterMs?: number | undefined;
  /** Among the leases that are due, the one with the lowest place is claimed first. 0 by default. */
  readonly place?: number | undefined;
}

export interface EngineOptions {
  /** A worker that is silent for so long has lost its leases: 10 at least. */
  readonly heartbeatSeconds: number;
  /** Whether this process looks for leases whose worker is silent. */
  readonly supervises: boolean;
}

export class Engine {
  readonly #boss: PgBoss;
  readonly #query: Query;
  readonly #heartbeatSeconds: number;

  private constructor(boss: PgBoss, { query }: FleetDatabase, { heartbeatSeconds }: EngineOptions) {
    this.#boss = boss;
    this.#query = query;
    this.#heartbeatSeconds = heartbeatSeconds;
  }

  /** @throws StoreError if the queues do not exist; UsageError if the package is missing. */
  static async open(database: FleetDatabase, options: EngineOptions): Promise<Engine> {
    const boss = await makeBoss(database, options);
    try {
      await boss.start();
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      throw notMade(database, cause);
    }
    return new Engine(boss, database, options);
  }

  /** Makes the queues, or brings them up to date. */
  static async make(database: FleetDatabase): Promise<void> {
    const { PgBoss } = await loadBoss();
    const boss = new PgBoss({
      ...quiet,
      connectionString: database.url.reveal(),
      max: 2,
      migrate: true,
      supervise: false,
    });
    boss.on('error', () => {});
    try {
      await boss.start();
      await boss.createQueue(dead, { policy: 'standard', retentionSeconds: year, deleteAfterSeconds: year });
      const queue = {
        retryLimit: attemptsMax,
        retryDelay: 0,
        heartbeatSeconds: 30,
        expireInSeconds: 23 * 3600,
        retentionSeconds: year,
        deleteAfterSeconds: 3600,
      };
      await boss.createQueue(leaseQueue, { ...queue, policy: 'exclusive', deadLetter: dead });
      await boss.updateQueue(leaseQueue, { ...queue, deadLetter: dead });
    } catch (error) {
      throw databaseFault(error, database.name);
    } finally {
      await boss.stop({ graceful: false });
    }
  }

  /** @returns false if the unit has a lease already. */
  async send({ unit, group, afterMs = 0, place = 0 }: NextLease, query?: Query): Promise<boolean> {
    const id = await this.#boss.send(
      leaseQueue,
      { unit },
      {
        singletonKey: unit,
        group: { id: group },
        heartbeatSeconds: this.#heartbeatSeconds,
        priority: -place,
        // Whole seconds: it rounds them itself.
        ...(afterMs > 0 && { startAfter: Math.ceil(afterMs / 1000) }),
        ...inside(query),
      },
    );
    return id !== null;
  }

  async claim(): Promise<FreshClaim | undefined> {
    const [job] = await this.#boss.fetch<{ unit: string }>(leaseQueue, {
      batchSize: 1,
      groupConcurrency: atDestinationMax,
      includeMetadata: true,
    });
    return job && { job: job.id, attempt: job.retryCount, unit: job.data.unit, place: -job.priority };
  }

  /** Says that the worker lives. @returns Those that it has no more. */
  async beat(claims: readonly Claim[]): Promise<readonly Claim[]> {
    const lost: Claim[] = [];
    for (const claim of claims) {
      if (affectedCount(await this.#boss.touch(leaseQueue, [toAttempt(claim)])) === 0) lost.push(claim);
    }
    return lost;
  }

  /** @returns false if another worker has it by now: then nothing changed. */
  async complete(claim: Claim, query: Query): Promise<boolean> {
    return affectedCount(await this.#boss.complete(leaseQueue, [toAttempt(claim)], null, inside(query))) === 1;
  }

  /** Gives a lease back: another worker, or this one later, may take it at once. */
  async giveBack(claim: Claim): Promise<void> {
    await this.#boss.fail(leaseQueue, [toAttempt(claim)], null);
  }

  /** Removes waiting leases of a unit. A lease that runs continues, even one that has just begun. */
  async withdraw(unit: string, query: Query = this.#query): Promise<void> {
    await query(`DELETE FROM pgboss.job WHERE name = $1 AND singleton_key = $2 AND state < 'active'`, [
      leaseQueue,
      unit,
    ]);
  }

  /** Returns units whose worker died repeatedly. Each is returned once, if the transaction commits. */
  async buried(query: Query): Promise<readonly string[]> {
    const jobs = await this.#boss.fetch<{ unit: string }>(dead, { batchSize: 100, ...inside(query) });
    for (const { id } of jobs) await this.#boss.complete(dead, id, null, inside(query));
    return jobs.map(({ data }) => data.unit);
  }

  /** Whether it has a lease that waits or runs. */
  async hasLease(unit: string, query: Query): Promise<boolean> {
    const jobs = await this.#boss.findJobs(leaseQueue, { key: unit, ...inside(query) });
    return jobs.some(({ state }) => state === 'created' || state === 'retry' || state === 'active');
  }

  /** Looks once for leases whose worker is silent: what a worker does every 5 s. */
  async supervise(): Promise<void> {
    await this.#boss.supervise(leaseQueue);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: true });
  }
}

const year = 365 * 24 * 3600;

const quiet = { schedule: false, persistWarnings: false, persistQueueStats: false } as const;

const toAttempt = ({ job, attempt }: Claim) => ({ id: job, retryCount: attempt });

/** Its types leave out what it answers. */
const affectedCount = (response: object): number => (response as { readonly affected: number }).affected;

const inside = (query: Query | undefined) =>
  query
    ? { db: { executeSql: async (sql: string, values?: unknown[]) => ({ rows: [...(await query(sql, values))] }) } }
    : {};

const loadBoss = async (): Promise<typeof import('pg-boss')> =>
  await import('pg-boss').catch((cause: unknown) => Promise.reject(missingPeer('pg-boss', cause)));

async function makeBoss({ query }: FleetDatabase, { supervises }: EngineOptions): Promise<PgBoss> {
  const { PgBoss } = await loadBoss();
  const boss = new PgBoss({
    ...quiet,
    ...inside(query),
    migrate: false,
    createSchema: false,
    supervise: supervises,
    // Across all workers, one checks at this interval: the lease of a silent worker is available a second after it
    // lapsed.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  // Errors reported here come back with the next call.
  boss.on('error', () => {});
  return boss;
}

const notMade = (database: FleetDatabase, cause: unknown): StoreError =>
  new StoreError(`Cannot work with the database "${database.name}": it has no queues of this version`, {
    path: database.name,
    hint: 'Run "chatferry fleet init"; if that does not help, a newer version of Chatferry made them: update this one',
    cause,
  });
