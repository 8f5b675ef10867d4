import type { Store } from '../../checkpoint/base/store.ts';
import { laneReader } from '../../checkpoint/delivery/touched-lanes.ts';
import { type DoneReaction, doneReactionsReader } from '../../checkpoint/repair/done-actions.ts';
import { metMessages } from '../../checkpoint/repair/reconcile-rows.ts';
import type { UndoCall } from '../../checkpoint/repair/undo.ts';
import { peopleReader, writersReader } from '../../checkpoint/staging/people.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { ListedMessage } from '../../service/client/answers/list-answer.ts';
import type { ChangeOutcome, RateHints, ReadOutcome } from '../../service/client/answers/outcome.ts';
import { shownReactions } from '../../upload/actions/perform-action.ts';
import { type LaneBooks, laneBooks } from '../../upload/lanes/lane-rows.ts';
import type { Lane } from '../../upload/lanes/lanes.ts';
import type { Line } from '../../upload/line.ts';
import { differingFields, keyOf, sentMessage } from '../../upload/read-back/compare.ts';
import { conversationIds, listedOf, type ReadPage } from '../../upload/read-back/read-back.ts';

/** What a call of an undo is about: how it is looked at, and how it is taken back. */
export interface Subject {
  /** Reads it as it stands now. @throws DestinationError if it cannot be read. */
  look(signal: AbortSignal): Promise<Standing>;
  /** One request. */
  remove(signal: AbortSignal): Promise<ChangeOutcome & { readonly hints: RateHints }>;
}

/** Makes the subject of a call, by its kind. */
export function subjectsOf(store: Store, { target, readPage, ask }: Line): (call: UndoCall) => Subject {
  const { client } = target;
  const personOf = peopleReader(store.db);
  const laneRowOf = laneReader(store.db, target.id);
  const writersOf = writersReader(store.db, target.id);
  const books = laneBooks(store, target);
  const reading = {
    books,
    readPage,
    met: metMessages(store.db, target.id),
    reactionsOf: doneReactionsReader(store.db, target.id, { withDoubtful: true }),
  };

  const conversation = ({ subject, messages }: UndoCall): Subject => {
    const lane = books.laneOf(laneRowOf(subject));
    return {
      look: (signal) => readStanding(lane, { ...reading, expected: messages }, signal),
      remove: (signal) => client.deleteConversation(conversationIds(lane)[0]!, lane.people![0].uid, signal),
    };
  };

  const group = (call: UndoCall): Subject => {
    const lane = books.laneOf(laneRowOf(call.subject));
    return {
      async look(signal) {
        const found = await ask((abort) => client.getGroup(lane.guid, abort), signal);
        if (found.kind === 'failed' && found.why !== 'not-found') throw cannotLook(found);
        const standing = await readStanding(lane, { ...reading, expected: call.messages }, signal);
        if (found.kind === 'failed') return standing;
        if (standing.is === 'gone') return { is: 'emptied' };
        const { membersCount = 0 } = found.value;
        // Its owner may be a member without having written.
        const membersMax = writersOf(call.subject) + 1;
        if (membersCount <= membersMax) return standing;
        const detail = `${membersCount} members, and only ${membersMax - 1} people wrote in it`;
        return { is: 'left', objection: { reason: 'joined', detail } };
      },
      remove: (signal) => client.deleteGroup(lane.guid, signal),
    };
  };

  const person = ({ subject }: UndoCall): Subject => {
    const { uid } = personOf(subject);
    return {
      async look(signal) {
        const found = await ask((abort) => client.listUserMessages(uid, abort), signal);
        if (found.kind === 'answered') {
          if (found.value.messages.length === 0) return { is: 'ours' };
          return { is: 'left', objection: { reason: 'has-messages', detail: `"${uid}" sent or received messages` } };
        }
        if (found.why === 'not-found') return { is: 'gone' };
        throw cannotLook(found);
      },
      remove: (signal) => client.deactivateUser(uid, signal),
    };
  };

  const kinds = { conversation, group, person };
  return (call) => kinds[call.kind](call);
}

const cannotLook = ({ code, detail, hint, requestId }: Extract<ReadOutcome<unknown>, { kind: 'failed' }>) =>
  new DestinationError(`Cannot look at what would be taken back: ${code}: ${detail}`, {
    code,
    requestId,
    hint: hint ?? 'Run the same command again when the service answers',
  });

/** Why something is left alone: a code, and the words for this one. */
export interface Objection {
  readonly reason: string;
  readonly detail?: string;
}

/** What stands in a conversation right now. */
export type Standing =
  | { readonly is: 'gone' }
  /** A group without a message, which is still a group. */
  | { readonly is: 'emptied' }
  /** Everything that is listed came from us and is as we sent it; nothing of it is missing. */
  | { readonly is: 'ours' }
  | { readonly is: 'left'; readonly objection: Objection };

interface StandingOptions {
  readonly books: LaneBooks;
  readonly readPage: ReadPage;
  readonly met: ReturnType<typeof metMessages>;
  /** Reactions that this store gave to a message: they are ours as well. */
  readonly reactionsOf: ReturnType<typeof doneReactionsReader>;
  /** Messages that the store knows to be there. */
  readonly expected: number;
}

/** Reads a whole conversation and says whether all of it is ours. @throws DestinationError if it cannot be read. */
async function readStanding(
  lane: Lane,
  { books, readPage, met, reactionsOf, expected }: StandingOptions,
  signal: AbortSignal,
): Promise<Standing> {
  met.clear(lane.conversation);
  let listedCount = 0;
  for await (const page of listedOf(lane, readPage, signal)) {
    for (const listed of page) {
      listedCount++;
      const objection = objectionTo(lane, listed, books, reactionsOf);
      if (objection) return { is: 'left', objection };
      met.add(lane.conversation, books.byMuid(lane, keyOf(listed)!)!.row.seq);
    }
  }
  if (listedCount === 0) return { is: 'gone' };
  const found = met.countOf(lane.conversation);
  met.clear(lane.conversation);
  if (found === expected) return { is: 'ours' };
  return { is: 'left', objection: { reason: 'not-all-listed', detail: `${found} of ${expected} messages are listed` } };
}

function objectionTo(
  lane: Lane,
  listed: ListedMessage,
  books: LaneBooks,
  reactionsOf: StandingOptions['reactionsOf'],
): Objection | undefined {
  const key = keyOf(listed);
  const found = key === undefined ? undefined : books.byMuid(lane, key);
  const at = `message ${listed.id} of "${listed.sender}"`;
  if (!found) return { reason: 'foreign', detail: at };
  if (found.delivery !== 'imported') return { reason: 'present', detail: at };
  const fields = differingFields(sentMessage(found.row.muid, found.row.wire), listed);
  if (fields.length > 0) return { reason: 'different', detail: `${at} has another ${fields.join(', ')}` };
  const isReacted = hasForeignReactions(listed, () => reactionsOf(found.row.seq, listed.id));
  return isReacted ? { reason: 'reacted', detail: `somebody reacted to ${at}` } : undefined;
}

/** More of a reaction than this store gave. */
function hasForeignReactions(listed: ListedMessage, readOurs: () => readonly DoneReaction[]): boolean {
  const shown = shownReactions(listed) ?? [];
  if (shown.length === 0) return false;
  const ours = new Map(readOurs().map(({ reaction, count }) => [reaction, count]));
  const more = shown.map(({ reaction, count }) => Math.max(0, count - (ours.get(reaction) ?? 0)));
  return more.reduce((sum, count) => sum + count, 0) > (ours.get(null) ?? 0);
}
