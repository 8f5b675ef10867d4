import type { EventEmitter } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { compileCache } from '../../lib/compile-cache.ts';
import { threadModule } from '../../lib/package-files.ts';

/** Threads that read and map, beside the one that writes. */
export interface ReadingThreads {
  /** At most; 0: the one that writes does everything. */
  readonly count: number;
  /** From here on a thread pays for its start. */
  readonly bytesMin: number;
  /** That one reads at a time, where several read. Default: some half MiB. */
  readonly filesPerTurn?: number;
  start(): ReadingEnd;
}

/** Its side of a thread. */
export type ReadingEnd = EventEmitter & Pick<Worker, 'postMessage' | 'terminate'>;

/** Some 0.2 s. */
const bytesMin = 24 * 1024 * 1024;
/** An archive holds some five times what it takes. */
const packing = 5;

/** @param count Default: as many as there are cores, less the one that writes. */
export const readingThreads = (count = availableParallelism() - 1): ReadingThreads => ({
  count,
  bytesMin,
  start: takeWorker,
});

/** Whether exports look as if there were much to read: one of them is a large file. */
export const hasLargeFile = (exports: readonly string[], threads = readingThreads()): boolean =>
  exports.some((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > threads.bytesMin / packing);

const threadUrl = threadModule('plan/reading/reading-thread');

/** In MiB: less memory than the default, as fast (measured). V8 takes up to three times as much. */
const youngGenerationMb = 8;

let warm: Worker | undefined;

/** Where nothing else is said. */
const usualStore = 'chatferry.db';

/**
 * Starts a reading thread before the program is loaded, where the command line looks as if one will be needed: the first plan
 * of a large export. Both load side by side, a quarter of a second sooner (measured). A wrong guess costs as much of another
 * core.
 *
 * @param args As they were typed, behind the program's name.
 * @returns Whether one was started.
 */
export function warmUp([command, ...args]: readonly string[]): boolean {
  if (command !== 'plan' && command !== 'import') return false;
  const threads = args.includes('--threads') ? Number(args[args.indexOf('--threads') + 1]) : readingThreads().count;
  if (!(threads > 0)) return false;
  const store = args.includes('--store') ? args[args.indexOf('--store') + 1]! : usualStore;
  if (existsSync(store) || !hasLargeFile(args)) return false;
  warm = newWorker();
  // Nobody may take it: then it does not keep the program from ending.
  warm.unref();
  // One that breaks meanwhile is not taken: whoever starts the next is told what is wrong.
  for (const event of ['error', 'exit']) warm.on(event, forget);
  return true;
}

function forget(): void {
  warm = undefined;
}

/** The thread that was started already, or another. */
export function takeWorker(): Worker {
  const worker = warm ?? newWorker();
  for (const event of ['error', 'exit']) worker.off(event, forget);
  warm = undefined;
  worker.ref();
  return worker;
}

function newWorker(): Worker {
  // The launcher keeps the young generation at the size that it has: a new thread must begin with the right one.
  setFlagsFromString(`--min-semi-space-size=${youngGenerationMb}`);
  return new Worker(threadUrl, {
    env: { ...process.env, ...compileCache() },
    resourceLimits: { maxYoungGenerationSizeMb: 3 * youngGenerationMb },
  });
}
