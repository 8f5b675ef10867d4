import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import type { TransportRequest } from '../../../src/service/transport.ts';
import { seeded } from '../../scenes/make-export.ts';
import { type DiskEvent, readTrace, tracing } from './disk-trace.ts';
import { type DiskLedger, newLedger } from './ledger.ts';
import { powerCut } from './power-cut.ts';
import { memoryFolder, openScene, type Scene, serverData, storeOf, type Way } from './scene.ts';
import { runTraced, type TracedRun } from './traced-client.ts';

export interface PowerLossOptions {
  /** Path of the program. */
  readonly strace: string;
  /** Power cuts. Every 25 of them take a recording of their own. */
  readonly images: number;
  /** Decides the export, the instants, and what survives. */
  readonly seed: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** A module that is loaded before the recorded program: a test breaks the store with it. */
  readonly preload?: string;
}

const imagesPerRecording = 25;

/** A run of which everything is known that reached the disk or left for the server. */
interface Recording {
  readonly way: Way;
  readonly events: readonly DiskEvent[];
  /** The store as it was before. */
  readonly before: ReadonlyMap<string, Buffer>;
  readonly imports: readonly TransportRequest[];
}

/**
 * Cuts the power at random instants of recorded runs. From what the disk then holds, the same command goes on against the
 * server as it is: it has every request that had left by then.
 */
export async function powerLoss({ strace, images, seed, onProgress, preload }: PowerLossOptions): Promise<DiskLedger> {
  const ledger = newLedger('power loss');
  const random = seeded(seed);
  const scene = await openScene(memoryFolder(tmpdir()), seed);
  try {
    let recording: Recording | undefined;
    for (let image = 0; image < images; image++) {
      if (image % imagesPerRecording === 0) {
        // Most of what can be forgotten is forgotten while something is sent.
        const way = (image / imagesPerRecording) % 3 === 1 ? 'plan' : 'import';
        recording = await record(scene, way, { strace, preload });
      }
      await cutPower(ledger, scene, recording!, { name: `seed ${seed}, image ${image}`, random });
      onProgress?.(image + 1, images);
    }
    ledger.requests = scene.server.requestCount;
    return ledger;
  } finally {
    await scene.close();
  }
}

async function record(
  scene: Scene,
  way: Way,
  { strace, preload }: Pick<TracedRun, 'strace' | 'preload'>,
): Promise<Recording> {
  const client = scene.newClient(way);
  const store = storeOf(client);
  scene.server.begin(serverData(client));
  const before = new Map<string, Buffer>(existsSync(store) ? [[store, readFileSync(store)]] : []);
  const trace = join(client, 'trace');
  const straceOptions = tracing(trace);
  const args = scene.argumentsOf(way);
  const { code, stderr } = await runTraced({ strace, straceOptions, args, folder: client, preload });
  if (code !== 0) throw new Error(`Cannot record: an unbroken run of "${way}" ends with ${code}: ${stderr}`);
  // Neither the log's index, which is shared memory, nor the reserve holds anything.
  const isStored = (path: string) => path.startsWith(store) && !/-shm$|\.reserve$/.test(path);
  const events = readTrace(trace, isStored);
  const imports = [...scene.server.imports];
  rmSync(client, { recursive: true });
  return { way, events, before, imports };
}

/** The next run on what one cut left. */
async function cutPower(
  ledger: DiskLedger,
  scene: Scene,
  { way, events, before, imports }: Recording,
  { name, random }: { readonly name: string; readonly random: () => number },
): Promise<void> {
  const at = Math.floor(random() * (events.length + 1));
  const point = `${name} (${way}, before event ${at} of ${events.length})`;
  const client = scene.newClient('plan');
  for (const [path, content] of powerCut(events, at, before, random)) {
    writeFileSync(join(client, basename(path)), content, { mode: 0o600 });
  }
  const written = new Set(events.slice(0, at).flatMap((event) => (event.type === 'sent' ? event.muids : [])));
  const left = imports.filter((request) => muidsOf(request).some((muid) => written.has(muid)));
  const forgotten = forgottenBy(client, left.flatMap(muidsOf));
  if (forgotten.length > 0) ledger.problems.push(`${point}: the store forgot that it sent ${forgotten.join()}`);
  scene.server.begin(serverData(client));
  for (const request of left) scene.server.apply(request);
  ledger.kills++;
  await scene.finish(ledger, point, client, way);
  rmSync(client, { recursive: true });
}

/** Returns the muids in an import request. */
const muidsOf = ({ body }: TransportRequest): string[] =>
  Object.keys((JSON.parse(Buffer.from(body!).toString()) as { messages: object }).messages);

/** Returns the messages whose request was sent but that are missing from the store. Reads a copy, because reading recovers the log. */
function forgottenBy(client: string, sent: readonly string[]): string[] {
  if (sent.length === 0) return [];
  const copy = join(client, 'copy');
  mkdirSync(copy);
  for (const name of readdirSync(client)) if (name !== 'copy') copyFileSync(join(client, name), join(copy, name));
  const db = new Database(storeOf(copy));
  const known = db
    .prepare(`SELECT 1 FROM delivery d JOIN message m ON m.seq = d.message WHERE m.muid = ? AND d.state <> 'pending'`)
    .pluck();
  const forgotten = sent.filter((muid) => known.get(muid) === undefined);
  db.close();
  rmSync(copy, { recursive: true });
  return forgotten;
}
