import { Socket } from 'node:net';
import type { Client } from 'pg';
import { UsageError } from '../../../lib/errors.ts';
import type { DatabaseAddress } from '../address/address.ts';
import type { CellText, DatabaseProblem, ServerClock } from '../database.ts';
import { type CredentialPlaces, findPassword } from './credentials.ts';
import { postgresEncryption } from './encryption.ts';
import { type Attempt, postgresFault } from './faults.ts';
import { quoted } from './identifier.ts';

/** Rows of one statement. */
export type Answer = readonly (readonly CellText[])[];

/** Runs one statement. @throws SourceError */
export type Run = (sql: string, values?: readonly string[]) => Promise<Answer>;

/** A server that does not answer within that time is not there. In ms. */
const patienceMs = 10_000;

/**
 * Settings for value formats and limits. They override those of the server, the database and the role. They apply only
 * to the transaction, so a connection pool does not pass them on to other clients.
 */
const settings: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // An error instead of rows that are missing in silence.
  row_security: 'off',
  // Every reading of a large table begins with its first page.
  synchronize_seqscans: 'off',
  lock_timeout: '2s',
  statement_timeout: '0',
  transaction_timeout: '0',
  // The user may have suspended this process. While the transaction is open, the server cannot clean up old rows.
  idle_in_transaction_session_timeout: '10min',
  // Ends what runs for a client that is gone.
  client_connection_check_interval: '2s',
};

const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);

/** A setting that this version does not have is left out. */
const settingsSql = `
  SELECT pg_catalog.set_config(name, value, true) FROM (VALUES ${values.join(', ')}) AS wanted (name, value)
  JOIN pg_catalog.pg_settings USING (name)`;

/** Where names are looked up, and the first schema of that. Without operators, which a schema before the server's own may replace. */
const pathSql = `SELECT pg_catalog.current_setting('search_path'), pg_catalog.current_schema()`;

/** All types as text. */
const asText = { getTypeParser: () => (value: unknown) => value };

/**
 * One connection with one read-only transaction, in which every statement sees the same rows. Statements wait for each other. After an abort,
 * or once the server is gone, each of them throws.
 */
export class PostgresSession {
  readonly problems: readonly DatabaseProblem[];
  #clock: ServerClock | undefined;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #attempt: Attempt;
  #turn: Promise<unknown> = Promise.resolve();
  /** The reason why the connection ended: an abort, or an error of the server. */
  #end: { readonly error: unknown } | undefined;
  #stopWatching = () => {};
  #path: CellText | undefined;
  #schema: CellText | undefined;

  private constructor(client: Client, socket: Socket, attempt: Attempt, problems: readonly DatabaseProblem[]) {
    this.#client = client;
    this.#socket = socket;
    this.#attempt = attempt;
    this.problems = problems;
    client.on('error', (error) => (this.#end ??= { error: postgresFault(error, attempt) }));
  }

  /**
   * @param signal Ends the connection, until it is closed.
   * @throws UsageError for credentials that cannot be used; SourceError if the server cannot be reached or refuses the
   *   login.
   */
  static async open(address: DatabaseAddress, places: CredentialPlaces, signal: AbortSignal): Promise<PostgresSession> {
    signal.throwIfAborted();
    const { password, place } = findPassword(address, places);
    const { tls, problems } = postgresEncryption(address, places);
    const { default: pg } = await import('pg').catch((cause: unknown) => Promise.reject(missingDriver(cause)));
    const socket = new Socket();
    // Every option left out here would make `pg` look in the environment of this process.
    const client = new pg.Client({
      host: address.host,
      port: address.port,
      user: address.user,
      database: address.database,
      password: () => password?.reveal() ?? Promise.reject(noPassword(address, place)),
      ssl: tls,
      sslnegotiation: 'postgres',
      stream: () => socket,
      application_name: 'chatferry',
      client_encoding: 'UTF8',
      connectionTimeoutMillis: patienceMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      types: asText,
    });
    const attempt = { address, passwordPlace: place, takesVariable: !places.passwordFile, patienceMs };
    const session = new PostgresSession(client, socket, attempt, problems);
    return await session.#begin(signal);
  }

  async #begin(signal: AbortSignal): Promise<this> {
    this.#stopWatching = this.endOn(signal);
    try {
      await this.#explained(() => this.#client.connect());
      // Before the snapshot: a transaction that commits between the two would be in neither.
      this.#clock = readClock(await this.run(clockSql).catch(() => []), this.#attempt.address);
      await this.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const [found] = await this.run(pathSql);
      [this.#path, this.#schema] = found ?? [];
      await this.searchIn('pg_catalog');
      await this.run(settingsSql);
      return this;
    } catch (error) {
      this.#stopWatching();
      this.#socket.destroy();
      throw error;
    }
  }

  /** The schema in which tables are found by their names alone. */
  get schema(): string {
    return this.#schema ?? 'public';
  }

  /**
   * Says where names are looked up: at first in the server's own schema alone, so that nobody's functions and operators take the place of its own.
   *
   * @param path Default: that of the role, which functions of views may need.
   */
  async searchIn(path = this.#path ?? ''): Promise<void> {
    await this.exclusively((run) => run(`SELECT pg_catalog.set_config('search_path', $1, true)`, [path]));
  }

  get clock(): ServerClock | undefined {
    return this.#clock;
  }

  /** An abort ends the connection at once, under whatever runs. @returns Stops watching the signal. */
  endOn(signal: AbortSignal): () => void {
    const end = () => {
      this.#end ??= { error: signal.reason };
      this.#socket.destroy();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return () => signal.removeEventListener('abort', end);
  }

  run(sql: string): Promise<Answer> {
    return this.exclusively((run) => run(sql));
  }

  /** Statements between which no other comes. */
  exclusively<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => work((sql, parameters) => this.#query(sql, parameters)));
    this.#turn = done.catch(() => {});
    return done;
  }

  /**
   * In the extended protocol, in which PostgreSQL refuses a second statement: what is declared as a cursor can be nothing but a query. A
   * read-only transaction alone would let a superuser write files and run programs.
   */
  async #query(sql: string, parameters: readonly string[] = []): Promise<Answer> {
    if (this.#end) throw this.#end.error;
    const statement = { text: sql, values: [...parameters], rowMode: 'array', queryMode: 'extended' } as const;
    const { rows } = await this.#explained(() => this.#client.query<CellText[]>(statement));
    return rows;
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#end ? this.#end.error : postgresFault(error, this.#attempt);
    }
  }

  /** Waits for what runs. Nothing is left at the server, whichever way the connection ends. */
  async close(): Promise<void> {
    await this.#turn;
    this.#stopWatching();
    if (!this.#end) await this.#client.end();
    this.#socket.destroy();
  }
}

const missingDriver = (cause: unknown): UsageError =>
  new UsageError('Cannot read a PostgreSQL: the package "pg" is not installed', {
    hint: 'Run "npm install pg@8" next to Chatferry; nothing else needs it but fleets',
    cause,
  });

const noPassword = ({ shown }: DatabaseAddress, place: string): UsageError =>
  new UsageError(`Cannot read ${shown}: the server asks for a password, and there is none`, {
    hint: `Set PGPASSWORD, or add a line host:port:database:user:password to ${place}`,
    wants: 'password',
  });

/**
 * The time; the age of the oldest transaction of others in this database, in ms, or why it cannot be seen; prepared transactions.
 *
 * A transaction that has only read so far may still write, and `now()` in it is its beginning: each counts. The server knows of
 * a prepared one only when it was prepared. A session under `track_activities = off` does not say when its transaction began.
 */
const clockSql = `
  SELECT extract(epoch FROM pg_catalog.clock_timestamp()) * 1000,
    (SELECT extract(epoch FROM pg_catalog.clock_timestamp() - min(xact_start)) * 1000 FROM pg_catalog.pg_stat_activity
      WHERE datname = pg_catalog.current_database() AND pid <> pg_catalog.pg_backend_pid()),
    CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'standby'
      WHEN NOT pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE') THEN 'right'
      WHEN EXISTS (SELECT FROM pg_catalog.pg_stat_activity
        WHERE datname = pg_catalog.current_database() AND state = 'disabled') THEN 'setting' END,
    (SELECT string_agg(p.transaction::text || ' ' || extract(epoch FROM p.prepared)::text, ',') FROM pg_catalog.pg_prepared_xacts p
      WHERE p.database = pg_catalog.current_database())`;

/** Nothing if the server did not say. */
function readClock(answer: Answer, { user }: DatabaseAddress): ServerClock | undefined {
  const [now, age, hiddenBy, prepared] = answer[0] ?? [];
  const nowMs = Number(now ?? Number.NaN);
  if (!Number.isFinite(nowMs)) return undefined;
  return {
    nowMs,
    ...(prepared && { prepared: prepared.split(',') }),
    ...(hiddenBy ? { hidden: hiddenFrom(user)[hiddenBy]! } : { openTransactionMs: Math.ceil(Number(age ?? 0)) }),
  };
}

const hiddenFrom = (user: string): Readonly<Record<string, NonNullable<ServerClock['hidden']>>> => ({
  right: {
    reason: `the role ${quoted(user)} may not see transactions of others`,
    remedy: `GRANT pg_read_all_stats TO ${quoted(user)}`,
  },
  standby: { reason: 'a standby does not show the transactions of its primary', remedy: 'Name the primary' },
  setting: {
    reason: 'sessions with track_activities = off do not show when their transactions began',
    remedy: 'Set track_activities to on',
  },
});
