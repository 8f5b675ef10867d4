import { existsSync } from 'node:fs';
import { openStoreToRead } from '../../../store/open.ts';
import { ChatferryError } from '../../../lib/errors.ts';
import { keptFromMs, isRetentionKnown, type Profile, usualRetentionDays } from '../../../service/profiles.ts';
import { countOf, formatCount } from '../../../report/format.ts';
import { knownDestination, profileOf, type TargetOptions } from '../../../delivery/target.ts';
import { errorFinding } from './connection.ts';
import { error, ok, warning } from '../finding.ts';
import { exitCodes } from '../../../model/exit-codes.ts';
import type { ReportData } from '../../../report/report-data.ts';
import { judgeReport } from '../../../report/verdict.ts';
import type { DoctorFinding } from '../../results.ts';

type Request = Omit<TargetOptions, 'apiKey'> & { readonly store: string };

/**
 * Whether the plan of the store has anything to send, and how long the destination keeps messages.
 *
 * @param plan What the store has; undefined if there is no plan.
 */
export function* judgePlan(request: Request, plan: ReportData | undefined): Generator<DoctorFinding> {
  try {
    const profile = profileOf(request);
    const isEmpty = plan?.totals.planned === 0 && wasPlannedFor(request.store, profile);
    if (isEmpty)
      yield error('plan', judgeReport(plan).sentence, 'chatferry report shows each reason', exitCodes.someFailed);
    yield judgeRetention(request, profile, isEmpty);
  } catch (fault) {
    yield errorFinding('retention', fault);
  }
}

/** Whether the plan of the store went by these limits: then the next one comes to the same. */
function wasPlannedFor(path: string, { limits }: Profile): boolean {
  const store = openStoreToRead(path);
  try {
    return store.facts.read('limitsHash') === JSON.stringify(limits);
  } finally {
    store.close();
  }
}

/** How long the destination keeps messages, and how many of the plan are older. */
function judgeRetention(request: Request, profile: Profile, isEmpty: boolean): DoctorFinding {
  const { retentionDays } = profile.limits;
  const isKnown = isRetentionKnown(profile);
  if (isKnown && retentionDays === undefined)
    return ok('retention', 'Messages are kept without limit (--retention-days)');
  const days = retentionDays ?? usualRetentionDays;
  const keeps = isKnown
    ? `Messages older than ${days} days are refused (${profile.isRetentionSaid ? '--retention-days' : `profile ${profile.name}`})`
    : `Retention is unknown (profile ${profile.name}); the hosted service refuses messages older than ${days} days`;
  const found = countOld(request, days);
  if (!found && isKnown && !isEmpty)
    return warning('retention', `${keeps}; no plan says how many are`, 'Plan the export with the same options');
  if (!found) return ok('retention', isEmpty ? keeps : `${keeps}; the plan will say how many are`);
  const { old, all } = found;
  if (old === 0) return ok('retention', `${keeps}, and none that the store has to send is`);
  const says = `${keeps}, and ${formatCount(old)} of ${countOf(all, 'message')} to be sent ${old === 1 ? 'is' : 'are'}`;
  const rejects = 'The next plan rejects them; pass --retention-days if your contract allows more';
  if (isKnown && old === all) return error('retention', says, rejects, exitCodes.someFailed);
  if (isKnown) return warning('retention', says, rejects);
  return request.to === 'sandbox' && request.appId === undefined
    ? warning('retention', says, 'Rehearse with --rehearse-for hosted if they go there')
    : warning('retention', says, 'Say with --retention-days how long this destination keeps them, be it unlimited');
}

/**
 * Counts the planned messages of the store for the destination; undefined if it has no plan, or cannot be read: that
 * has a line of its own.
 */
function countOld(request: Request, days: number): { readonly old: number; readonly all: number } | undefined {
  if (!existsSync(request.store)) return undefined;
  const { clock, to, appId } = request;
  try {
    const store = openStoreToRead(request.store);
    try {
      // At the sandbox everything is a rehearsal: what has arrived there is still to be sent.
      const isSandbox = to === 'sandbox' && appId === undefined;
      const id = isSandbox ? null : (knownDestination(store, request)?.id ?? null);
      const before = (beforeMs: number) =>
        store.totals.pendingBefore({ destination: id, fromMs: Number.MIN_SAFE_INTEGER, beforeMs }).count;
      const all = before(Number.MAX_SAFE_INTEGER);
      return all === 0 ? undefined : { old: before(keptFromMs(clock.now(), days)), all };
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof ChatferryError || isSqliteError(error)) return undefined;
    throw error;
  }
}

export const isSqliteError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
