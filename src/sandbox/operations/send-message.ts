import { muidPattern } from '../../service/profiles.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { type Complaint, refuse, refuseWith, success, unknownGroup, unknownUser } from '../answers.ts';
import { type MessageRow, withoutMembers } from '../data/message-json.ts';
import { systemUid } from '../data/people.ts';
import { showMessages } from '../data/show-messages.ts';
import { checkContent, checkDataSize, checkTags, type Content, invalid } from '../rules/check-content.ts';
import { type Call, type Handler, type Service, takenMuid } from './service.ts';

/** Sends a message. If the request acts for no user, the app itself sends. */
export const sendMessage: Handler<'sendMessage'> = (service, { body, onBehalfOf }) => {
  if (onBehalfOf !== undefined) return answer(service, { uid: onBehalfOf, isUser: true }, body);
  service.people.addSystem(service.nowSeconds());
  return answer(service, { uid: systemUid, isUser: false }, body);
};

export const sendBotMessage: Handler<'sendBotMessage'> = (service, { params: { uid }, body }) => {
  const { people } = service;
  if (!people.isBot(uid) || !people.isActive(uid)) {
    return refuse('ERR_BOT_NOT_FOUND', `The bot "${uid}" does not exist`);
  }
  return answer(service, { uid, isUser: false }, body);
};

function answer(service: Service, sender: Sender, body: MessageBody): TransportAnswer {
  const sent = send(service, sender, body);
  if ('code' in sent) return refuseWith(sent);
  return success(`{"data":${showMessages(service, [sent], { muids: service.rules.listing.muids })[0]}}`);
}

type MessageBody = Call<'sendMessage'>['body'];

/** Who sends. The app and its bots may write to every group. */
interface Sender {
  readonly uid: string;
  readonly isUser: boolean;
}

interface Receiver {
  readonly receiver: string;
  readonly receiverType: 'user' | 'group';
}

/**
 * Sends a message to everyone whom it names: the single receiver first, then users, then groups. If one of them cannot
 * get it, none does.
 *
 * @returns the first message, or why nothing was sent.
 */
function send(service: Service, sender: Sender, body: MessageBody): MessageRow | Complaint {
  const { muid } = body;
  const content = toContent(body);
  const receivers = listReceivers(body);
  const complaint =
    checkMuid(service, muid) ??
    checkContent(content, service.rules) ??
    checkTags(content, service.rules) ??
    checkDataSize(content, service.rules) ??
    firstComplaint(receivers, (receiver) => checkReceiver(service, sender, receiver));
  if (complaint) return complaint;
  const now = service.nowSeconds();
  const rows = receivers.map((receiver, index) =>
    service.messages.add({
      ...receiver,
      // No two messages have the same one.
      muid: (index === 0 ? muid : undefined) ?? null,
      sender: sender.uid,
      category: content.category,
      type: content.type,
      data: content.data,
      tags: content.tags ? JSON.stringify(content.tags) : null,
      sentAt: now,
    }),
  );
  service.statistics.count(now, { sent: rows.length });
  return rows[0]!;
}

function toContent({ category = 'message', type = 'text', data, tags }: MessageBody): Content {
  // Entities and reactions are the service's to fill in.
  const fields = withoutMembers(data, ['entities', 'reactions']);
  return { category, type, fields, data: JSON.stringify(fields), tags };
}

function checkMuid(service: Service, muid: string | undefined): Complaint | undefined {
  if (muid === undefined) return undefined;
  return muidPattern.test(muid)
    ? takenMuid(service, muid)
    : invalid('muid', 'expected 1 to 100 visible ASCII characters');
}

/** Each once. */
function listReceivers({ receiver, receiverType, multipleReceivers }: MessageBody): Receiver[] {
  const { uids = [], guids = [] } = multipleReceivers ?? {};
  const all: Receiver[] = [
    ...(receiver !== undefined && receiverType ? [{ receiver, receiverType }] : []),
    ...uids.map((uid) => ({ receiver: uid, receiverType: 'user' as const })),
    ...guids.map((guid) => ({ receiver: guid, receiverType: 'group' as const })),
  ];
  const byKey = all.map((one): [string, Receiver] => {
    const lowered = one.receiver.toLowerCase();
    return [`${one.receiverType} ${lowered}`, { ...one, receiver: lowered }];
  });
  return [...new Map(byKey).values()];
}

function firstComplaint<T>(values: readonly T[], check: (value: T) => Complaint | undefined): Complaint | undefined {
  for (const value of values) {
    const complaint = check(value);
    if (complaint) return complaint;
  }
  return undefined;
}

function checkReceiver(service: Service, sender: Sender, { receiver, receiverType }: Receiver): Complaint | undefined {
  if (receiver === '') return { code: 'ERR_EMPTY_RECEIVER', message: 'The receiver is empty' };
  return receiverType === 'group' ? checkGroup(service, sender, receiver) : checkUser(service, sender, receiver);
}

function checkGroup({ groups }: Service, { uid, isUser }: Sender, guid: string): Complaint | undefined {
  if (groups.find(guid) === undefined) return unknownGroup(guid);
  if (!isUser || groups.membership(guid, uid)) return undefined;
  return { code: 'ERR_GROUP_NOT_JOINED', message: `The user "${uid}" is no member of the group "${guid}"` };
}

function checkUser({ people, relations }: Service, { uid }: Sender, receiver: string): Complaint | undefined {
  if (!people.isActive(receiver)) return unknownUser(receiver);
  if (relations.hasBlocked(uid, receiver)) {
    return { code: 'ERR_BLOCKED_RECEIVER', message: `The user "${uid}" has blocked the user "${receiver}"` };
  }
  if (!relations.hasBlocked(receiver, uid)) return undefined;
  return { code: 'ERR_BLOCKED_SENDER', message: `The user "${receiver}" has blocked the user "${uid}"` };
}
