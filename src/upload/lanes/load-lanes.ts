import { deliveredUpToReader } from '../../checkpoint/delivery/delivered-up-to.ts';
import { type PendingLane, pendingLanes } from '../../checkpoint/delivery/pending-lanes.ts';
import { peopleReader } from '../../checkpoint/staging/people.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { type Lane, startOfLane } from './lanes.ts';

/** The lanes of a run: with something to send, and with something in doubt (those may have both). */
export function loadLanes(
  store: Store,
  destination: number,
  chosenOnly = false,
): { clear: Lane[]; doubtful: Lane[]; pendingCount: number } {
  const personOf = peopleReader(store.db);
  const deliveredUpTo = deliveredUpToReader(store.db, destination);
  const rows = pendingLanes(store.db, destination, chosenOnly);
  const lanes = rows.map((row) => laneOf(row, personOf, deliveredUpTo(row.conversation)));
  return {
    clear: lanes.filter((_, index) => rows[index]!.doubtful === 0),
    doubtful: lanes.filter((_, index) => rows[index]!.doubtful > 0),
    pendingCount: rows.reduce((sum, row) => sum + row.pending + row.doubtful, 0),
  };
}

/** A lane of one conversation of a destination, as the store knows it. */
export function laneOf(
  row: PendingLane,
  personOf: ReturnType<typeof peopleReader>,
  deliveredUpTo: Lane['deliveredUpTo'],
): Lane {
  const people =
    row.person_a !== null && row.person_b !== null
      ? ([personOf(row.person_a), personOf(row.person_b)] as const)
      : undefined;
  return {
    conversation: row.conversation,
    sourceId: row.source_id,
    guid: row.guid,
    groupDetails: row.group_details,
    people,
    receiverType: row.receiver_type,
    priority: row.priority,
    conversationId: row.conversation_id ?? undefined,
    lastServerId: row.last_server_id ?? undefined,
    deliveredUpTo,
    isReceiverKnown: row.last_server_id !== null,
    state: 'closed',
    pendingCount: row.pending,
    inFlightCount: 0,
    cursor: startOfLane,
  };
}
