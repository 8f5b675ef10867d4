import type { ActionJournal } from '../../checkpoint/delivery/action-journal.ts';
import type { ActionRow } from '../../checkpoint/delivery/action-rows.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DeliveryClient } from '../../service/client/delivery-client.ts';
import type { ActionOutcome } from '../../service/client/outcome.ts';
import type { Breaker } from '../pace/breaker.ts';
import type { RequestCounts } from '../pace/counts.ts';
import { beforeSending } from '../pace/destination.ts';
import { type Pace, waitMaxMs } from '../pace/pace.ts';
import { stopError } from '../pace/stop-errors.ts';
import { waitBefore } from '../pace/with-retry.ts';
import { actionRequests } from './action-request.ts';

/** What every action of a run goes through. */
export interface ActionLine {
  readonly client: DeliveryClient;
  readonly journal: ActionJournal;
  readonly pace: Pace;
  readonly breaker: Breaker;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly counts: RequestCounts;
  /** Attempts per action and call that surely changed nothing. */
  readonly attemptsMax: number;
  readonly onWait: (ms: number, why: string) => void;
  /** Aborted: nothing is waited for any more. */
  readonly pausing: AbortSignal;
}

/** What nobody answered, or not as the service does. `byService`: the service itself did, and failed. */
export type Doubt = Extract<ActionOutcome, { kind: 'unknown' }>;

/**
 * Asks for one action and writes down what came of it. The intent is committed before the request leaves, so that a kill leaves
 * the action in doubt and not forgotten.
 *
 *     ready ──intent──▶ in doubt ──applied──▶ done            ──it was so before──▶ present
 *                          ├──the service says no──▶ refused  ──surely not applied──▶ ready, again after a wait
 *                          └──no answer──▶ stays in doubt
 *
 * @returns Why it is in doubt, if it is.
 * @throws DestinationError if nothing of this run can succeed any more; NotSent if the run is being stopped.
 */
export async function performAction(
  action: ActionRow,
  line: ActionLine,
  signal: AbortSignal,
): Promise<Doubt | undefined> {
  const { client, journal, pace, breaker, clock, counts, pausing } = line;
  for (let attempt = 1; ; attempt++) {
    await beforeSending(breaker.closed(), pausing);
    await beforeSending(pace.take('action', pausing), pausing);
    await journal.begin(action.id, action.serverId, clock.now());
    counts.action = (counts.action ?? 0) + 1;
    const outcome = await actionRequests[action.kind](action, client, signal);
    pace.learn('action', outcome.hints);
    if (outcome.kind === 'unknown') {
      breaker.spend('silence', outcome, pausing);
      await journal.settle(action.id, { state: 'sent', ...wordsOf(outcome) });
      return outcome;
    }
    if (outcome.kind !== 'not-applied') {
      breaker.noteAnswer(attempt === 1);
      await journal.settle(action.id, receiptOf(outcome, action.attempts + attempt > 1));
      return undefined;
    }
    await journal.settle(action.id, { state: 'pending', ...wordsOf(outcome) });
    await beforeNextAttempt(outcome, attempt, line);
  }
}

type Answered = Extract<ActionOutcome, { kind: 'applied' | 'present' | 'refused' }>;

/** @param wasAsked By us, before: then it is so because of us, as far as anybody knows. */
function receiptOf(outcome: Answered, wasAsked: boolean) {
  if (outcome.kind === 'applied' || (outcome.kind === 'present' && wasAsked)) return { state: 'done' } as const;
  return { state: outcome.kind, ...wordsOf(outcome) };
}

const wordsOf = ({ code, detail }: { readonly code: string; readonly detail: string }) => ({ code, detail });

/** @throws DestinationError where no further attempt can help. */
async function beforeNextAttempt(
  outcome: Extract<ActionOutcome, { kind: 'not-applied' }>,
  attempt: number,
  { pace, breaker, clock, random, counts, attemptsMax, onWait, pausing }: ActionLine,
): Promise<void> {
  const { why, retryAfterMs = 0 } = outcome;
  if (why === 'rate-limited') {
    counts.rateLimited++;
    pace.hold('action', retryAfterMs);
  }
  if (why === 'stop' || retryAfterMs > waitMaxMs) throw stopError(outcome);
  if (attempt % attemptsMax === 0 && (why === 'rate-limited' || !(await breaker.outlast(outcome, pausing))))
    throw stopError(outcome);
  const waitMs = waitBefore(attempt + 1, outcome, random());
  onWait(waitMs, `${outcome.code}: ${outcome.detail}`);
  await beforeSending(clock.sleep(waitMs, pausing), pausing);
  breaker.spend(why === 'rate-limited' ? 'told' : 'silence', outcome, pausing);
  counts.retried++;
}
