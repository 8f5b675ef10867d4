import type { DeliveryChange } from '../../store/batches.ts';
import { listedWithinMs } from '../../service/profiles.ts';
import type { ListedMessage } from '../../service/outcome.ts';
import { differentContent, differingFields, isOwnRemoval, keyOf, sentMessage } from '../compare.ts';
import { conversationIds, listedOf, readConversation, windowAround } from '../read-back.ts';
import type { Sending } from './sending.ts';
import { type LaneRowsReader, addressOfLane, isBefore, type Lane, noteDelivered } from '../lanes.ts';
import type { SendingSession } from '../session.ts';

type OpeningOptions = Pick<Sending, 'store' | 'session' | 'records' | 'proof'>;

/** How many pending messages need no sending; or our last known message is gone; or another store sends there. */
export type Opened = number | 'last message gone' | 'claimed by another';

/**
 * Opens lanes. If late messages are rejected, this also rejects messages that only turn out to be late at the opening,
 * because younger Chatferry messages are there that the store did not know. Messages that were tried before are sent.
 *
 * @param doubtful Lanes in which an earlier run left something unconfirmed: it may have turned out to be there.
 */
export function laneOpener(sending: Sending, doubtful: readonly Lane[]): (lane: Lane) => Promise<Opened> {
  const { store, options, session, records, flight, proof } = sending;
  const { outOfOrder, runId, chosenOnly, chosenMayBeLate = true } = options;
  const wasUnconfirmed = new Set(doubtful);
  // A retry sends what it was asked for.
  const rejects = outOfOrder === 'reject' && !(chosenOnly && chosenMayBeLate);
  const groups = groupEvidence(session, (lane) => store.arrivals.groupBefore(session.target.id, lane.conversation));
  return async (lane) => {
    if (!(await flight.claims.take(addressOfLane(lane)))) return 'claimed by another';
    if (!proof.reads) return 0;
    const before = lane.deliveredUpTo;
    const found = await openLane(lane, sending, groups.before(lane) ?? { exists: await groups.exists(lane) });
    groups.note(lane);
    const upTo = lane.deliveredUpTo;
    if (!rejects || found === 'last message gone' || !upTo || (upTo === before && !wasUnconfirmed.has(lane)))
      return found;
    let refused = 0;
    await store.commits.commit(
      () => (refused = store.failures.refuseTooLate(session.target.id, runId, [[lane.conversation, upTo]])),
    );
    records.journal.noteFailed(refused);
    return found + refused;
  };
}

/**
 * A group that there is not has no messages: its conversation need not be read. That a destination has a group wherever it has messages of
 * one is not taken for granted: a group that it did not have has to be there once this run has sent to it.
 */
function groupEvidence(session: SendingSession, arrived: (lane: Lane) => GroupBefore | undefined) {
  /** The first whose group was not there. */
  let witness: Lane | undefined;
  let proof: Promise<boolean | undefined> | undefined;
  const isProved = async (): Promise<boolean> => {
    if (witness?.lastServerId !== undefined) proof ??= groupExists(witness.guid, session);
    return (await proof) === true;
  };
  return {
    before: (lane: Lane) => (lane.receiverType === 'group' ? arrived(lane) : undefined),
    /** Returns whether the group exists; undefined if that shows nothing about its conversation. */
    async exists(lane: Lane): Promise<boolean | undefined> {
      const { receiverType, conversationId, lastServerId, guid } = lane;
      if (receiverType !== 'group' || conversationId !== undefined || lastServerId !== undefined) return undefined;
      return (await isProved()) ? await groupExists(guid, session) : undefined;
    },
    /** A lane that was just opened. */
    note(lane: Lane): void {
      if (lane.before?.groupExisted === false) witness ??= lane;
    },
  };
}

/** A group that was imported before its messages: whether it was there before that; undefined if that is not known. */
interface GroupBefore {
  readonly existed: boolean | undefined;
}

/**
 * Reads the messages in a conversation after the last known one of Chatferry's (all of it if none is known), before the
 * first send of a run: this shows that store and destination agree. Messages of Chatferry's that the store does not
 * know (an old copy of it, another machine) are recorded instead of being sent again; messages of others are counted.
 *
 * @param group Whether it was there before our import of it, or, if known, and if it shows whether there can be any
 *   messages, whether it exists.
 * @returns How many pending messages turned out to be there; or that the last known message is gone: the destination is
 *   not as this store left it, and nothing should be added to it.
 */
async function openLane(
  lane: Lane,
  sending: OpeningOptions,
  group: GroupBefore | { readonly exists: boolean | undefined },
): Promise<Exclude<Opened, 'claimed by another'>> {
  if ('exists' in group && group.exists === false) {
    lane.before = { wasEmpty: true, groupExisted: false };
    return 0;
  }
  const { store, session, records, proof } = sending;
  const { journal, rows } = records;
  /** By message: a destination that stores duplicates may show it twice. */
  const known = new Map<number, DeliveryChange>();
  let foreignCount = 0;
  const wasRemoved = (uid: string) => store.arrivals.wasRemoved(session.target.id, lane.conversation, uid);
  let isEmpty = true;
  const from = lane.lastServerId === undefined ? {} : { fromId: lane.lastServerId };
  for await (const page of listedOf(lane, session.readPage, session.signal, from)) {
    isEmpty = false;
    for (const listed of page) {
      const ours = rows.byMuid(lane, keyOf(listed) ?? '');
      if (!ours) {
        if (!isOwnRemoval(listed, wasRemoved)) foreignCount++;
        continue;
      }
      proof.note('key');
      const { row } = ours;
      if (!isPending(ours) || known.has(row.seq)) continue;
      // Listings are in the order of arrival: what comes first there and later here was sent by another copy of the store.
      const isLate = lane.deliveredUpTo !== undefined && isBefore(row, lane.deliveredUpTo);
      known.set(row.seq, { ...changeBy(ours, listed), isLate });
      noteDelivered(lane, row);
    }
  }
  const { conversation, receiverType, conversationId } = lane;
  if (isEmpty && lane.lastServerId === undefined) {
    const ask = async () =>
      'exists' in group ? (group.exists ?? (await groupExists(lane.guid, session))) : group.existed;
    lane.before = { wasEmpty: true, groupExisted: receiverType === 'group' ? await ask() : undefined };
  }
  if (isEmpty && !(await isLastListedInTime(lane, sending))) return 'last message gone';
  if (!isEmpty) await journal.found([...known.values()], { conversation, receiverType, conversationId, foreignCount });
  return known.size;
}

type Known = NonNullable<ReturnType<LaneRowsReader['byMuid']>>;

/** Nothing good is written down for it there yet. */
const isPending = ({ delivery }: Known) => delivery === null || delivery === 'pending';

function changeBy({ row, delivery }: Known, listed: ListedMessage): DeliveryChange {
  const { seq } = row;
  const fields = differingFields(sentMessage(row.muid, row.wire), listed);
  if (fields.length > 0) return differentContent(seq, listed.id, fields);
  // A request for it may have left from this store: then it is our own.
  return { seq, state: delivery === null ? 'existing' : 'imported', serverId: listed.id };
}

/** Looks again: a run that begins right after another may be faster than the listing. */
async function isLastListedInTime(lane: Lane, sending: OpeningOptions): Promise<boolean> {
  const { clock, target, onWait, pausing } = sending.session;
  const endsAt = clock.monotonic() + listedWithinMs(target.profile);
  for (let waitMs = 1000; ; waitMs *= 2) {
    if (await isLastListed(lane, sending)) return true;
    const leftMs = endsAt - clock.monotonic();
    if (leftMs <= 0) return false;
    onWait(Math.min(waitMs, leftMs), 'the last message that was sent to a conversation is not listed there yet');
    await clock.sleep(Math.min(waitMs, leftMs), pausing);
  }
}

/**
 * Called if nothing follows the last known message: checks whether at least that one is still there. Searches by its
 * time, because an id that is gone marks no position.
 */
async function isLastListed(lane: Lane, { session, records, proof }: OpeningOptions): Promise<boolean> {
  const { lastServerId, deliveredUpTo } = lane;
  if (lastServerId === undefined || deliveredUpTo === undefined) return true;
  const isOurs = (listed: ListedMessage) => {
    const found = records.rows.byMuid(lane, keyOf(listed) ?? '');
    return found !== undefined && !isPending(found);
  };
  const window = windowAround(deliveredUpTo[0]);
  for (const conversationId of conversationIds(lane)) {
    for await (const page of readConversation(session.readPage, { conversationId, ...window }, session.signal)) {
      const isShownBy = page.some(isOurs) ? 'key' : page.some(({ id }) => id === lastServerId) && 'id';
      if (!isShownBy) continue;
      proof.note(isShownBy);
      return true;
    }
  }
  return false;
}

/**
 * Whether a destination has a group; undefined where it does not say.
 *
 * Asked once for a group, before the first message to it: an undo deletes no group that was there before. An import goes
 * on without the answer; what is not known to be ours is left alone later.
 */
async function groupExists(guid: string, { ask, target, signal }: SendingSession): Promise<boolean | undefined> {
  const outcome = await ask((abort) => target.client.getGroup(guid, abort), signal);
  if (outcome.kind === 'answered') return true;
  return outcome.why === 'not-found' ? false : undefined;
}
