import type { Journal, Settled } from '../checkpoint/journal.ts';
import type { ListedMessage } from '../service/list-answer.ts';
import { keyOf } from './compare.ts';
import { type Lane, type LaneRow, noteDelivered } from './lanes.ts';
import { conversationIds } from './read-back.ts';
import { type ReadPage, readConversation } from './reader.ts';

/** What the store says of a muid that was found at the destination. */
export interface Claim {
  readonly row: Pick<LaneRow, 'seq' | 'sentAtMs' | 'sortKey'>;
  /** Nothing good is written down for it there yet. */
  readonly isPending: boolean;
  /** A request for it may have left from this store. */
  readonly hadIntent: boolean;
  /** The fields in which what stands there differs from what would be sent. */
  readonly differingFields: (listed: ListedMessage) => readonly string[];
}

export interface OpenLaneOptions {
  readonly readPage: ReadPage;
  readonly journal: Journal;
  readonly claimOf: (muid: string) => Claim | undefined;
}

/**
 * Reads what stands in a conversation behind our last known message (all of it where none is known), before the first
 * send of a run: it shows that store and destination agree. Ours but unknown to the store (an old copy of it, another
 * machine) is written down instead of being sent again; what others wrote is counted.
 *
 * @returns How many pending messages turned out to be there.
 */
export async function openLane(
  lane: Lane,
  { readPage, journal, claimOf }: OpenLaneOptions,
  signal: AbortSignal,
): Promise<number> {
  /** By message: a destination that stores duplicates may show it twice. */
  const known = new Map<number, Settled>();
  let foreignCount = 0;
  let seen = 0;
  for (const conversationId of conversationIds(lane)) {
    const from = lane.lastServerId === undefined ? {} : { fromId: lane.lastServerId };
    for await (const page of readConversation(readPage, { conversationId, ...from }, signal)) {
      for (const listed of page) {
        seen++;
        const claim = claimOf(keyOf(listed) ?? '');
        if (!claim) foreignCount++;
        else if (claim.isPending && !known.has(claim.row.seq)) {
          known.set(claim.row.seq, settledBy(claim, listed));
          noteDelivered(lane, claim.row);
        }
      }
    }
    if (seen === 0) continue;
    lane.conversationId ??= conversationId;
    break;
  }
  // After the first opening, what others wrote before us is already counted.
  const { conversation, receiverType, conversationId } = lane;
  if (seen > 0) await journal.found([...known.values()], { conversation, receiverType, conversationId, foreignCount });
  return known.size;
}

function settledBy(claim: Claim, listed: ListedMessage): Settled {
  const { seq } = claim.row;
  const fields = claim.differingFields(listed);
  if (fields.length > 0) {
    return {
      seq,
      state: 'refused',
      serverId: listed.id,
      code: 'different-content',
      detail: `already there with another ${fields.join(', ')}`,
    };
  }
  return { seq, state: claim.hadIntent ? 'imported' : 'present', serverId: listed.id };
}
