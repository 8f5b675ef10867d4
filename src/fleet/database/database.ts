import type { Pool, PoolClient, QueryResult } from 'pg';
import { StoreError, UsageError } from '../../lib/errors.ts';
import type { Secret } from '../../lib/secret.ts';

/** One statement; values are never written into it. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface FleetDatabase {
  /** Host and name of the database, for people; no password. */
  readonly name: string;
  readonly url: Secret;
  /** @throws StoreError where it cannot be reached. */
  readonly query: Query;
  /** All or nothing; `work` may be done several times before it is done. @throws what `work` throws; StoreError where it cannot be reached. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connections at most. */
  readonly max: number;
  /** As the server lists it. */
  readonly application: string;
}

/** A server that does not answer within that time is not there. In ms. */
const answerMs = 10_000;

/** Connects when the first statement is run. @throws UsageError if the address is invalid, or the package `pg` is missing */
export async function openDatabase(url: Secret, { max, application }: DatabaseOptions): Promise<FleetDatabase> {
  const name = databaseName(url);
  const { default: pg } = await import('pg').catch((cause: unknown) => Promise.reject(missingPeer('pg', cause)));
  const pool: Pool = new pg.Pool({
    connectionString: url.reveal(),
    max,
    application_name: application,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs * 3,
    keepAlive: true,
  });
  // A connection that breaks while idle is reopened with the next statement.
  pool.on('error', () => {});
  const fault = (error: unknown) => databaseFault(error, name);
  const once: FleetDatabase = {
    name,
    url,
    query: buildQuery(pool, fault),
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => Promise.reject(fault(error)));
      // A connection that breaks between two statements is reported by the next one.
      const ignore = () => {};
      client.on('error', ignore);
      const query = buildQuery(client, fault);
      let isSound = false;
      try {
        await query('BEGIN');
        const result = await work(query);
        await query('COMMIT');
        isSound = true;
        return result;
      } catch (error) {
        isSound = await query('ROLLBACK').then(
          () => true,
          () => false,
        );
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(!isSound);
      }
    },
    close: () => pool.end(),
  };
  return {
    ...once,
    query: (sql, values) => tryAgain(() => once.query(sql, values)),
    transaction: (work) => tryAgain(() => once.transaction(work)),
  };
}

const buildQuery =
  (client: Pool | PoolClient, fault: (error: unknown) => unknown): Query =>
  async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
    try {
      const result: QueryResult | readonly QueryResult[] = await client.query(sql, [...values]);
      // An array if one query has several statements.
      return [result].flat().flatMap((one) => one.rows as Row[]);
    } catch (error) {
      throw fault(error);
    }
  };

/**
 * Runs the work again after a deadlock: the server ends one of two transactions that wait for each other, and that one
 * has changed nothing.
 */
async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlock || tries === triesMax) throw error;
    }
  }
}

const deadlock = '40P01';
const triesMax = 4;

/** `ferry on db.example:5432`. @throws UsageError */
function databaseName(url: Secret): string {
  const text = url.reveal();
  const hint = 'Write it as postgres://user@host/name; you can put a password in the variable CHATFERRY_FLEET_DATABASE';
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError('Cannot use fleet.database: expected an address of PostgreSQL', { hint });
  const { hostname, port, pathname } = new URL(text);
  return `${pathname.slice(1) || 'postgres'} on ${hostname || 'this machine'}${port === '' ? '' : `:${port}`}`;
}

/** A package that only fleets need. */
export const missingPeer = (name: string, cause: unknown): UsageError =>
  new UsageError(`Cannot work in a fleet: the package "${name}" is not installed`, {
    hint: 'Run "npm install pg@8 pg-boss@12.35.0" next to Chatferry; only fleets need these packages',
    cause,
  });

/** Converts a database error. Our own errors and errors of the statement itself are passed on unchanged. */
export function databaseFault(error: unknown, name: string): unknown {
  const code = (error as { code?: unknown } | undefined)?.code;
  const words = error instanceof Error ? error.message.replaceAll(/\/\/[^@/\s]*@/g, '//') : 'no answer';
  if (code === notAllowed) {
    return new StoreError(`Cannot work with the database "${name}": ${words}`, {
      path: name,
      hint: 'Its user has to be allowed to make schemas in it: GRANT CREATE ON DATABASE … TO …',
      cause: error,
    });
  }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !isOutage(code)) return error;
  return new DatabaseDown(`Cannot reach the database "${name}": ${words || String(code ?? 'no answer')}`, {
    path: name,
    hint: 'Is it running, and does fleet.database name it? The database of "worker --embedded" ends with that worker. Started work continues when it is back',
    cause: error,
  });
}

const notAllowed = '42501';

/** 08: connections; 57P: the server stops or starts; 53: it has no room for one more; 28, 3D: it rejects every login. */
const isOutage = (code: string): boolean => /^(?:08|57P|53|28|3D)/.test(code) || code === '25006';

/** The database does not answer: it may again. */
export class DatabaseDown extends StoreError {}
