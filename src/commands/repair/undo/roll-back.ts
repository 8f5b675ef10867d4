import { formatCount } from '../../../lib/text/count.ts';
import type { Store } from '../../../store/open.ts';
import type { ConversationRow } from '../../../store/conversations.ts';
import type { DoneReaction } from '../../../store/actions.ts';
import type { UndoCall } from '../../../store/undo.ts';
import type { DeliveryClient } from '../../../service/delivery-client.ts';
import { DestinationError } from '../../../lib/errors.ts';
import type { ListedMessage, ChangeOutcome, RateHints, ReadOutcome } from '../../../service/outcome.ts';
import { expectedLanes, type ExpectedLanes, type Lane } from '../../../delivery/lanes.ts';
import type { DestinationSession } from '../../../delivery/session.ts';
import { attemptsMax, backoff, retry } from '../../../lib/flow/retry.ts';
import { differingFields, isOwnRemoval, keyOf, sentMessage, shownReactions } from '../../../delivery/compare.ts';
import { conversationIds, listedOf, type ReadPage } from '../../../delivery/read-back.ts';

export interface TakeBackOptions extends DestinationSession {
  readonly store: Store;
  /** For the next generation. */
  readonly renewedMuid: (row: ConversationRow) => string;
  /** When (monotonic ms) what an earlier run sent can no longer be applied. */
  readonly earlierGraceEndsAt: number;
}

/** Requests for one subject, at most; each but the last ended without an answer. */
const requestsMax = 3;
/** So long at least it may take until what was deleted is no longer listed, in ms. */
const vanishMs = 10_000;

/**
 * Rolls back one subject: checks it, commits the intent, sends the request, and checks again. Resumes
 * after a kill; anything that is not Chatferry's alone is left.
 *
 * A request without an answer may still be applied: nothing else is done with its subject before the grace period has
 * passed, so that the request cannot delete what is imported later.
 *
 * @throws DestinationError if the service cannot be reached, or does not do what it reports.
 */
export async function takeBack(
  call: UndoCall,
  subject: Subject,
  options: TakeBackOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, target } = options;
  const { undo } = options.store;
  if (call.state === 'gone') return finish(call, options);
  let isAsked = call.state === 'sent';
  let graceEndsAt = isAsked ? options.earlierGraceEndsAt : clock.monotonic();
  for (let requests = 0; ; ) {
    await waitUntil(graceEndsAt, options, signal);
    const standing = (await subject.check?.(signal)) ?? { is: 'ours' };
    if (standing.is === 'gone' && isAsked) return finish(call, options);
    if (!isAsked && (standing.is === 'gone' || standing.is === 'emptied'))
      return undo.note(call.id, 'left', { reason: 'not-listed' });
    if (standing.is === 'left') return undo.note(call.id, 'left', standing.objection);
    if (requests++ === requestsMax) throw unanswered(call);
    undo.note(call.id, 'sent', { sentAtMs: clock.now() });
    const outcome = await remove(subject, options, signal);
    if (outcome.kind === 'applied') {
      await vanished(call, subject, options, signal);
      return finish(call, options);
    }
    if (outcome.kind === 'not-applied' && subject.goneCodes?.includes(outcome.code)) return finish(call, options);
    if (outcome.kind === 'not-applied') {
      undo.note(call.id, 'planned');
      if (outcome.why !== 'rejected' && outcome.why !== 'too-large') throw stopped(outcome);
      return undo.note(call.id, 'left', { reason: 'failed', detail: `${outcome.code}: ${outcome.detail}` });
    }
    isAsked = true;
    graceEndsAt = clock.monotonic() + target.profile.graceLongMs;
  }
}

/** One request; again where it surely changed nothing and more attempts may help. */
async function remove(subject: Subject, connection: DestinationSession, signal: AbortSignal) {
  const { pace, clock, random, counts, onWait, inSight } = connection;
  const request = async () => {
    await pace.take('read', signal);
    const outcome = await inSight('a request to delete', () => subject.remove(signal));
    pace.learn('read', outcome.hints);
    return outcome;
  };
  const again = (outcome: ChangeOutcome, attempt: number) => {
    const isPassing =
      outcome.kind === 'not-applied' && (outcome.why === 'rate-limited' || outcome.why === 'unreachable');
    if (!isPassing || attempt >= attemptsMax || signal.aborted) return undefined;
    const { why, code, detail, retryAfterMs = 0 } = outcome;
    if (why === 'rate-limited') {
      counts.rateLimited++;
      pace.hold('read', retryAfterMs);
    }
    counts.retried++;
    return { retryAfterMs, why: `${code}: ${detail}` };
  };
  return await retry(request, { again, clock, random, signal, onWait });
}

/** Resolves when nothing of the subject is to be seen any more. */
async function vanished(
  call: UndoCall,
  subject: Subject,
  connection: DestinationSession,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random, target, onWait } = connection;
  const endsAt = clock.monotonic() + Math.max(target.profile.graceLongMs, vanishMs);
  for (let looks = 1; ; looks++) {
    const standing = (await subject.check?.(signal)) ?? { is: 'gone' };
    if (standing.is === 'gone') return;
    const leftMs = endsAt - clock.monotonic();
    if (leftMs <= 0) throw stillAtDestination(call);
    onWait(leftMs, 'deleted content is still listed');
    await clock.sleep(backoff(looks + 1, random()), signal);
  }
}

async function waitUntil(at: number, { clock, onWait }: DestinationSession, signal: AbortSignal): Promise<void> {
  const waitMs = at - clock.monotonic();
  if (waitMs <= 0) return;
  onWait(waitMs, 'a request to delete may still be applied');
  await clock.sleep(waitMs, signal);
}

/** It is gone: it is pending again, and so are its messages. */
function finish({ id, kind, subject }: UndoCall, { store, target, renewedMuid }: TakeBackOptions): void {
  store.undo.note(id, 'gone');
  const isConversation = kind === 'group' || kind === 'conversation';
  if (isConversation) store.conversations.putBack(target.id, subject, renewedMuid);
  store.transaction(() => {
    if (isConversation) store.conversations.forgetAt(target.id, subject);
    else if (kind === 'member') store.arrivals.forgetMember(target.id, subject);
    else if (kind === 'person') store.people.forgetAt(target.id, subject);
    else store.deactivated.forgetAction(target.id, subject);
    store.undo.note(id, 'done');
  })();
}

const again = 'Run the same command again: it checks what was deleted';

const unanswered = ({ kind }: UndoCall) =>
  new DestinationError(`Stopped: the destination answered none of ${requestsMax} requests to roll back one ${kind}`, {
    code: 'no_answer',
    hint: again,
  });

const stillAtDestination = ({ kind }: UndoCall) =>
  new DestinationError(`Stopped: the destination says that it took back a ${kind}, and it is still there`, {
    code: 'still-there',
    hint: again,
  });

const stopped = ({ code, detail, hint, ...more }: Extract<ChangeOutcome, { kind: 'not-applied' }>) =>
  new DestinationError(`Stopped: ${code}: ${detail}`, { ...more, code, hint: hint ?? again });

/** Subject of an undo call: how it is checked, and how it is rolled back. */
export interface Subject {
  /** Reads its current state. Absent: the answer to the request is all that shows it. @throws DestinationError if it cannot be read. */
  check?(signal: AbortSignal): Promise<Standing>;
  /** Codes with which the service says that there is no such subject any more. */
  readonly goneCodes?: readonly string[];
  remove(signal: AbortSignal): Promise<ChangeOutcome & { readonly hints: RateHints }>;
}

export function subjectsOf(store: Store, { target, readPage, ask }: DestinationSession): (call: UndoCall) => Subject {
  const { client } = target;
  store.conversations.collectWriters(target.id);
  const lanes = expectedLanes(store, target);
  const reading = {
    lanes,
    readPage,
    seen: store.checks.openMet(target.id),
    reactionsOf: (message: number, serverId: string) => store.actions.doneReactions(target.id, message, serverId, true),
    wasRemoved: (conversation: number, uid: string) => store.arrivals.wasRemoved(target.id, conversation, uid),
  };

  const conversation = ({ subject, messages }: UndoCall): Subject => {
    const lane = lanes.laneAt(subject);
    return {
      check: (signal) => readStanding(lane, { ...reading, expected: messages }, signal),
      remove: (signal) => client.deleteConversation(conversationIds(lane)[0]!, lane.people![0].uid, signal),
    };
  };

  const group = (call: UndoCall): Subject => {
    const lane = lanes.laneAt(call.subject);
    return {
      async check(signal) {
        const found = await ask((abort) => client.getGroup(lane.guid, abort), signal);
        if (found.kind === 'failed' && found.why !== 'not-found') throw readFailure(found);
        const standing = await readStanding(lane, { ...reading, expected: call.messages }, signal);
        if (found.kind === 'failed') return standing;
        if (standing.is === 'gone' && call.messages > 0) return { is: 'emptied' };
        const { membersCount = 0 } = found.value;
        // Its owner may be a member without having written.
        const membersMax = store.conversations.countParticipants(target.id, call.subject) + 1;
        if (membersCount <= membersMax) return standing.is === 'gone' ? { is: 'ours' } : standing;
        const detail = `${formatCount(membersCount)} members, and only ${formatCount(membersMax - 1)} people wrote in it or were imported`;
        return { is: 'left', objection: { reason: 'joined', detail } };
      },
      remove: (signal) => client.deleteGroup(lane.guid, signal),
    };
  };

  const kinds = { conversation, group, ...subjectsWithPeople(store, client, ask) };
  return (call) => kinds[call.kind](call);
}

function subjectsWithPeople(store: Store, client: DeliveryClient, ask: DestinationSession['ask']) {
  const person = ({ subject }: UndoCall): Subject => {
    const { uid } = store.people.get(subject);
    return {
      async check(signal) {
        const found = await ask((abort) => client.listUserMessages(uid, abort), signal);
        if (found.kind === 'answered') {
          if (found.value.messages.length === 0) return { is: 'ours' };
          return { is: 'left', objection: { reason: 'has-messages', detail: `"${uid}" sent or received messages` } };
        }
        if (found.why === 'not-found') return { is: 'gone' };
        throw readFailure(found);
      },
      remove: (signal) => client.deactivateUser(uid, signal),
    };
  };

  const member = ({ subject }: UndoCall): Subject => {
    const { guid, uid } = store.arrivals.member(subject);
    return {
      goneCodes: ['ERR_NOT_A_MEMBER', 'ERR_GUID_NOT_FOUND', 'ERR_UID_NOT_FOUND'],
      remove: (signal) => client.kickMember(guid, uid, signal),
    };
  };

  const deactivation = ({ subject }: UndoCall): Subject => {
    const { uid } = store.people.get(subject);
    return { remove: (signal) => client.activateUser(uid, signal) };
  };
  return { person, member, deactivation };
}

const readFailure = ({ code, detail, hint, ...more }: Extract<ReadOutcome<unknown>, { kind: 'failed' }>) =>
  new DestinationError(`Cannot read the content to roll back: ${code}: ${detail}`, {
    ...more,
    code,
    hint: hint ?? 'Run the same command again when the service answers',
  });

/** Why something is left alone: a code, and the words for this one. */
export interface Objection {
  readonly reason: string;
  readonly detail?: string;
}

export type Standing =
  | { readonly is: 'gone' }
  /** A group without a message, which is still a group. */
  | { readonly is: 'emptied' }
  /** Everything that is listed came from us and is as we sent it; nothing of it is missing. */
  | { readonly is: 'ours' }
  | { readonly is: 'left'; readonly objection: Objection };

interface StandingOptions {
  readonly lanes: ExpectedLanes;
  readonly readPage: ReadPage;
  readonly seen: ReturnType<Store['checks']['openMet']>;
  /** Reactions that this store gave to a message: they are ours as well. */
  readonly reactionsOf: (message: number, serverId: string) => DoneReaction[];
  /** Whether this import removed a member of a group: the service has written a message about it there. */
  readonly wasRemoved: (conversation: number, uid: string) => boolean;
  /** Messages that the store knows to be there. */
  readonly expected: number;
}

/** Reads a whole conversation and says whether all of it is ours. @throws DestinationError if it cannot be read. */
async function readStanding(
  lane: Lane,
  { lanes, readPage, seen, reactionsOf, wasRemoved, expected }: StandingOptions,
  signal: AbortSignal,
): Promise<Standing> {
  seen.clear(lane.conversation);
  let listedCount = 0;
  for await (const page of listedOf(lane, readPage, signal)) {
    for (const listed of page) {
      listedCount++;
      if (isOwnRemoval(listed, (uid) => wasRemoved(lane.conversation, uid))) continue;
      const objection = objectionTo(lane, listed, lanes, reactionsOf);
      if (objection) return { is: 'left', objection };
      seen.add(lane.conversation, lanes.byMuid(lane, keyOf(listed)!)!.row.seq);
    }
  }
  if (listedCount === 0) return { is: 'gone' };
  const found = seen.countOf(lane.conversation);
  seen.clear(lane.conversation);
  if (found === expected) return { is: 'ours' };
  return { is: 'left', objection: { reason: 'not-all-listed', detail: `${found} of ${expected} messages are listed` } };
}

function objectionTo(
  lane: Lane,
  listed: ListedMessage,
  lanes: ExpectedLanes,
  reactionsOf: StandingOptions['reactionsOf'],
): Objection | undefined {
  const key = keyOf(listed);
  const found = key === undefined ? undefined : lanes.byMuid(lane, key);
  const at = `message ${listed.id} of "${listed.sender}"`;
  if (!found) return { reason: 'foreign', detail: at };
  if (found.delivery !== 'imported') return { reason: 'existing', detail: at };
  const fields = differingFields(sentMessage(found.row.muid, found.row.wire), listed);
  if (fields.length > 0) return { reason: 'different', detail: `${at} has another ${fields.join(', ')}` };
  const isReacted = hasForeignReactions(listed, () => reactionsOf(found.row.seq, listed.id));
  return isReacted ? { reason: 'reacted', detail: `${at} has a reaction that was not imported` } : undefined;
}

/** More of a reaction than this store gave. */
function hasForeignReactions(listed: ListedMessage, readOurs: () => readonly DoneReaction[]): boolean {
  const shown = shownReactions(listed) ?? [];
  if (shown.length === 0) return false;
  const ours = new Map(readOurs().map(({ reaction, count }) => [reaction, count]));
  const more = shown.map(({ reaction, count }) => Math.max(0, count - (ours.get(reaction) ?? 0)));
  return more.reduce((sum, count) => sum + count, 0) > (ours.get(null) ?? 0);
}
