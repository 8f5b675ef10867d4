import { connect, type Socket } from 'node:net';
import type { Connection, ResultSetHeader } from 'mysql2';
import { UsageError } from '../../../lib/errors.ts';
import type { DatabaseAddress } from '../address/address.ts';
import type { CellText, DatabaseProblem, ServerClock } from '../database.ts';
import type { RawValue } from './cells.ts';
import { type CredentialPlaces, findCredentials } from './credentials.ts';
import { mysqlEncryption } from './encryption.ts';
import { type Attempt, mysqlFault } from './faults.ts';
import { quoted } from './identifier.ts';

/** Rows of one statement. */
export type Answer = readonly (readonly CellText[])[];

/** A server that does not answer within that time is not there. In ms. */
const patienceMs = 10_000;

/** Time for the server to end the connection, once it is asked to, in ms. */
const farewellMs = 2000;

/**
 * Format of values and limits that apply, whatever the server, the database and the role have set. A setting that a
 * version does not have is left out.
 */
const settings: Readonly<Record<string, string>> = {
  time_zone: "'+00:00'",
  // Spaces at the end of CHAR, and backslashes in literals, as MySQL has them by default.
  sql_mode: "''",
  sql_select_limit: '18446744073709551615',
  // MySQL, in ms; MariaDB, in s.
  max_execution_time: '0',
  max_statement_time: '0',
  sql_big_selects: '1',
  // Views that recur end there, and texts that they join, with a warning. MySQL has another name for the first.
  max_recursive_iterations: '4294967295',
  cte_max_recursion_depth: '4294967295',
  group_concat_max_len: '16777216',
  lock_wait_timeout: '2',
  // Ours may be slow to take rows.
  net_write_timeout: '3600',
  // The user may have suspended this process. While the transaction is open, the server cannot clean up old rows. In s.
  wait_timeout: '600',
  idle_transaction_timeout: '0',
  idle_readonly_transaction_timeout: '0',
};

const settingNames = Object.keys(settings)
  .map((name) => `'${name}'`)
  .join(', ');

/** Bit of the status flags that the server sends after an answer. */
const inTransaction = 1;

/**
 * One connection with one read-only transaction, in which every statement sees the same rows. Statements wait for each other. After an abort,
 * or once the server is gone, each of them throws.
 */
export class MysqlSession {
  readonly problems: readonly DatabaseProblem[];
  #clock: ServerClock | undefined;
  /** Whether the transaction has begun. */
  #hasBegun = false;
  readonly #connection: Connection;
  readonly #socket: Socket;
  readonly #attempt: Attempt;
  #turn: Promise<unknown> = Promise.resolve();
  /** The reason why the connection ended: an abort, or an error of the server. */
  #end: { readonly error: unknown } | undefined;
  /** Ends the statement that runs: the driver says nothing to it when the connection ends. */
  #fail: (error: unknown) => void = () => {};
  #stopWatching = () => {};

  private constructor(connection: Connection, socket: Socket, attempt: Attempt, problems: readonly DatabaseProblem[]) {
    this.#connection = connection;
    this.#socket = socket;
    this.#attempt = attempt;
    this.problems = problems;
    connection.on('error', (error) => this.#finish(this.#explain(error)));
    socket.on('close', () => this.#finish(this.#explain({ code: 'PROTOCOL_CONNECTION_LOST' })));
  }

  /**
   * @param signal Ends the connection, until it is closed.
   * @throws UsageError for credentials that cannot be used; SourceError if the server cannot be reached or refuses the
   *   login.
   */
  static async open(given: DatabaseAddress, places: CredentialPlaces, signal: AbortSignal): Promise<MysqlSession> {
    signal.throwIfAborted();
    const { address, password, place, file } = findCredentials(given, places);
    const { tls, problems } = mysqlEncryption(address, file);
    const { default: mysql } = await import('mysql2').catch((cause: unknown) => Promise.reject(missingDriver(cause)));
    const socket = address.host.startsWith('/') ? connect(address.host) : connect(address.port, address.host);
    socket.setNoDelay(true).setKeepAlive(true, 30_000);
    const connection = mysql.createConnection({
      stream: socket,
      host: address.host,
      port: address.port,
      ...(address.host.startsWith('/') && { socketPath: address.host }),
      user: address.user,
      database: address.database,
      ...(password && { password: password.reveal() }),
      ...(tls && { ssl: tls }),
      connectTimeout: patienceMs,
      connectAttributes: { program_name: 'chatferry' },
      charset: 'utf8mb4_general_ci',
      // No server may ask for files of this machine.
      flags: ['-LOCAL_FILES'],
      disableEval: true,
      trace: false,
    });
    const takesVariable = !places.passwordFile && !file.password;
    const attempt = { address, hasPassword: password !== undefined, passwordPlace: place, patienceMs, takesVariable };
    const session = new MysqlSession(connection, socket, attempt, problems);
    return await session.#begin(signal);
  }

  async #begin(signal: AbortSignal): Promise<this> {
    this.#stopWatching = this.endOn(signal);
    try {
      await this.#connected();
      await this.run('SET NAMES utf8mb4');
      const known = await this.run(`SHOW VARIABLES WHERE Variable_name IN (${settingNames})`);
      await this.run(`SET ${known.map(([name]) => `SESSION ${name} = ${settings[name!]}`).join(', ')}`);
      // Before the snapshot: a transaction that commits between the two would be in neither.
      const open = await this.run(openTransactionSql).catch(() => undefined);
      this.#clock = readClock(await this.run(clockSql), open, this.#attempt.address);
      await this.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await this.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      this.#hasBegun = true;
      return this;
    } catch (error) {
      this.#stopWatching();
      this.#socket.destroy();
      throw error;
    }
  }

  #connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#end) reject(this.#end.error);
      this.#fail = reject;
      this.#connection.once('connect', () => resolve());
    });
  }

  get clock(): ServerClock | undefined {
    return this.#clock;
  }

  /** An abort ends the connection at once, under whatever runs. @returns Stops watching the signal. */
  endOn(signal: AbortSignal): () => void {
    const end = () => this.#finish(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return () => signal.removeEventListener('abort', end);
  }

  async run(sql: string): Promise<Answer> {
    const answer: (readonly CellText[])[] = [];
    await this.each(sql, (values) => answer.push(values.map((value) => value?.toString() ?? null)));
    return answer;
  }

  /** Passes on each row as it arrives, without backpressure. An error that `onRow` throws ends the connection. */
  each(sql: string, onRow: (values: readonly RawValue[]) => void): Promise<void> {
    const done = this.#turn.then(() => this.#query(sql, onRow));
    this.#turn = done.catch(() => {});
    return done;
  }

  async #query(sql: string, onRow: (values: readonly RawValue[]) => void): Promise<void> {
    try {
      await this.#ask(sql, (row) => {
        if (Array.isArray(row)) onRow(row);
      });
    } catch (error) {
      if (!this.#end && this.#hasBegun) await this.#checkTransaction();
      throw this.#end ? this.#end.error : this.#explain(error);
    }
  }

  #ask(sql: string, onResult: (result: unknown) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#end) {
        reject(this.#end.error);
        return;
      }
      this.#fail = reject;
      const query = this.#connection.query({ sql, rowsAsArray: true, typeCast: false });
      query.on('error', reject);
      query.on('end', () => resolve());
      query.on('result', (result: unknown) => {
        // An error thrown here would end the process.
        try {
          if (!this.#end) onResult(result);
        } catch (error) {
          this.#finish(error);
        }
      });
    });
  }

  /** A server may end the transaction with a statement that fails: other rows would belong to a later state. */
  async #checkTransaction(): Promise<void> {
    let status = 0;
    await this.#ask('DO 0', (result) => {
      status = (result as ResultSetHeader).serverStatus;
    }).catch((error) => this.#finish(this.#explain(error)));
    if ((status & inTransaction) === 0) this.#finish(this.#explain({ code: 'PROTOCOL_CONNECTION_LOST' }));
  }

  #explain(error: unknown): unknown {
    return mysqlFault(error, { ...this.#attempt, isAdmitted: this.#hasBegun }, this.#connection);
  }

  #finish(error: unknown): void {
    this.#end ??= { error };
    this.#socket.destroy();
    this.#fail(this.#end.error);
  }

  /** Waits for what runs. Nothing is left at the server, whichever way the connection ends. */
  async close(): Promise<void> {
    await this.#turn;
    this.#stopWatching();
    if (this.#end) return;
    // The server ends the connection; one that is cut off counts there as a fault.
    await new Promise<void>((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.setTimeout(farewellMs, () => this.#socket.destroy());
      this.#connection.end();
    });
  }
}

const missingDriver = (cause: unknown): UsageError =>
  new UsageError('Cannot read a MySQL or MariaDB: the package "mysql2" is not installed', {
    hint: 'Run "npm install mysql2@3" next to Chatferry; nothing else needs it',
    cause,
  });

const clockSql = 'SELECT UNIX_TIMESTAMP(NOW(3)) * 1000';

/**
 * Age of the oldest transaction in InnoDB, in seconds, and the ids of those without a connection; NULL if there are none. A beginning is in
 * the server's own time zone. A prepared one outlives its connection (`XA PREPARE`), and, after a restart of the server, begins with that.
 * Fails without the right PROCESS.
 */
const openTransactionSql = `
  SELECT TIMESTAMPDIFF(SECOND, MIN(trx_started), CONVERT_TZ(NOW(), @@SESSION.time_zone, 'SYSTEM')),
    GROUP_CONCAT(IF(trx_mysql_thread_id = 0, trx_id, NULL))
  FROM information_schema.INNODB_TRX`;

/** @param open Undefined if the role may not see transactions. */
function readClock(answer: Answer, open: Answer | undefined, { user }: DatabaseAddress): ServerClock | undefined {
  const nowMs = Number(answer[0]?.[0] ?? Number.NaN);
  if (!Number.isFinite(nowMs)) return undefined;
  if (!open) {
    const reason = `the user ${quoted(user)} may not see transactions of others`;
    return { nowMs, hidden: { reason, remedy: `GRANT PROCESS ON *.* TO ${quoted(user)}` } };
  }
  const [age, prepared] = open[0] ?? [];
  // Both times are cut to seconds.
  const openTransactionMs = (Number(age ?? -1) + 1) * 1000;
  return { nowMs, openTransactionMs, ...(prepared && { prepared: prepared.split(',') }) };
}
