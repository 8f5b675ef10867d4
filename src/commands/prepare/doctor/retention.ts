import { readStore } from '../../../store/open.ts';
import { keptFromMs, isRetentionKnown, type Profile, usualRetentionDays } from '../../../service/profiles.ts';
import { countOf, formatCount } from '../../../report/format.ts';
import { knownDestination, profileOf, type TargetOptions } from '../../../delivery/target.ts';
import { exitCodes } from '../../../model/exit-codes.ts';
import type { ReportData } from '../../../report/report-data.ts';
import { judgeReport } from '../../../report/verdict.ts';
import { errorFinding } from './connection.ts';
import { error, ok, warning } from '../finding.ts';
import type { DoctorFinding } from '../../results.ts';

type Request = Omit<TargetOptions, 'apiKey'> & { readonly store: string };

/** Messages that the plan of the store has for the destination. */
interface Planned {
  /** How many of those to be sent are older than the days. */
  readonly old: number;
  readonly all: number;
  /** None of its rows became a message, by the limits of the destination: the next plan comes to the same. */
  readonly isEmpty: boolean;
}

/**
 * Whether the plan of the store has anything to send, and how long the destination keeps messages.
 *
 * @param plan What the store has; undefined if it has no plan, or cannot be read.
 */
export function* judgePlan(request: Request, plan: ReportData | undefined): Generator<DoctorFinding> {
  try {
    const profile = profileOf(request);
    const found = plan && countPlanned(request, profile, plan);
    if (found?.isEmpty)
      yield error('plan', judgeReport(plan!).sentence, 'chatferry report shows each reason', exitCodes.someFailed);
    yield judgeRetention(request, profile, found);
  } catch (fault) {
    yield errorFinding('retention', fault);
  }
}

function judgeRetention({ to, appId }: Request, profile: Profile, found: Planned | undefined): DoctorFinding {
  const { retentionDays } = profile.limits;
  const isKnown = isRetentionKnown(profile);
  if (isKnown && retentionDays === undefined)
    return ok('retention', 'Messages are kept without limit (--retention-days)');
  const days = retentionDays ?? usualRetentionDays;
  const keeps = isKnown
    ? `Messages older than ${days} days are refused (${profile.isRetentionSaid ? '--retention-days' : `profile ${profile.name}`})`
    : `Retention is unknown (profile ${profile.name}); the hosted service refuses messages older than ${days} days`;
  const { old, all, isEmpty } = found ?? { old: 0, all: 0, isEmpty: false };
  if (isEmpty) return ok('retention', keeps);
  if (all === 0 && isKnown && found === undefined)
    return warning('retention', `${keeps}; no plan says how many are`, 'Plan the export with the same options');
  if (all === 0) return ok('retention', `${keeps}; the plan will say how many are`);
  if (old === 0) return ok('retention', `${keeps}, and none that the store has to send is`);
  const says = `${keeps}, and ${formatCount(old)} of ${countOf(all, 'message')} to be sent ${old === 1 ? 'is' : 'are'}`;
  const rejects = 'The next plan rejects them; pass --retention-days if your contract allows more';
  if (isKnown && old === all) return error('retention', says, rejects, exitCodes.someFailed);
  if (isKnown) return warning('retention', says, rejects);
  return to === 'sandbox' && appId === undefined
    ? warning('retention', says, 'Rehearse with --rehearse-for hosted if they go there')
    : warning('retention', says, 'Say with --retention-days how long this destination keeps them, be it unlimited');
}

function countPlanned(request: Request, { limits }: Profile, { totals }: ReportData): Planned {
  const { clock, to, appId } = request;
  return readStore(request.store, (store) => {
    // At the sandbox everything is a rehearsal: what has arrived there is still to be sent.
    const isSandbox = to === 'sandbox' && appId === undefined;
    const id = isSandbox ? null : (knownDestination(store, request)?.id ?? null);
    const before = (beforeMs: number) =>
      store.totals.pendingBefore({ destination: id, fromMs: Number.MIN_SAFE_INTEGER, beforeMs }).count;
    return {
      old: before(keptFromMs(clock.now(), limits.retentionDays ?? usualRetentionDays)),
      all: before(Number.MAX_SAFE_INTEGER),
      isEmpty: totals.planned === 0 && store.facts.read('limitsHash') === JSON.stringify(limits),
    };
  });
}
