import { exitCodes } from '../../model/exit-codes.ts';
import { NewerStore } from '../../lib/migrations.ts';
import { MediaFault } from '../../media/media-location.ts';
import type { JobConfig } from '../../sync/sync-file.ts';
import { isSuccess } from '../../sync/job-result.ts';
import { mayBegin, nextDue, scheduleOf } from '../../sync/job.ts';
import type { NextLease } from '../database/leases.ts';
import type { Unit } from '../database/units.ts';
import { CopiesLost } from './restore-unit.ts';
import { isOnce, type UnitRun } from './run-unit.ts';

/** Failed leases in a row after which a person has to look. */
const failuresMax = 20;

/** 10 s after the first failure, twice as long after each further one, an hour at most. */
const backoffMs = (failures: number): number => Math.min(3_600_000, 10_000 * 2 ** (failures - 1));

/** Prefix of the reason when the unit can only continue by starting over. */
export const copiesLost = 'copies-lost';

/** So soon another worker may take the unit that an outdated worker gave back. */
const olderMs = 10_000;

/** So soon it is tried again where copies could not be read or written. */
const filesMs = 30_000;

/** Exit codes that persist until a person acts: the same lease again would have the same result. */
const needsPerson: ReadonlySet<number> = new Set([exitCodes.usage, exitCodes.differences, exitCodes.needsPerson]);

/** Returns the next lease of a unit: at once, when it is due, after a pause, or none until a person has looked. */
export function afterLease(
  unit: Pick<Unit, 'phase' | 'failures'>,
  config: JobConfig,
  { result, isCut }: UnitRun,
  { nowMs, random }: { readonly nowMs: number; readonly random: () => number },
): NextLease {
  const schedule = scheduleOf({ config });
  const again = { state: 'waiting', failures: 0, reason: null } as const;
  // At once, but for the hours in which it may run.
  if (isCut) return { ...again, phase: unit.phase, afterMs: mayBegin(schedule, nowMs, nowMs) - nowMs };
  if (isSuccess(result)) {
    if (isOnce(config)) return { ...again, state: 'done', phase: 'done', afterMs: undefined };
    const dueMs = nextDue(schedule, nowMs, random);
    if (dueMs === undefined) return { ...again, state: 'done', phase: 'done', afterMs: undefined };
    return { ...again, phase: 'send', afterMs: mayBegin(schedule, dueMs, nowMs) - nowMs };
  }
  return afterFailure(unit, { result, isCut });
}

/** Returns the next lease after one that failed: after a pause, or none until a person has looked. */
export function afterFailure(
  unit: Pick<Unit, 'phase' | 'failures'>,
  { result: { exit, stopped } }: UnitRun,
): NextLease {
  if (stopped?.code === filesDown) return afterFilesDown(unit);
  const failures = unit.failures + 1;
  const reason = `${describeStop(exit, stopped)} (exit ${exit})`;
  const known = { phase: unit.phase, failures, reason };
  if (needsPerson.has(exit)) return { ...known, state: 'stopped', afterMs: undefined };
  if (failures >= failuresMax) return { ...known, state: 'dead', afterMs: undefined };
  return { ...known, state: 'waiting', afterMs: backoffMs(failures) };
}

/** Code of a stop: nothing may leave before there is a copy, and none can be made. */
export const filesDown = 'files-down';

type Counted = Pick<Unit, 'phase' | 'failures'>;

function waiting({ phase, failures }: Counted, afterMs: number, reason: string): NextLease {
  return { phase, failures, state: 'waiting', afterMs, reason };
}

/** No fault of the unit, and of all units alike: nothing has failed. */
const afterFilesDown = (unit: Counted): NextLease =>
  waiting(unit, filesMs, `${filesDown}: copies cannot be read or written; the unit continues when they can`);

/**
 * The destination asked for silence for longer than a lease waits: nothing has failed.
 *
 * @param silentMs For so long it still asks for it.
 */
export function afterSilence(unit: Counted, silentMs: number): NextLease {
  const reason = 'silence-asked: the destination asked for a pause; the unit continues when it is over';
  // A destination may ask for whatever it likes: each hour it is asked again.
  return waiting(unit, Math.min(silentMs, 3_600_000), reason);
}

/** The lease of a worker that is older than the unit's copies is another worker's to take: nothing has failed. */
export function afterError(unit: Counted, run: UnitRun, error: unknown): NextLease {
  if (error instanceof CopiesLost) {
    const reason = `${copiesLost}: no copy of its store can be used (exit ${run.result.exit})`;
    return { phase: unit.phase, failures: unit.failures + 1, reason, state: 'stopped', afterMs: undefined };
  }
  if (error instanceof MediaFault) return afterFilesDown(unit);
  if (!(error instanceof NewerStore)) return afterFailure(unit, run);
  const reason = 'older-worker: an outdated worker had its lease and gave it back: update that one';
  return waiting(unit, olderMs, reason);
}

/**
 * Returns the parts of a failure that may be stored in the database: a code, and words of ours. Exports, mappings and
 * destinations name people and repeat messages: their words are only in the log of the worker.
 */
function describeStop(exit: number, stopped: UnitRun['result']['stopped']): string {
  const code = stopCode(stopped) ?? 'failed';
  const known = ownWords(exit, stopped?.message ?? '');
  return `${code}: ${known ?? whatFailed[exit] ?? 'it did not end well'}; the log of the worker says more`;
}

/** Returns the position in a settings file, or one of a few known endings, and nothing of the content at that position. */
function ownWords(exit: number, message: string): string | undefined {
  const place = exit === exitCodes.usage ? /[\w./-]{1,200}\.ya?ml:\d+:\d+/.exec(message)?.[0] : undefined;
  if (place !== undefined) return `a setting cannot be used: ${place}`;
  if (exit !== exitCodes.usage && exit !== exitCodes.source && exit !== exitCodes.store) return undefined;
  return endings.find(([ending]) => message.endsWith(ending))?.[1];
}

const endings = [
  [': no API key', 'the worker has no API key for it'],
  [' messages left since then that it does not know', 'messages left since its copy that it does not know'],
  [': it does not exist', 'a file that it names does not exist on the worker'],
] as const;

const whatFailed: Readonly<Record<number, string>> = {
  [exitCodes.usage]: 'a setting cannot be used, or ids collide',
  [exitCodes.source]: 'the export cannot be read',
  [exitCodes.store]: 'its store, the disk or the database cannot be used',
  [exitCodes.needsPerson]: 'a key is refused, or the plan of the destination does not allow it',
  [exitCodes.stopped]: 'the destination, or the way there, let nothing more through',
};

/** A destination may call its errors what it likes. */
export const stopCode = (stopped: UnitRun['result']['stopped']): string | undefined =>
  stopped ? (/^[\w.-]{1,64}$/.exec(stopped.code)?.[0] ?? 'failed') : undefined;
