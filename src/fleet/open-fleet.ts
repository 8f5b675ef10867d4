import { type MediaLocation, MediaFault } from '../media/media-location.ts';
import { systemClock } from '../lib/flow/clock.ts';
import { openFleetFiles } from './copies/fleet-files.ts';
import { UnitCopies } from './copies/unit-copies.ts';
import { type FleetDatabase, openDatabase } from './database/database.ts';
import { assertSchema, makeSchema, readSchemaVersion } from './database/schema.ts';
import { Engine } from './work/engine.ts';
import type { FleetConfig } from './fleet-config.ts';

/** A reachable fleet. The caller that opened it closes it. */
export interface Fleet {
  readonly config: FleetConfig;
  readonly database: FleetDatabase;
  readonly engine: Engine;
  readonly location: MediaLocation;
  readonly copies: UnitCopies;
  /** Said in addition when the database does not answer. */
  readonly downHint: string | undefined;
  close(): Promise<void>;
}

export interface OpenFleetOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether this process works in it: then it looks for leases whose worker is silent. */
  readonly works: boolean;
  /** Whether missing tables and queues are created. For an embedded PostgreSQL nothing else would create them. */
  readonly makes: boolean;
}

/** @throws UsageError, StoreError, MediaFault */
export async function openFleet(config: FleetConfig, { env, works, makes }: OpenFleetOptions): Promise<Fleet> {
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    const ended = [];
    for (const end of opened.toReversed()) ended.push(...(await Promise.allSettled([end()])));
    const failed = ended.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  };
  try {
    const server = config.database ? undefined : await embeddedServer(config.embedded!, works, opened);
    const url = config.database ?? server!.url;
    const database = await openDatabase(url, {
      max: works ? 6 : 2,
      application: works ? 'chatferry worker' : 'chatferry',
    });
    opened.push(() => database.close());
    if (makes || config.embedded !== undefined) await makeFleet(database);
    await assertSchema(database);
    const engine = await Engine.open(database, {
      heartbeatSeconds: Math.ceil(config.heartbeat / 1000),
      supervises: works,
    });
    opened.push(() => engine.close());
    const location = await openFleetFiles(config.files, { env, folder: process.cwd() });
    opened.push(() => location.close());
    return {
      config,
      database,
      engine,
      location,
      copies: new UnitCopies(location, { clock: systemClock, random: Math.random }),
      downHint:
        server &&
        'it ends with the worker that started it: start "chatferry worker --embedded" again if that one is gone',
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Creates queues and tables. Queues first: our functions refer to them. Nothing is created in a database that belongs
 * to another program. @throws StoreError
 */
export async function makeFleet(database: FleetDatabase): Promise<void> {
  await readSchemaVersion(database, database.query);
  await Engine.make(database);
  await makeSchema(database);
}

async function embeddedServer(folder: string, works: boolean, opened: (() => Promise<void>)[]) {
  const { startEmbedded } = await import('./embedded/embedded.ts');
  const server = await startEmbedded(folder, { works });
  opened.push(() => server.stop());
  return server;
}

/** Returns why copies cannot be read or written there; undefined if they can. */
export async function filesFault({ copies }: Pick<Fleet, 'copies'>, signal: AbortSignal): Promise<string | undefined> {
  try {
    await copies.list('-', signal);
    return undefined;
  } catch (error) {
    if (error instanceof MediaFault) return error.message;
    throw error;
  }
}
