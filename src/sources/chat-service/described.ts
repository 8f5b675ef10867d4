import type { ChatRecord, ConversationRecord, UserRecord } from '../../model/records.ts';
import { directConversation, groupConversation, type RowConversation } from './conversation.ts';
import type { ServiceData, ServiceEntity, ServiceGroup, ServiceMessage, ServiceUser } from './format.ts';
import { asObject, asServiceId, asString, pastToMs, type Untrusted } from './narrow.ts';

/** Descriptions that are remembered, about 300 bytes each: 30 MB. What was forgotten is yielded once more, which changes nothing. */
const rememberedMax = 100_000;

/**
 * People and conversations of one file. The service has no list of them: each message brings a copy of those that it concerns,
 * so what is new or has changed is picked out.
 */
export class Described {
  /** JSON of what was yielded last, by kind and id. */
  readonly #latest = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Name of a person, as far as the file has said it up to here. */
  nameOf(uid: string): string | undefined {
    return this.#names.get(uid);
  }

  /** What a row says of people and of its conversation, and no row before it said; people first. */
  *newIn(row: Untrusted<ServiceMessage>, conversation: RowConversation): Generator<UserRecord | ConversationRecord> {
    const data = asObject<ServiceData>(row.data);
    for (const user of usersIn(row, data)) {
      const record = toUser(user);
      if (record && this.#isNew(record)) yield record;
    }
    const record = conversationIn(row, data, conversation);
    if (record && this.#isNew(record)) yield record;
  }

  #isNew(record: UserRecord | ConversationRecord): boolean {
    const key = `${record.kind} ${record.id}`;
    const json = JSON.stringify(record satisfies ChatRecord);
    if (this.#latest.get(key) === json) return false;
    if (this.#latest.size >= rememberedMax) this.#forget();
    this.#latest.set(key, json);
    if (record.kind === 'user') this.#names.set(record.id, record.name);
    return true;
  }

  #forget(): void {
    this.#latest.clear();
    this.#names.clear();
  }
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
  const createdAtMs = pastToMs(user.createdAt);
  return {
    kind: 'user',
    id,
    name,
    ...(avatarUrl !== undefined && { avatarUrl }),
    ...(pastToMs(user.deactivatedAt) !== undefined && { isDeleted: true }),
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
