import type { ConversationRecord } from '../../model/records.ts';
import type { ServiceGroup, ServiceMessage } from './format.ts';
import { asString, describe, pastSecondsToMs, type Untrusted } from '../kit/narrow.ts';

/** A uid or guid, in lower case: the service forces it, so `Ann` and `ann` are one person. */
export const asServiceId = (value: unknown): string | undefined => asString(value)?.toLowerCase();

/** Where a row stands. */
export interface RowConversation {
  readonly id: string;
  readonly kind: 'direct' | 'group';
  /** The uids of a one-to-one chat, ascending; one where somebody writes to themselves. */
  readonly people: readonly string[];
}

/**
 * The conversation of a row, or what is wrong with the row. A group's id is its guid, so that it keeps it wherever it goes;
 * a one-to-one chat's is made of the two uids, as the service's own is. Nothing is read out of a conversation id: uids may
 * contain `_user_`.
 */
export function conversationOf(row: Untrusted<ServiceMessage>): RowConversation | string {
  const receiver = asServiceId(row.receiver);
  if (receiver === undefined) return `Expected "receiver", a uid or guid, found ${describe(row.receiver)}`;
  if (row.receiverType === 'group') return { id: groupConversationId(receiver), kind: 'group', people: [] };
  if (row.receiverType !== 'user') {
    return `Expected "receiverType" to be "user" or "group", found ${describe(row.receiverType)}`;
  }
  const sender = asServiceId(row.sender);
  if (sender === undefined) return `Expected "sender", a uid, found ${describe(row.sender)}`;
  const [first = '', second = first] = [...new Set([sender, receiver])].sort();
  // Which of the two comes first is not specified: the row says it, import bodies do not.
  const isOtherWay = asServiceId(row.conversationId) === `${second}_user_${first}`;
  const id = isOtherWay ? `${second}_user_${first}` : `${first}_user_${second}`;
  return { id, kind: 'direct', people: [...new Set([first, second])] };
}

/** The guid; marked where it could be taken for the id of a one-to-one chat, which nobody else may read. */
const groupConversationId = (guid: string): string => (guid.includes('_user_') ? `group:${guid}` : guid);

export const directConversation = ({ id, people }: RowConversation): ConversationRecord => ({
  kind: 'conversation',
  id,
  type: 'direct',
  name: '',
  members: [...people],
});

/** The service lists no members with a message: nobody is named here. */
export function groupConversation({ id }: RowConversation, group: Untrusted<ServiceGroup>): ConversationRecord {
  const description = asString(group.description);
  const creator = asServiceId(group.owner);
  const createdAtMs = pastSecondsToMs(group.createdAt);
  return {
    kind: 'conversation',
    id,
    // One that asks for a password is not open to everybody either.
    type: group.type === 'public' ? 'public' : 'private',
    name: asString(group.name) ?? '',
    ...(description !== undefined && { description }),
    ...(creator !== undefined && { creator }),
    ...(createdAtMs !== undefined && { createdAtMs }),
    members: [],
  };
}
