import type { ListedMessage } from '../../service/client/list-answer.ts';
import { differingFields, keyOf, sentMessage } from './compare.ts';
import type { Lane, LaneRow } from '../lanes/lanes.ts';
import { type ReadPage, readConversation } from './reader.ts';

/** What a read-back says of one message. */
export type Found =
  | { readonly is: 'absent' }
  | { readonly is: 'there'; readonly listed: ListedMessage; readonly times: number }
  | { readonly is: 'different'; readonly listed: ListedMessage; readonly fields: readonly string[] };

/**
 * The ids under which a conversation may be listed: the one that the service has shown, else what the specification's
 * shapes give, for two people in both orders.
 */
export function conversationIds(lane: Pick<Lane, 'conversationId' | 'receiverType' | 'guid' | 'people'>): string[] {
  if (lane.conversationId !== undefined) return [lane.conversationId];
  if (lane.receiverType === 'group' || !lane.people) return [`group_${lane.guid}`];
  const [a, b] = lane.people.map(({ uid }) => uid).sort() as [string, string];
  return [`${a}_user_${b}`, `${b}_user_${a}`];
}

/** Looks for messages of one lane at the destination, in the window of their times. */
export async function readBack(
  lane: Lane,
  rows: readonly LaneRow[],
  readPage: ReadPage,
  signal: AbortSignal,
): Promise<Map<LaneRow, Found>> {
  const wanted = new Map(rows.map((row) => [row.muid, row]));
  const listed = new Map<LaneRow, ListedMessage[]>();
  const seconds = rows.map(({ sentAtMs }) => Math.floor(sentAtMs / 1000));
  // One second of room on both sides: whether the bounds are inclusive is not specified.
  const window = { fromTimestamp: Math.min(...seconds) - 1, toTimestamp: Math.max(...seconds) + 1 };
  for (const conversationId of conversationIds(lane)) {
    for await (const page of readConversation(readPage, { conversationId, ...window }, signal)) {
      for (const message of page) {
        const row = wanted.get(keyOf(message) ?? '');
        if (row) listed.set(row, [...(listed.get(row) ?? []), message]);
      }
    }
    if (listed.size > 0) {
      lane.conversationId ??= conversationId;
      break;
    }
  }
  return new Map(rows.map((row) => [row, judge(row, listed.get(row))]));
}

function judge(row: LaneRow, listed: readonly ListedMessage[] | undefined): Found {
  const first = listed?.[0];
  if (!first) return { is: 'absent' };
  const fields = differingFields(sentMessage(row.muid, row.wire), first);
  if (fields.length > 0) return { is: 'different', listed: first, fields };
  return { is: 'there', listed: first, times: listed.length };
}
