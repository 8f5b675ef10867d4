import type { ImportItem } from '../../service/import-item.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { type Complaint, failure, unknownGroup, unknownUser } from '../answers.ts';
import { type Candidate, checkItem } from '../rules/check-item.ts';
import { type Handler, type Service, takenMuid } from './service.ts';
import { answerItems, readItems } from '../rules/import-body.ts';
import { readItem } from '../rules/item-shape.ts';
import { messageJson, withoutMembers } from '../data/message-json.ts';

/**
 * The messages are stored in the order of the object's keys. Each gets an answer of its own; only a request that is no import
 * at all is turned down as a whole.
 */
export const importMessages: Handler<'importMessages'> = (service, { text }) => {
  const { itemsMax } = service.rules;
  const read = readItems(text, { field: 'messages', format: 'ERR_IMPORT_INVALID_MESSAGE_FORMAT', itemsMax });
  return 'status' in read ? read : storeAll(service, Object.entries(read.items));
};

function storeAll(service: Service, entries: readonly (readonly [string, unknown])[]): TransportAnswer {
  const nowSeconds = service.nowSeconds();
  const results = entries.map(([key, item]) => [key, store(service, key, item, nowSeconds)] as const);
  const isAborted = results.some(([, result]) => typeof result !== 'string' && abortingCodes.has(result.code));
  if (isAborted && service.rules.badRows === 'abort') {
    return failure(500, { code: 'ERR_EXCEPTION', message: 'Something went wrong' });
  }
  return answerItems(results);
}

/** Blank text, and an age beyond the retention. */
const abortingCodes = new Set(['ERR_EMPTY_MESSAGE_TEXT', 'ERR_EXCEPTION']);

/** The stored message's JSON, or why it is not stored. */
function store(service: Service, key: string, value: unknown, nowSeconds: number): string | Complaint {
  const read = readItem(value);
  if ('complaint' in read) return read.complaint;
  const candidate = toCandidate(key, read.item);
  const complaint =
    checkItem(candidate, service.rules, nowSeconds) ?? takenMuid(service, key) ?? checkKnown(service, candidate);
  if (complaint) return complaint;
  saveDetails(service, candidate, nowSeconds);
  return storeMessage(service, candidate);
}

function toCandidate(key: string, item: ImportItem): Candidate {
  const fields = item.data ?? {};
  return {
    key,
    item,
    sender: item.sender.toLowerCase(),
    receiver: item.receiver.toLowerCase(),
    category: item.category ?? 'message',
    type: item.type ?? 'text',
    fields,
    // Entities are the service's to fill in.
    data: JSON.stringify(withoutMembers(fields, ['entities'])),
    tags: item.tags,
    sentAt: Number(item.sentAt),
  };
}

/** Checks that people and groups exist, or are described by the message that names them, and that no one is deactivated. */
function checkKnown({ people, groups, rules }: Service, { item, sender, receiver }: Candidate): Complaint | undefined {
  const isUnknown = (uid: string, details: object | undefined) =>
    people.isDeactivated(uid) || (!details && people.find(uid) === undefined);
  if (isUnknown(sender, item.senderUserDetails)) return unknownUser(sender);
  if (item.receiverType === 'group') {
    const isKnown = item.receiverGroupDetails || item.receiverUserDetails || groups.find(receiver) !== undefined;
    if (!isKnown) return unknownGroup(receiver);
    if (rules.outsiders !== 'refused' || groups.membership(receiver, sender)) return undefined;
    return { code: 'ERR_GROUP_NOT_JOINED', message: `"${sender}" is no member of the group "${receiver}"` };
  }
  if (receiver === sender || !isUnknown(receiver, item.receiverUserDetails)) return undefined;
  return unknownUser(receiver);
}

function saveDetails({ people, groups }: Service, { item, sender, receiver }: Candidate, nowSeconds: number): void {
  if (item.senderUserDetails) people.save(sender, item.senderUserDetails, nowSeconds);
  const owner = item.receiverGroupOwnerDetails;
  const others = [...(owner ? [owner] : []), ...Object.values(item.mentionedUserDetails ?? {})];
  for (const details of others) people.save(details.uid.toLowerCase(), details, nowSeconds);
  const details = item.receiverGroupDetails ?? item.receiverUserDetails;
  if (!details) return;
  if (item.receiverType === 'group')
    groups.save(receiver, { ...(owner && { owner: owner.uid }), ...details }, nowSeconds);
  else people.save(receiver, details, nowSeconds);
}

function storeMessage({ people, groups, messages, rules }: Service, candidate: Candidate): string {
  const { key, item, sender, receiver, category, type, data, sentAt } = candidate;
  const { receiverType } = item;
  if (receiverType === 'group' && rules.outsiders === 'join') groups.join(receiver, sender, sentAt);
  const row = messages.add({
    muid: key,
    sender,
    receiver,
    receiverType,
    category,
    type,
    data,
    tags: item.tags ? JSON.stringify(item.tags) : null,
    sentAt,
    deliveredAt: item.deliveredAt === undefined ? null : Number(item.deliveredAt),
    readAt: item.readAt === undefined ? null : Number(item.readAt),
  });
  const entity = receiverType === 'group' ? groups.find(receiver) : people.find(receiver);
  return messageJson(row, { sender: people.find(sender) ?? '{}', receiver: entity ?? '{}' });
}
