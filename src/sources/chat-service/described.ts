import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { directConversation, groupConversation, type RowConversation } from './conversation.ts';
import type { ServiceData, ServiceEntity, ServiceGroup, ServiceMessage, ServiceUser } from './format.ts';
import { asServiceId } from './conversation.ts';
import { asObject, asString, pastSecondsToMs, type Untrusted } from '../kit/narrow.ts';

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
