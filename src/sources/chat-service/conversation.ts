import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { asObject, asString, describe, pastSecondsToMs, type Untrusted } from '../kit/narrow.ts';
import type { ServiceData, ServiceEntity, ServiceGroup, ServiceMessage, ServiceUser } from './format.ts';

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

const directConversation = ({ id, people }: RowConversation): ConversationRecord => ({
  kind: 'conversation',
  id,
  type: 'direct',
  name: '',
  members: [...people],
});

/** The service lists no members with a message: nobody is named here. */
function groupConversation({ id }: RowConversation, group: Untrusted<ServiceGroup>): ConversationRecord {
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

/**
 * What a row says of people and of its conversation, people first. The service has no list of them: each message brings a copy
 * of those that it concerns.
 */
export function* describedIn(
  row: Untrusted<ServiceMessage>,
  conversation: RowConversation,
): Generator<UserRecord | ConversationRecord> {
  const data = asObject<ServiceData>(row.data);
  for (const user of usersIn(row, data)) {
    const record = toUser(user);
    if (record) yield record;
  }
  const record = conversationIn(row, data, conversation);
  if (record) yield record;
}

function* usersIn(
  row: Untrusted<ServiceMessage>,
  data: Untrusted<ServiceData> | undefined,
): Generator<Untrusted<ServiceUser>> {
  const entities = asObject<ServiceData['entities']>(data?.entities);
  const candidates = [
    row.senderUserDetails,
    row.receiverType === 'user' ? row.receiverUserDetails : undefined,
    ...[entities?.sender, entities?.receiver, entities?.by, entities?.on, entities?.for].map(userOf),
    ...Object.values(asObject<Record<string, unknown>>(data?.mentions) ?? {}),
  ];
  for (const candidate of candidates) {
    const user = asObject<ServiceUser>(candidate);
    if (user) yield user;
  }
}

function userOf(value: unknown): unknown {
  const found = asObject<ServiceEntity>(value);
  return found?.entityType === 'user' ? found.entity : undefined;
}

/** @returns undefined where it says no more than the uid. */
function toUser(user: Untrusted<ServiceUser>): UserRecord | undefined {
  const id = asServiceId(user.uid);
  const name = asString(user.name);
  if (id === undefined || name === undefined) return undefined;
  const avatarUrl = asString(user.avatar);
  const createdAtMs = pastSecondsToMs(user.createdAt);
  return {
    kind: 'user',
    id,
    name,
    ...(avatarUrl !== undefined && { avatarUrl }),
    ...(pastSecondsToMs(user.deactivatedAt) !== undefined && { isDeleted: true }),
    ...(createdAtMs !== undefined && { createdAtMs }),
  };
}

function conversationIn(
  row: Untrusted<ServiceMessage>,
  data: Untrusted<ServiceData> | undefined,
  conversation: RowConversation,
): ConversationRecord | undefined {
  if (conversation.kind === 'direct') return directConversation(conversation);
  const receiver = asObject<ServiceEntity>(asObject<ServiceData['entities']>(data?.entities)?.receiver);
  const entity = receiver?.entityType === 'group' ? receiver.entity : undefined;
  const group = asObject<ServiceGroup>(row.receiverGroupDetails ?? row.receiverUserDetails ?? entity);
  return group && groupConversation(conversation, group);
}
