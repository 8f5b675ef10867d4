import { shownReactions } from '../../upload/actions/shown-reactions.ts';
import type { DoneReaction, doneReactionsReader } from '../../checkpoint/repair/done-actions.ts';
import type { metMessages } from '../../checkpoint/repair/met-messages.ts';
import type { ListedMessage } from '../../service/client/list-answer.ts';
import { differingFields, keyOf, sentMessage } from '../../upload/read-back/compare.ts';
import type { LaneRowsReader } from '../../upload/lanes/lane-rows.ts';
import type { Lane } from '../../upload/lanes/lanes.ts';
import { conversationIds } from '../../upload/read-back/read-back.ts';
import { type ReadPage, readConversation } from '../../upload/read-back/reader.ts';

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

export interface StandingOptions {
  readonly rows: LaneRowsReader;
  readonly readPage: ReadPage;
  readonly met: ReturnType<typeof metMessages>;
  /** Reactions that this store gave to a message: they are ours as well. */
  readonly reactionsOf: ReturnType<typeof doneReactionsReader>;
  /** Messages that the store knows to be there. */
  readonly expected: number;
}

/** Reads a whole conversation and says whether all of it is ours. @throws DestinationError if it cannot be read. */
export async function readStanding(
  lane: Lane,
  { rows, readPage, met, reactionsOf, expected }: StandingOptions,
  signal: AbortSignal,
): Promise<Standing> {
  met.clear(lane.conversation);
  let listedCount = 0;
  for (const conversationId of conversationIds(lane)) {
    for await (const page of readConversation(readPage, { conversationId }, signal)) {
      for (const listed of page) {
        listedCount++;
        const objection = objectionTo(lane, listed, rows, reactionsOf);
        if (objection) return { is: 'left', objection };
        met.add(lane.conversation, rows.byMuid(lane, keyOf(listed)!)!.row.seq);
      }
    }
    if (listedCount > 0) {
      lane.conversationId ??= conversationId;
      break;
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
  rows: LaneRowsReader,
  reactionsOf: StandingOptions['reactionsOf'],
): Objection | undefined {
  const key = keyOf(listed);
  const found = key === undefined ? undefined : rows.byMuid(lane, key);
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
