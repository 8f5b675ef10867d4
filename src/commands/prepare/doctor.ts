import { existsSync } from 'node:fs';
import { ChatferryError } from '../../lib/errors.ts';
import { type Secret, toSecret } from '../../lib/secret.ts';
import { readStatus } from '../check.ts';
import { errorFinding } from './doctor/connection.ts';
import { examineDestination } from './doctor/destination.ts';
import { examineDisk, examineStore } from './doctor/store.ts';
import { examineExport, examineProgram } from './doctor/program.ts';
import { judgePlan } from './doctor/retention.ts';
import { probeDuplicates } from './doctor/probe-duplicates.ts';
import type { Complete, DoctorRequest } from '../requests.ts';
import { withDefaults } from '../session.ts';
import type { ReportData } from '../../report/report-data.ts';
import type { DoctorFinding } from '../results.ts';

export async function* examine(given: DoctorRequest): AsyncGenerator<DoctorFinding> {
  const request = { ...withDefaults(given), probeDuplicates: given.probeDuplicates ?? false };
  const { store, exports } = request;
  yield* examineProgram();
  yield* examineStore(store);
  const plan = lastPlan(request);
  yield* examineDisk(store, plan && plan.forecast.storeBytesAfter - plan.forecast.storeBytes);
  if (exports.length > 0) yield* examineExport(request);
  yield* judgePlan(request, plan);
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

/** Returns what the store has; undefined if it has no plan, or cannot be read: that has a line of its own. */
function lastPlan({ store, clock }: Pick<Complete<DoctorRequest>, 'store' | 'clock'>): ReportData | undefined {
  if (!existsSync(store)) return undefined;
  try {
    const report = readStatus({ store, clock }, 'doctor');
    return report.totals.read === 0 ? undefined : report;
  } catch (error) {
    if (error instanceof ChatferryError || isSqliteError(error)) return undefined;
    throw error;
  }
}

const isSqliteError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
