import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../../src/lib/flow/seeded-random.ts';
import { startChatferry } from '../../../src/selftest/steps/process.ts';
import { ownPostgres } from '../../fleet/postgres.ts';
import { program } from '../../program.ts';
import { ChaosDatabase } from './database.ts';
import { startDestinations } from './destinations.ts';
import type { FleetEvents } from './events.ts';
import type { FleetFigures } from './figures.ts';
import { bucketFiles, folderFiles } from './files.ts';
import { FleetUnderFire } from './fleet-under-fire.ts';
import { type FleetCounts, judge } from './judge.ts';
import { Observer } from './observer.ts';
import { Units } from './units.ts';

export interface FleetChaosOptions extends FleetEvents {
  readonly seed: number;
  /** Four by default. A single one that is stopped loses its units to itself. */
  readonly workers?: number;
  /** Storage for the copies; a folder by default. */
  readonly files?: 'folder' | 'bucket' | undefined;
  /** Between two events, in ms: half of it at least, one and a half times as much at most. */
  readonly everyMs: number;
  readonly onProgress: (words: string) => void;
}

export interface FleetChaosResult {
  readonly seed: number;
  readonly figures: FleetFigures;
  readonly counts: FleetCounts;
  /** Everything that was wrong; empty if the guarantee held. */
  readonly problems: readonly string[];
  /** Everything that was written; kept where there are problems. */
  readonly folder: string | null;
}

const addresses = 2;
/** Imports at each address. */
const perMinute = 120;
const messagesOfUnit = 240;

/**
 * Runs a fleet through these events: real workers, a real PostgreSQL, destinations that store a message again when it
 * is sent again. Submits new units as long as there are events left. Then waits until all are done, and counts.
 *
 * @throws Error if the fleet cannot be started.
 */
export async function fleetChaos(options: FleetChaosOptions): Promise<FleetChaosResult> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-fleet-chaos-'));
  const result = await chaosIn(folder, options);
  if (result.problems.length > 0) return { ...result, folder };
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { ...result, folder: null };
}

async function chaosIn(folder: string, options: FleetChaosOptions): Promise<Omit<FleetChaosResult, 'folder'>> {
  const { seed } = options;
  const postgres = join(folder, 'postgres');
  mkdirSync(postgres);
  // PostgreSQL may be another user's.
  for (const path of [folder, postgres]) chmodSync(path, 0o711);
  const apiKey = randomBytes(12).toString('hex');
  const server = await ownPostgres(postgres);
  const started = await startDestinations(folder, { count: addresses, apiKey, seed });
  const destinations = started.all;
  const random = seededRandom(seed);
  const files = options.files === 'bucket' ? await bucketFiles(folder, random) : folderFiles(folder);
  const times = { lease: '15s', heartbeat: '10s', copyEvery: '3s' };
  const fleet = { database: server.url.reveal(), ...files.rule, ...times };
  const observer = await Observer.open(server.url);
  try {
    const units = new Units({ folder, apiKey, fleet, seed, perMinute, messages: messagesOfUnit, destinations });
    await init(folder, apiKey);
    const database = new ChaosDatabase(server, random);
    const fire = new FleetUnderFire({
      workers: 4,
      ...options,
      folder,
      apiKey,
      random,
      fleet,
      files,
      units,
      observer,
      database,
    });
    await fire.run().finally(() => fire.close());
    await started.close();
    const { counts, problems } = judge({ units: units.all, destinations, observer, perMinute });
    return { seed, figures: fire.figures(), counts, problems: [...fire.problems, ...problems] };
  } finally {
    await observer.close();
    await started.close();
    await server.stop();
    await files.close();
  }
}

/** With the configuration that hands units in. */
async function init(folder: string, apiKey: string): Promise<void> {
  const { code, lastWords } = await startChatferry(['fleet', 'init', '--config', 'submit.yaml'], {
    folder,
    apiKey,
    log: 'submit.log',
    program,
  }).ended;
  if (code !== 0) throw new Error(`fleet init ended with ${code}: ${lastWords.join(' ')}`);
}
