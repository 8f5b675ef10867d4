import type { ActionJournal, ActionRow } from '../store/delivery.ts';
import type { ActionKind } from '../model/action.ts';
import type { DeliveryClient, Observed } from '../service/delivery-client.ts';
import type { ListedMessage } from '../service/list-answer.ts';
import { type ActionOutcome, isHeldBack } from '../service/outcome.ts';
import { inTime, earlier, spareMsOfSlot, untilSlotEnds } from './permits.ts';
import { stopError } from './lanes/stop-rules.ts';
import type { DestinationSession, SendingSession } from './session.ts';
import { beforeSending } from './destination.ts';
import { waitMaxMs } from './limits.ts';
import { waitForNext } from './pace/with-retry.ts';
import { createReader, readConversation, windowAround } from './read-back.ts';

/** Line that every action of a run goes through. */
export interface ActionSession extends SendingSession {
  readonly journal: ActionJournal;
}

/** Action without an answer, or with one that is not in the service's format. `byService`: the service itself answered, and failed. */
export type Doubt = Extract<ActionOutcome, { kind: 'unknown' }>;

/**
 * Asks for one action and writes down what came of it. The intent is committed before the request leaves, so that a kill leaves
 * the action unconfirmed and not forgotten.
 *
 *     ready ──intent──▶ unconfirmed ──applied──▶ done            ──it was so before──▶ present
 *                          ├──the service says no──▶ refused  ──surely not applied──▶ ready, again after a wait
 *                          └──no answer──▶ stays unconfirmed
 *
 * @returns Why it is unconfirmed, if it is.
 * @throws DestinationError if nothing of this run can succeed any more; NotSent if the run is being stopped.
 */
export async function performAction(action: ActionRow, session: ActionSession): Promise<Doubt | undefined> {
  const { target, journal, pace, breaker, clock, counts, pausing, signal, inSight } = session;
  let heldBackCount = 0;
  for (let attempt = 1; ; attempt++) {
    await beforeSending(breaker.closed(), pausing);
    await beforeSending(pace.take('action', pausing, spareMsOfSlot(heldBackCount)), pausing);
    const slot = untilSlotEnds(clock, heldBackCount);
    await journal.begin(action.id, action.serverId, clock.now());
    const asked = await target.permits?.acquire({ action: action.id });
    counts.action = (counts.action ?? 0) + 1;
    const client = inTime(target.client, asked && earlier(asked, slot), clock);
    const outcome = await inSight('an action', () => actionRequests[action.kind](action, client, signal));
    pace.learn('action', outcome.hints);
    if (outcome.kind === 'unknown') {
      breaker.spend('silence', outcome, pausing);
      await journal.record(action.id, { state: 'sent', ...wordsOf(outcome) });
      return outcome;
    }
    if (outcome.kind !== 'not-applied') {
      breaker.noteAnswer(attempt === 1);
      await journal.record(action.id, receiptOf(outcome, action.attempts + attempt > 1));
      return undefined;
    }
    await journal.record(action.id, { state: 'pending', ...wordsOf(outcome) });
    if (isHeldBack(outcome)) {
      heldBackCount++;
      attempt--;
    } else await beforeNextAttempt(outcome, attempt, session);
  }
}

type Answered = Extract<ActionOutcome, { kind: 'applied' | 'existing' | 'failed' }>;

/** @param wasAsked By us, before: then it is so because of us, as far as anybody knows. */
function receiptOf(outcome: Answered, wasAsked: boolean) {
  if (outcome.kind === 'applied' || (outcome.kind === 'existing' && wasAsked)) return { state: 'done' } as const;
  return { state: outcome.kind, ...wordsOf(outcome) };
}

const wordsOf = ({ code, detail }: { readonly code: string; readonly detail: string }) => ({ code, detail });

/**
 * Waits before the next attempt.
 *
 * @throws DestinationError if no further attempt can help.
 */
async function beforeNextAttempt(
  outcome: Extract<ActionOutcome, { kind: 'not-applied' }>,
  attempt: number,
  session: ActionSession,
): Promise<void> {
  const { pace, counts, pausing } = session;
  const { why, retryAfterMs = 0 } = outcome;
  if (why === 'rate-limited') {
    counts.rateLimited++;
    pace.hold('action', retryAfterMs);
  }
  if (why === 'stop' || retryAfterMs > waitMaxMs) throw stopError(outcome);
  if (!(await beforeSending(waitForNext(outcome, attempt, session), pausing))) throw stopError(outcome);
  counts.retried++;
}

type Ask = (action: ActionRow, client: DeliveryClient, signal: AbortSignal) => Promise<Observed<ActionOutcome>>;

/** One request for one action. */
const actionRequests: Readonly<Record<ActionKind, Ask>> = {
  friends: ({ uid, otherUid }, client, signal) => client.addFriend(uid, otherUid, signal),
  reactions: ({ serverId, reaction, uid }, client, signal) => client.addReaction(serverId!, reaction, uid, signal),
  blocks: ({ uid, otherUid }, client, signal) => client.blockUser(uid, otherUid, signal),
  deactivations: ({ uid }, client, signal) => client.deactivatePerson(uid, signal),
};

/** A reaction of a listed message. */
export interface ShownReaction {
  readonly reaction: string;
  readonly count: number;
  /** Present only if the listing was read as a particular user. */
  readonly reactedByMe?: boolean;
}

/** Returns the reactions that a listing shows for a message. Returns undefined if it shows none, which may mean that it never does. */
export function shownReactions({ data }: Pick<ListedMessage, 'data'>): ShownReaction[] | undefined {
  if (!Array.isArray(data.reactions)) return undefined;
  return data.reactions.flatMap((entry: unknown) => {
    const { reaction, count, reactedByMe } = (entry ?? {}) as Partial<Record<keyof ShownReaction, unknown>>;
    if (typeof reaction !== 'string') return [];
    return {
      reaction,
      count: typeof count === 'number' ? count : 1,
      ...(typeof reactedByMe === 'boolean' && { reactedByMe }),
    };
  });
}

/** The id that the service gave a message, its conversation there, and when it was sent, in epoch ms. */
export type Whereabouts = Pick<ActionRow, 'serverId' | 'conversationId' | 'sentAtMs'>;

/**
 * Looks a message up in the listing of the second in which it was sent: no operation reads a single one.
 *
 * @param uid Whose view it is; absent: that of the app.
 * @throws DestinationError if the listing cannot be read.
 */
export async function findListed(
  { serverId, conversationId, sentAtMs }: Whereabouts,
  session: DestinationSession,
  signal: AbortSignal,
  uid?: string,
): Promise<ListedMessage | undefined> {
  const window = windowAround(Math.max(sentAtMs ?? 0, 1000));
  const { client } = session.target;
  const readPage = createReader({ ...session, list: (query, abort) => client.listMessages(query, abort, uid) });
  const walk = { ...(conversationId !== null && { conversationId }), ...window };
  for await (const page of readConversation(readPage, walk, signal)) {
    const found = page.find(({ id }) => id === serverId);
    if (found) return found;
  }
  return undefined;
}
