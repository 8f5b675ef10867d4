import { existsSync } from 'node:fs';
import type { Clock } from '../../lib/flow/clock.ts';
import { ChatferryError } from '../../lib/errors.ts';
import { type Secret, secretOf } from '../../lib/secret.ts';
import { readStatus } from '../check/status.ts';
import type { TargetOptions } from '../../delivery/target.ts';
import { errorFinding } from './doctor/connection.ts';
import { examineDestination } from './doctor/destination.ts';
import { examineDisk, examineStore } from './doctor/store.ts';
import { examineExport, examineProgram } from './doctor/program.ts';
import type { Finding } from './finding.ts';
import { isSqliteError, judgeRetention } from './doctor/retention.ts';
import { probeDuplicates } from './doctor/probe-duplicates.ts';

export { leftBehind } from './doctor/probe-duplicates.ts';
export { examineProviderAccess } from './doctor/provider.ts';

export interface DoctorRequest extends Omit<TargetOptions, 'apiKey'> {
  readonly store: string;
  /** Opened and recognised, not read; a database server is connected to. May be none. */
  readonly exports: readonly string[];
  readonly source?: string | undefined;
  /** Path of a mapping: it may name the file with the password of a database. */
  readonly mapping?: string | undefined;
  /** Called once. An error that it throws gets a line of its own. */
  readonly readKey: () => string | Secret | undefined;
  /** Also import one message twice into a scratch conversation: `leftBehind` says what stays there. */
  readonly probeDuplicates: boolean;
  /** Called when a request has taken 10 s, with the time after which it is given up, in ms. */
  readonly onSlow?: ((leftMs: number) => void) | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/**
 * Looks at everything that an import needs, a line at a time. Changes nothing, except what `probeDuplicates` asks for; no key is
 * in any line.
 *
 * @throws what `signal` was aborted with, and faults of ours: whatever would stop an import is a line.
 */
export async function* examine(request: DoctorRequest): AsyncGenerator<Finding> {
  const { store, exports } = request;
  yield* examineProgram();
  yield* examineStore(store);
  yield* examineDisk(store, bytesNeeded(request));
  if (exports.length > 0) yield* examineExport(request);
  yield judgeRetention(request);
  let apiKey: Secret | undefined;
  try {
    apiKey = secretOf(request.readKey());
  } catch (error) {
    yield errorFinding('key', error);
    return;
  }
  let isUsable = true;
  for await (const finding of examineDestination({ ...request, apiKey })) {
    isUsable &&= finding.level !== 'error';
    yield finding;
  }
  if (request.probeDuplicates && isUsable) yield await probeDuplicates({ ...request, apiKey });
}

/**
 * Returns the bytes by which the store will still grow, by its plan; undefined if there is no plan, or it cannot be
 * read: that has a line of its own.
 */
function bytesNeeded({ store, clock }: DoctorRequest): number | undefined {
  if (!existsSync(store)) return undefined;
  try {
    const { forecast, totals } = readStatus({ store, clock }, 'doctor');
    return totals.read === 0 ? undefined : forecast.storeBytesAfter - forecast.storeBytes;
  } catch (error) {
    if (error instanceof ChatferryError || isSqliteError(error)) return undefined;
    throw error;
  }
}
