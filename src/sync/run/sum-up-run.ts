import { type Totals, noDeliveryTotals } from '../../model/totals.ts';
import { errorExitCode } from '../../model/exit-codes.ts';
import type { Outcome } from '../../commands/results.ts';
import type { StoreSummary } from './store-summary.ts';
import { type JobResult, worstExit, type RunStop, inWords } from '../job-result.ts';

/** Facts known at the end of a run, however it ended. */
export interface RunFacts extends Pick<JobResult, 'job' | 'number' | 'startedAtMs' | 'endedAtMs'> {
  readonly before: StoreSummary | undefined;
  readonly after: StoreSummary | undefined;
  readonly outcome: Outcome | undefined;
  /** Errors that ended it, or a part of it. */
  readonly failures: readonly unknown[];
  /** It was asked to stop, and has something left to do. */
  readonly cut: RunStop | undefined;
}

const noRequests = { import: 0, list: 0, retried: 0, rateLimited: 0 };

export function jobResult(facts: RunFacts): JobResult {
  const { job, number, startedAtMs, endedAtMs, before, after, outcome, failures, cut } = facts;
  const exits = [...(outcome ? [outcome.exit] : []), ...failures.map(errorExitCode), ...(cut ? [cut.exit] : [])];
  const { import: imports, list, retried, rateLimited } = outcome?.report.requests ?? noRequests;
  return {
    job,
    number,
    startedAtMs,
    endedAtMs,
    exit: worstExit(exits),
    isChanged: before?.exportDigest !== after?.exportDigest,
    added: addedBy(before, after),
    remaining: remainingAfter(after, outcome),
    requests: { import: imports, list, retried, rateLimited },
    verify: outcome?.report.verify ?? null,
    stopped: stoppedBy(facts),
    report: null,
  };
}

/** Messages: those of the export, and those that say what changed. */
function remainingAfter(after: StoreSummary | undefined, outcome: Outcome | undefined): JobResult['remaining'] {
  const { pending, unconfirmed } = outcome?.report.followUps ?? noDeliveryTotals();
  return {
    pending: (after?.totals.pending ?? 0) + pending,
    unconfirmed: (after?.totals.unconfirmed ?? 0) + unconfirmed,
  };
}

type Added = JobResult['added'];

const counted = ['read', 'skipped', 'invalid', 'imported', 'existing', 'failed', 'late'] as const;

/** A row that is not counted any more, or that another rule decides about now, adds nothing: never less than zero. */
function addedBy(before: StoreSummary | undefined, after: StoreSummary | undefined): Added {
  const more = (now = 0, then = 0) => Math.max(0, now - then);
  const gained = (now: Readonly<Record<string, number>> = {}, then: Readonly<Record<string, number>> = {}) =>
    Object.fromEntries(
      Object.entries(now).flatMap(([kind, count]) =>
        count > (then[kind] ?? 0) ? [[kind, count - (then[kind] ?? 0)]] : [],
      ),
    );
  const totals = (name: keyof Totals) => more(after?.totals[name], before?.totals[name]);
  return {
    ...(Object.fromEntries(counted.map((name) => [name, totals(name)])) as Pick<Added, (typeof counted)[number]>),
    drift: gained(after?.drift, before?.drift),
    actions: gained(after?.actions, before?.actions),
  };
}

/** Returns the reason of a stop. Among several, uses the one that decides the exit code, and names the others after it. */
function stoppedBy({ outcome, failures, cut }: RunFacts): JobResult['stopped'] {
  if (cut) return { code: cut.code, message: cut.message, hint: cut.hint };
  const worst = worstExit(failures.map(errorExitCode));
  const [first, ...others] = [...failures].sort(
    (a, b) => Number(errorExitCode(b) === worst) - Number(errorExitCode(a) === worst),
  );
  if (first === undefined) return outcome?.report.stopped ?? null;
  const { code, message, hint } = inWords(first);
  return { code, message: [message, ...others.map((other) => inWords(other).message)].join('; '), hint };
}
