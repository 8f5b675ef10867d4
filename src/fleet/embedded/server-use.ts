/**
 * Who uses a server: each process has a session in it that holds an advisory lock, shared with all others, for as long as it uses the
 * server, however seldom it works there. The server forgets both when the process dies. So who leaves can ask whether he was the last one.
 */
import type { Client } from 'pg';
import type { Clock } from '../../lib/flow/clock.ts';
import type { Secret } from '../../lib/secret.ts';
import { databaseFault, missingPeer } from '../database/database.ts';

/** That this process uses the server. */
export interface ServerUse {
  /** False once the session broke: the server ended, or lost a process and began anew. */
  readonly isOpen: boolean;
  /** Whether it is known that no other process uses it. */
  readonly isAlone: boolean;
  /** Resolves when the server knows. */
  end(): Promise<void>;
}

/** As the server lists sessions of this module. They do no work, so nobody counts them. */
const application = 'chatferry --embedded';
/** Of the advisory lock, 'ferr' and 'used'; and where it is said that who holds it has changed. */
const lock = '1717924466, 1970496868';
const channel = '"chatferry --embedded"';
/** A server that does not answer within that time is not there. In ms. */
const answerMs = 10_000;
/** A session that was closed is listed for a moment yet, in ms. */
const vanishMs = 2_000;
/** How often it is looked whether it has gone, in ms. */
const lookMs = 50;

/** Whoever calls it sees to it that nobody ends the server meanwhile. @throws DatabaseDown */
export async function useServer(url: Secret, clock: Clock): Promise<ServerUse> {
  const client = await connect(url, clock);
  let [isOpen, isAlone] = [true, false];
  client.once('end', () => {
    isOpen = false;
  });
  // One after the other: what a session is asked meanwhile would be refused.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<unknown>) => (last = last.catch(() => {}).then(work));
  const look = async () => {
    isAlone = await answer(client, `SELECT count(*) = 1 AS answer FROM pg_locks WHERE ${isOurs}`);
  };
  client.on('notification', () => {
    isAlone = false;
    void inTurn(() => look().catch(() => {}));
  });
  try {
    for (const sql of [`LISTEN ${channel}`, `SELECT pg_advisory_lock_shared(${lock})`, `NOTIFY ${channel}`])
      await inTurn(() => client.query(sql));
  } catch (error) {
    await client.end().catch(() => {});
    throw fault(error, url);
  }
  await inTurn(() => look().catch(() => {}));
  refer(client, 'unref');
  return {
    get isOpen() {
      return isOpen;
    },
    get isAlone() {
      return isOpen && isAlone;
    },
    async end() {
      refer(client, 'ref');
      for (const sql of [`SELECT pg_advisory_unlock_shared(${lock})`, `NOTIFY ${channel}`])
        await inTurn(() => client.query(sql).catch(() => {}));
      await client.end().catch(() => {});
    },
  };
}

const [space, key] = lock.split(', ');
const isOurs = `locktype = 'advisory' AND classid = ${space} AND objid = ${key} AND objsubid = 2`;

/**
 * Whether a server may be ended. Whoever calls it sees to it that nobody begins to use it meanwhile, and uses it no more himself.
 *
 * Another process that uses the server is seen at once. Other sessions count as well, once they have had the time to vanish: somebody's psql, a turn
 * whose worker was killed.
 *
 * @throws what a server says that does not answer.
 */
export async function isUnused(url: Secret, clock: Clock): Promise<boolean> {
  const client = await connect(url, clock);
  try {
    const patientUntil = clock.monotonic() + vanishMs;
    if (!(await answer(client, `SELECT pg_try_advisory_lock(${lock}) AS answer`))) return false;
    while (await answer(client, `SELECT count(*) > 0 AS answer FROM pg_stat_activity WHERE ${isWork}`)) {
      if (clock.monotonic() > patientUntil) return false;
      await clock.sleep(lookMs);
    }
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}

const isWork = `backend_type = 'client backend' AND application_name <> '${application}'`;

const answer = async (client: Client, sql: string): Promise<boolean> =>
  (await client.query<{ answer: boolean }>(sql)).rows[0]!.answer;

async function connect(url: Secret, clock: Clock): Promise<Client> {
  const { default: pg } = await import('pg').catch((cause: unknown) => Promise.reject(missingPeer('pg', cause)));
  const patientUntil = clock.monotonic() + answerMs;
  for (;;) {
    const client = new pg.Client({
      connectionString: url.reveal(),
      application_name: application,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    // A session that breaks says so with its next statement, and by its end.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!isRepairing(error) || clock.monotonic() > patientUntil) throw fault(error, url);
      await clock.sleep(lookMs);
    }
  }
}

const fault = (error: unknown, url: Secret): unknown =>
  databaseFault(error, `postgres on ${new URL(url.reveal()).host}`);

/** A server that lost one of its processes ends all sessions, and takes none until it has repaired itself. */
const isRepairing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === '57P03';

/** Whether a session keeps this process alive. That of a use does not: who forgets to end it ends all the same. */
function refer(client: Client, how: 'ref' | 'unref'): void {
  (client as unknown as Record<typeof how, () => void>)[how]();
}
