import { statSync } from 'node:fs';
import { isServerAddress } from '../../io/input/server-input.ts';
import { type ChatferryError, DestinationError, SourceError } from '../../lib/errors.ts';
import { askAboutKey, importExport } from '../../commands/move.ts';
import { planExport } from '../../commands/prepare.ts';
import type { RunRequest } from '../job.ts';
import { inWords, type RunNote } from '../job-result.ts';
import type { Arrivals, Take } from '../locations/location.ts';
import { type HeldPlan, heldPlan } from './store-summary.ts';
import type { Outcome } from '../../commands/results.ts';

export interface Migrated {
  /** Nothing where there was nothing to send from. */
  readonly outcome: Outcome | undefined;
  /** Errors of exports that could not be fetched or read; the rest was migrated. */
  readonly failures: readonly ChatferryError[];
  /** Facts for the result of the run, although nothing failed. */
  readonly notes: readonly RunNote[];
}

/**
 * Plans the contents of a location, each take by itself, and then sends everything pending, even if nothing is new or a
 * take could not be read. Several takes are all planned first, so that their messages leave in the order of the source.
 *
 * @throws UsageError, StoreError; the stop's reason.
 */
export async function migrateArrivals(open: () => Promise<Arrivals>, request: RunRequest): Promise<Migrated> {
  const failures: ChatferryError[] = [];
  const note = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!isExportError(error)) throw error;
      failures.push(error);
      return undefined;
    }
  };
  const ended = (outcome?: Outcome, unasked = outcome?.unasked): Migrated => {
    return { outcome, failures, notes: [...(arrivals?.notes ?? []), ...(unasked ? [inWords(unasked)] : [])] };
  };
  const arrivals = await note(open);
  failures.push(...(arrivals?.failures ?? []));
  const [first, ...others] = arrivals?.takes ?? [];
  if (first && others.length === 0) {
    const outcome = await note(() => importTake(first, request));
    if (outcome) return ended(outcome);
  }
  for (const take of others.length === 0 ? [] : [first!, ...others]) await note(() => planTake(take, request));
  request.stopping.throwIfAborted();
  const held = heldPlan(request.store);
  // Messages that an earlier run left are sent in any case, and unconfirmed ones are resolved.
  if (held?.isComplete) return ended(await importExport({ ...request, from: [] }));
  if (held && failures.length === 0) failures.push(cutOff(request.store, held));
  if (held || failures.length > 0) return ended();
  const { stopped, unasked } = await askAboutKey({ ...request, from: [] });
  if (stopped) failures.push(stopped);
  return ended(undefined, unasked);
}

async function importTake({ exports, taken }: Take, request: RunRequest): Promise<Outcome> {
  assertNotEmpty(exports, request);
  return importExport({ ...request, from: exports, onPlanned: taken });
}

async function planTake({ exports, taken }: Take, request: RunRequest): Promise<void> {
  assertNotEmpty(exports, request);
  await planExport({ ...request, from: exports });
  taken();
}

/**
 * Throws if an export is empty but should keep everything: that would mean that everything was deleted. More often its
 * writer has only begun, or has failed.
 */
function assertNotEmpty(exports: readonly string[], { exportScope }: RunRequest): void {
  const empty = exports.find((path) => !isServerAddress(path) && statSync(path, { throwIfNoEntry: false })?.size === 0);
  if (empty === undefined || exportScope === 'window') return;
  throw new SourceError(`Cannot read "${empty}": it is empty`, {
    hint: 'Write it under another name and rename it, so that a partial file is never read; exportScope: window allows it to be empty',
  });
}

/** Its archive was taken away, or has not come to rest yet. */
const cutOff = (store: string, { exports }: HeldPlan) =>
  new SourceError(`Cannot send what "${store}" holds: its last plan was cut off, and there is nothing to go on with`, {
    hint: `Restore the exports that it read: ${exports.slice(0, 3).join(', ')}`,
  });

/** About one export, and not about the whole job. */
const isExportError = (error: unknown): error is ChatferryError =>
  error instanceof SourceError || error instanceof DestinationError;
