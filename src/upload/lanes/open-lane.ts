import type { Journal, Settled } from '../../checkpoint/delivery/journal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DeliveryClient } from '../../service/client/delivery-client.ts';
import type { ListedMessage } from '../../service/client/answers/list-answer.ts';
import type { Ask } from '../read-back/ask.ts';
import { differentContent, keyOf } from '../read-back/compare.ts';
import { conversationIds, readConversation, type ReadPage } from '../read-back/read-back.ts';
import { isBefore, type Lane, type LaneRow, noteDelivered } from './lanes.ts';

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
  /** Whether there is such a group; undefined where the destination does not say. */
  readonly groupExists: (guid: string, signal: AbortSignal) => Promise<boolean | undefined>;
  /** Told that a message of ours was listed, and by what it was recognised: our key, or the service's own id alone. */
  readonly onShown?: (by: 'key' | 'id') => void;
  readonly clock: Clock;
  /** How long a message that is there may not be listed yet. */
  readonly graceMs: number;
  readonly onWait: (ms: number, why: string) => void;
  /** Aborted: no wait is worth its end any more. */
  readonly pausing: AbortSignal;
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
  const { readPage, journal, claimOf, onShown } = options;
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
        if (claim) onShown?.('key');
        if (!claim) foreignCount++;
        else if (claim.isPending && !known.has(claim.row.seq)) {
          // Listings are in the order of arrival: what comes first there and later here was sent by another copy of the store.
          const isLate = lane.deliveredUpTo !== undefined && isBefore(claim.row, lane.deliveredUpTo);
          known.set(claim.row.seq, { ...settledBy(claim, listed), isLate });
          noteDelivered(lane, claim.row);
        }
      }
    }
    if (seen === 0) continue;
    lane.conversationId ??= conversationId;
    break;
  }
  const { conversation, receiverType, conversationId } = lane;
  if (seen === 0 && lane.lastServerId === undefined) {
    const groupExisted = receiverType === 'group' ? await options.groupExists(lane.guid, signal) : undefined;
    lane.before = { wasEmpty: true, groupExisted };
  }
  if (seen === 0 && !(await isLastThereInTime(lane, options, signal))) return 'last message gone';
  if (seen > 0) await journal.found([...known.values()], { conversation, receiverType, conversationId, foreignCount });
  return known.size;
}

/** Looks again until the grace is over: a run that begins right after another may be faster than the listing. */
async function isLastThereInTime(lane: Lane, options: OpenLaneOptions, signal: AbortSignal): Promise<boolean> {
  const { clock, graceMs, onWait, pausing } = options;
  const endsAt = clock.monotonic() + graceMs;
  for (let waitMs = 1000; ; waitMs *= 2) {
    if (await isLastThere(lane, options, signal)) return true;
    const leftMs = endsAt - clock.monotonic();
    if (leftMs <= 0) return false;
    onWait(Math.min(waitMs, leftMs), 'the last message that was sent to a conversation is not listed there yet');
    await clock.sleep(Math.min(waitMs, leftMs), pausing);
  }
}

/** Asked where nothing stands behind our last message: is at least that still there? By its time, because an id that is gone names no place. */
async function isLastThere(
  lane: Lane,
  { readPage, claimOf, onShown }: OpenLaneOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { lastServerId, deliveredUpTo } = lane;
  if (lastServerId === undefined || deliveredUpTo === undefined) return true;
  const second = Math.floor(deliveredUpTo[0] / 1000);
  // One second of room on both sides: whether the bounds are inclusive is not specified.
  const window = { fromTimestamp: second - 1, toTimestamp: second + 1 };
  for (const conversationId of conversationIds(lane)) {
    for await (const page of readConversation(readPage, { conversationId, ...window }, signal)) {
      const isShownBy = page.some((listed) => claimOf(keyOf(listed) ?? '')?.isPending === false)
        ? 'key'
        : page.some(({ id }) => id === lastServerId) && 'id';
      if (!isShownBy) continue;
      onShown?.(isShownBy);
      return true;
    }
  }
  return false;
}

function settledBy(claim: Claim, listed: ListedMessage): Settled {
  const { seq } = claim.row;
  const fields = claim.differingFields(listed);
  if (fields.length > 0) return differentContent(seq, listed.id, fields);
  return { seq, state: claim.hadIntent ? 'imported' : 'present', serverId: listed.id };
}

/**
 * Whether a destination has a group; undefined where it does not say.
 *
 * Asked once for a group, before the first message to it: an undo deletes no group that was there before. An import goes
 * on without the answer; what is not known to be ours is left alone later.
 */
export function groupExistsReader(client: Pick<DeliveryClient, 'getGroup'>, ask: Ask) {
  return async (guid: string, signal: AbortSignal): Promise<boolean | undefined> => {
    const outcome = await ask((abort) => client.getGroup(guid, abort), signal);
    if (outcome.kind === 'answered') return true;
    return outcome.why === 'not-found' ? false : undefined;
  };
}
