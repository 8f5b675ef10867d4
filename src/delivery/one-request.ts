import { waitMaxMs } from '../lib/flow/retry.ts';
import type { DeliveryClient, Observed } from '../service/delivery-client.ts';
import { type AnyOutcome, isHeldBack, type NotDone } from '../service/outcome.ts';
import { beforeSending, earlier, inTime, type PendingSend, spareMsOfSlot, untilSlotEnds } from './destination.ts';
import { stopError } from './lanes/stop-rules.ts';
import type { SendingSession } from './session.ts';
import { waitForNext } from './pace/with-retry.ts';

/** A request outside of the lanes, and what is written down before and after it. */
export interface OneRequest<Outcome> {
  readonly kind: 'action' | 'import';
  /** As it follows "no answer to": "an action". */
  readonly name: string;
  readonly pending: PendingSend;
  /** Resolves when the intent is on disk. */
  readonly intend: () => Promise<void>;
  readonly request: (client: DeliveryClient, signal: AbortSignal) => Promise<Observed<Outcome>>;
  /** It surely changed nothing: what was intended is open again. */
  readonly reopen: (failure: NotDone) => Promise<void>;
}

type Repeated = { readonly kind: 'not-applied'; readonly why: 'unreachable' | 'rate-limited' | 'stop' };

/**
 * Makes a request, again while it surely changes nothing and more attempts may help. The intent is committed before it leaves.
 *
 * @returns Its outcome, and how many requests left.
 * @throws DestinationError if nothing of this run can succeed any more; NotSent if the run is being stopped.
 */
export async function makeRequest<Outcome extends AnyOutcome>(
  { kind, name, pending, intend, request, reopen }: OneRequest<Outcome>,
  session: SendingSession,
): Promise<{ readonly outcome: Exclude<Outcome, Repeated>; readonly attempts: number }> {
  const { target, pace, breaker, clock, counts, pausing, signal, inSight } = session;
  let heldBackCount = 0;
  for (let attempt = 1; ; attempt++) {
    await beforeSending(breaker.closed(), pausing);
    await beforeSending(pace.take(kind, pausing, spareMsOfSlot(heldBackCount)), pausing);
    const slot = untilSlotEnds(clock, heldBackCount);
    await intend();
    const asked = await target.permits?.acquire(pending);
    counts[kind] = (counts[kind] ?? 0) + 1;
    const client = inTime(target.client, asked && earlier(asked, slot), clock);
    const outcome = await inSight(name, () => request(client, signal));
    pace.learn(kind, outcome.hints);
    if (outcome.kind === 'unknown') breaker.spend('silence', outcome, pausing);
    else if (outcome.kind !== 'not-applied') breaker.noteAnswer(attempt === 1);
    if (!isRepeated(outcome)) return { outcome: outcome as unknown as Exclude<Outcome, Repeated>, attempts: attempt };
    await reopen(outcome);
    if (isHeldBack(outcome)) {
      heldBackCount++;
      attempt--;
    } else await beforeNextAttempt(outcome, attempt, kind, session);
  }
}

const isRepeated = (outcome: AnyOutcome): outcome is NotDone & Repeated =>
  outcome.kind === 'not-applied' && outcome.why !== 'too-large' && outcome.why !== 'rejected';

/**
 * Waits before the next attempt.
 *
 * @throws DestinationError if no further attempt can help.
 */
async function beforeNextAttempt(
  outcome: NotDone & Repeated,
  attempt: number,
  kind: OneRequest<unknown>['kind'],
  session: SendingSession,
): Promise<void> {
  const { pace, counts, pausing } = session;
  const { why, retryAfterMs = 0 } = outcome;
  if (why === 'rate-limited') {
    counts.rateLimited++;
    pace.hold(kind, retryAfterMs);
  }
  if (why === 'stop' || retryAfterMs > waitMaxMs) throw stopError(outcome);
  if (!(await beforeSending(waitForNext(outcome, attempt, session), pausing))) throw stopError(outcome);
  counts.retried++;
}
