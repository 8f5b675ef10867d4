import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { compileCache } from '../../lib/compile-cache.ts';
import { StoreError } from '../../lib/errors.ts';
import { entryModule } from '../../lib/package-files.ts';
import { toStoreError } from '../../lib/sqlite.ts';
import type { PackOutcome, PackTask } from './pack-here.ts';
import type { PackedFile } from './packed-file.ts';

/** A checkpoint store and the state of its job. */
export interface StorePaths {
  readonly store: string;
  readonly state: string;
}

const threadUrl = entryModule('fleet/copies/pack-thread');

/**
 * Makes a consistent copy of a store that is open and being written, with the job's state in it, if there is one. The
 * state is never newer than the store. A thread does it, so nothing here waits for it. It needs disk space for one copy
 * of the store and for the packed copy.
 *
 * @param into Replaced once it is complete. Temporary files are next to it; the next call with the same `into` replaces
 *   those that a kill leaves.
 * @param signal SQLite cannot be interrupted while it copies: an abort waits for that, some 5 s for a GB.
 * @throws StoreError if the store is damaged, not Chatferry's or newer than this program, or the disk is full.
 */
export async function packStore(paths: StorePaths, into: string, signal: AbortSignal): Promise<PackedFile> {
  signal.throwIfAborted();
  const beside = (what: string) => join(dirname(into), `.${basename(into)}.${what}`);
  const task: PackTask = {
    store: paths.store,
    state: paths.state,
    storeCopy: beside('store'),
    stateCopy: beside('state'),
    packed: beside('packed'),
  };
  const tidyUp = () => {
    for (const path of [task.storeCopy, task.stateCopy, task.packed])
      for (const ending of ['', '-journal']) rmSync(path + ending, { force: true });
  };
  tidyUp();
  try {
    const outcome = await inThread(task, signal);
    if ('fault' in outcome) throw new StoreError(outcome.fault.message, outcome.fault);
    renameSync(task.packed, into);
    return outcome.packed;
  } catch (error) {
    throw toStoreError(error, into) ?? error;
  } finally {
    tidyUp();
  }
}

/** The thread has ended afterwards, whatever happens. */
const inThread = (task: PackTask, signal: AbortSignal): Promise<PackOutcome> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(threadUrl, {
      workerData: task,
      env: { ...process.env, ...compileCache() },
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    let outcome: PackOutcome | undefined;
    let fault: unknown = new Error('The thread that copies a store ended before its time');
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (message: PackOutcome) => (outcome = message));
    worker.once('error', (error) => (fault = error));
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason);
      else if (outcome) resolve(outcome);
      else reject(fault);
    });
  });
