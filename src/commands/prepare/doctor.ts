import { existsSync } from 'node:fs';
import { ChatferryError } from '../../lib/errors.ts';
import { type Secret, toSecret } from '../../lib/secret.ts';
import { readStatus } from '../check.ts';
import { errorFinding } from './doctor/connection.ts';
import { examineDestination } from './doctor/destination.ts';
import { examineDisk, examineStore } from './doctor/store.ts';
import { examineExport, examineProgram } from './doctor/program.ts';
import { isSqliteError, judgeRetention } from './doctor/retention.ts';
import { probeDuplicates } from './doctor/probe-duplicates.ts';
import type { Complete, DoctorRequest } from '../requests.ts';
import { withDefaults } from '../session.ts';
import type { DoctorFinding } from '../results.ts';

export async function* examine(given: DoctorRequest): AsyncGenerator<DoctorFinding> {
  const request = { ...withDefaults(given), probeDuplicates: given.probeDuplicates ?? false };
  const { store, exports } = request;
  yield* examineProgram();
  yield* examineStore(store);
  yield* examineDisk(store, bytesNeeded(request));
  if (exports.length > 0) yield* examineExport(request);
  yield judgeRetention(request);
  let apiKey: Secret | undefined;
  try {
    apiKey = toSecret(request.readKey());
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
function bytesNeeded({ store, clock }: Pick<Complete<DoctorRequest>, 'store' | 'clock'>): number | undefined {
  if (!existsSync(store)) return undefined;
  try {
    const { forecast, totals } = readStatus({ store, clock }, 'doctor');
    return totals.read === 0 ? undefined : forecast.storeBytesAfter - forecast.storeBytes;
  } catch (error) {
    if (error instanceof ChatferryError || isSqliteError(error)) return undefined;
    throw error;
  }
}
