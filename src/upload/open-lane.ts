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
 * @returns How many pending messages turned out to be there; or that our last known message is gone: the destination
 * is not as this store left it, and nothing should be added to it.
 */
export async function openLane(
  lane: Lane,
  options: OpenLaneOptions,
  signal: AbortSignal,
): Promise<number | 'last message gone'> {
  const { readPage, journal, claimOf } = options;
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
  const { conversation, receiverType, conversationId } = lane;
  if (seen === 0 && !(await isLastThere(lane, options, signal))) return 'last message gone';
  if (seen > 0) await journal.found([...known.values()], { conversation, receiverType, conversationId, foreignCount });
  return known.size;
}

/** Asked where nothing stands behind our last message: is at least that still there? By its time, because an id that is gone names no place. */
async function isLastThere(lane: Lane, { readPage, claimOf }: OpenLaneOptions, signal: AbortSignal): Promise<boolean> {
  const { lastServerId, deliveredUpTo } = lane;
  if (lastServerId === undefined || deliveredUpTo === undefined) return true;
  const second = Math.floor(deliveredUpTo[0] / 1000);
  // One second of room on both sides: whether the bounds are inclusive is not specified.
  const window = { fromTimestamp: second - 1, toTimestamp: second + 1 };
  for (const conversationId of conversationIds(lane)) {
    for await (const page of readConversation(readPage, { conversationId, ...window }, signal)) {
      if (page.some((listed) => listed.id === lastServerId || claimOf(keyOf(listed) ?? '')?.isPending === false))
        return true;
    }
  }
  return false;
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
