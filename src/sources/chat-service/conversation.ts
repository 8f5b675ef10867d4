import { formatCount } from '../../lib/text/count.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asObject, asString, describe, pastSecondsToMs, type Untrusted } from '../kit/narrow.ts';
import type { ServiceData, ServiceEntity, ServiceGroup, ServiceMessage, ServiceUser } from './format.ts';

/** A uid or guid, in lower case: the service forces it, so `Ann` and `ann` are one person. */
export const asServiceId = (value: unknown): string | undefined => asString(value)?.toLowerCase();

/** The conversation of a row. */
export interface RowConversation {
  readonly id: string;
  readonly kind: 'direct' | 'group';
  /** The uids of a one-to-one chat, ascending; one if a user writes to themselves. */
  readonly people: readonly string[];
}

/**
 * The conversation of a row, or what is wrong with the row. A group's id is its guid, so that it keeps it wherever it goes;
 * a one-to-one chat's is made of the two uids, as the service's own is. Nothing is read out of a conversation id: uids may
 * contain `_user_`.
 */
export function readConversation(row: Untrusted<ServiceMessage>): RowConversation | string {
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

/** Returns the guid; marked if it could be taken for the id of a one-to-one chat, which no one else may read. */
const groupConversationId = (guid: string): string => (guid.includes('_user_') ? `group:${guid}` : guid);

const directConversation = ({ id, people }: RowConversation): ConversationRecord => ({
  kind: 'conversation',
  id,
  type: 'direct',
  name: '',
  members: [...people],
});

const tagsOf = (tags: unknown): { readonly tags?: string[] } => {
  const words = asArray(tags).filter((tag) => typeof tag === 'string');
  return words.length > 0 ? { tags: words } : {};
};

/** Returns a group without members: the service lists none with a message. */
function groupConversation({ id }: RowConversation, group: Untrusted<ServiceGroup>): ConversationRecord {
  const metadata = readMetadata(group.metadata);
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    // One that asks for a password is not open to everybody either.
    type: group.type === 'public' ? 'public' : 'private',
    name: asString(group.name) ?? '',
    description: asString(group.description),
    iconUrl: asString(group.icon),
    ...tagsOf(group.tags),
    ...(metadata && { metadata }),
    creator: asServiceId(group.owner),
    createdAtMs: pastSecondsToMs(group.createdAt),
    members: [],
  });
}

/** A person or conversation that a row describes, and the parts of it that are not used further. */
interface Description {
  readonly record: UserRecord | ConversationRecord;
  readonly problems: readonly RowProblem[];
}

/**
 * Yields the people and the conversation that a row describes, people first. The service has no list of them: each
 * message brings a copy of those that it concerns.
 */
export function* describedIn(row: Untrusted<ServiceMessage>, conversation: RowConversation): Generator<Description> {
  const data = asObject<ServiceData>(row.data);
  for (const user of usersIn(row, data)) {
    const record = toUser(user);
    if (record) yield { record, problems: lostOfUser(record.id, user) };
  }
  if (conversation.kind === 'direct') return yield { record: directConversation(conversation), problems: [] };
  const group = groupIn(row, data);
  if (group) yield { record: groupConversation(conversation, group), problems: lostOfGroup(conversation.id, group) };
}

/** The import has no field for tags and roles of people, and none of links that the service shows. */
function lostOfUser(id: string, user: Untrusted<ServiceUser>): RowProblem[] {
  const lost = [
    ...(asArray(user.tags).length > 0 ? ['tags'] : []),
    ...(asString(user.link) !== undefined ? ['link'] : []),
    ...(asString(user.role) !== undefined && user.role !== 'default' ? ['role'] : []),
  ];
  const problems = tooLarge('user', id, user.metadata);
  if (lost.length > 0) problems.push({ code: 'user-details-lost', reason: `${lost.join(' and ')} of "${id}"` });
  return problems;
}

function lostOfGroup(id: string, group: Untrusted<ServiceGroup>): RowProblem[] {
  const problems = tooLarge('group', id, group.metadata);
  if (asArray(group.tags).length > 0) problems.push({ code: 'group-tags-lost', reason: `tags of "${id}"` });
  if (group.type === 'password')
    problems.push({ code: 'password-group', reason: `"${id}" requires a password, which the service does not return` });
  return problems;
}

function* usersIn(
  row: Untrusted<ServiceMessage>,
  data: Untrusted<ServiceData> | undefined,
): Generator<Untrusted<ServiceUser>> {
  const entities = asObject<ServiceData['entities']>(data?.entities);
  const candidates = [
    row.senderUserDetails,
    row.receiverType === 'user' ? row.receiverUserDetails : undefined,
    ...[entities?.sender, entities?.receiver, entities?.by, entities?.on, entities?.for].map(userIn),
    ...Object.values(asObject<Record<string, unknown>>(data?.mentions) ?? {}),
  ];
  for (const candidate of candidates) {
    const user = asObject<ServiceUser>(candidate);
    if (user) yield user;
  }
}

function userIn(value: unknown): unknown {
  const found = asObject<ServiceEntity>(value);
  return found?.entityType === 'user' ? found.entity : undefined;
}

type Facts = NonNullable<UserRecord['metadata']>;

/** The app's own keys of a free-form object: those of the service (`@…`) and of an import are not. Nothing if there are none. */
export function ownKeys(value: unknown): Facts | undefined {
  const entries = Object.entries(asObject<Facts>(value) ?? {}) as [string, Facts[string]][];
  const kept = entries.filter(([key]) => key !== 'chatferry' && key !== '__proto__' && !key.startsWith('@'));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Characters of JSON: details of two people or a person and a group travel with a message, which has a limit itself. */
const metadataMax = 4000;

const isTooLarge = (value: unknown): boolean => JSON.stringify(ownKeys(value) ?? {}).length > metadataMax;

const readMetadata = (value: unknown): Facts | undefined => (isTooLarge(value) ? undefined : ownKeys(value));

const tooLarge = (what: string, id: string, value: unknown): RowProblem[] =>
  isTooLarge(value)
    ? [
        {
          code: 'metadata-too-large',
          reason: `metadata of the ${what} "${id}" has more than ${formatCount(metadataMax)} characters`,
        },
      ]
    : [];

/** @returns undefined where it says no more than the uid. */
function toUser(user: Untrusted<ServiceUser>): UserRecord | undefined {
  const id = asServiceId(user.uid);
  const name = asString(user.name);
  if (id === undefined || name === undefined) return undefined;
  const metadata = readMetadata(user.metadata);
  return compact<UserRecord>({
    kind: 'user',
    id,
    name,
    avatarUrl: asString(user.avatar),
    ...(pastSecondsToMs(user.deactivatedAt) !== undefined && { isDeleted: true }),
    createdAtMs: pastSecondsToMs(user.createdAt),
    link: asString(user.link),
    ...tagsOf(user.tags),
    ...(metadata && { metadata }),
  });
}

function groupIn(
  row: Untrusted<ServiceMessage>,
  data: Untrusted<ServiceData> | undefined,
): Untrusted<ServiceGroup> | undefined {
  const receiver = asObject<ServiceEntity>(asObject<ServiceData['entities']>(data?.entities)?.receiver);
  const entity = receiver?.entityType === 'group' ? receiver.entity : undefined;
  return asObject<ServiceGroup>(row.receiverGroupDetails ?? row.receiverUserDetails ?? entity);
}
