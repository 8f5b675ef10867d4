import type { Service } from '../operations/service.ts';
import type { NewMessage } from '../data/messages.ts';
import conversation from './demo-messages.json' with { type: 'json' };

interface Said extends Partial<Omit<NewMessage, 'data' | 'tags' | 'entities'>> {
  readonly from: string;
  /** A uid, or `#` and a guid. */
  readonly to: string;
  readonly data: object;
  readonly tags?: readonly string[];
  /** Who gave it which reaction. */
  readonly reactions?: readonly (readonly string[])[];
}

const minute = 60;

/** One or two of every kind, in the order in which they are said: ten minutes apart, the last one ten minutes ago and not read yet. */
export function seedDemoMessages(service: Service, now: number): void {
  const ids = conversation.map((said, index) => {
    const sentAt = now - (conversation.length - index) * 10 * minute;
    return say(service, said, sentAt, index < conversation.length - 1);
  });
  const welcome = ids[3]!;
  reply(service, welcome, now - 5 * minute);
  seedJoin(service, now - 4 * minute);
  seedCall(service, now - 3 * minute, 'initiated');
  seedCall(service, now - 2 * minute, 'ongoing');
}

function say(service: Service, said: Said, sentAt: number, isRead: boolean): number {
  const { from, to, data, tags, reactions = [], deletedAt, ...rest } = said;
  const { id } = service.messages.add({
    category: 'message',
    type: 'text',
    sender: from,
    ...parseReceiver(to),
    muid: `demo-${sentAt}`,
    data: JSON.stringify(data),
    tags: tags ? JSON.stringify(tags) : null,
    sentAt,
    ...(isRead && { deliveredAt: sentAt + 1, readAt: sentAt + minute }),
    ...(deletedAt && { deletedAt: sentAt + minute }),
    ...rest,
  });
  for (const [uid = '', reaction = ''] of reactions) service.reactions.add(id, reaction, uid);
  const receipts = isRead ? { delivered: 1, read: 1 } : {};
  service.statistics.count(sentAt, { sent: 1, ...receipts });
  return id;
}

const parseReceiver = (to: string): Pick<NewMessage, 'receiver' | 'receiverType'> =>
  to.startsWith('#') ? { receiver: to.slice(1), receiverType: 'group' } : { receiver: to, receiverType: 'user' };

function reply(service: Service, parent: number, sentAt: number): void {
  say(service, { from: 'bob', to: '#team', data: { text: 'Thank you, Ann' }, parent }, sentAt, false);
}

const entity = (json: string | undefined, entityType: string): object => ({
  entity: JSON.parse(json ?? '{}'),
  entityType,
});

/** The message by which a group learns of a new member. */
function seedJoin({ messages, people, groups }: Service, sentAt: number): void {
  const eve = entity(people.find('eve'), 'user');
  messages.add({
    sender: 'eve',
    receiver: 'team',
    receiverType: 'group',
    category: 'action',
    type: 'groupMember',
    data: '{"action":"joined"}',
    entities: JSON.stringify({ by: eve, on: eve, for: entity(groups.find('team'), 'group') }),
    sentAt,
  });
}

/** The message by which a call begins, or the one by which it is answered, with every field of the call. */
function seedCall({ messages, people }: Service, sentAt: number, status: 'initiated' | 'ongoing'): void {
  const sender = entity(people.find('bob'), 'user');
  const receiver = entity(people.find('ann'), 'user');
  const call = {
    sessionid: 'demo-call-1',
    type: 'audio',
    sender: 'bob',
    receiver: 'ann',
    receiverType: 'user',
    status,
    initiatedAt: status === 'initiated' ? sentAt : sentAt - minute,
    joinedAt: sentAt,
    ...(status === 'ongoing' && { startedAt: sentAt }),
    conversationId: 'ann_user_bob',
    wsChannel: { identity: '[demo-call-1]bob', secret: 'demo-secret', service: 'calls.example.com' },
    data: { entities: { sender, receiver }, metadata: { device: 'phone' } },
  };
  messages.add({
    sender: 'bob',
    receiver: 'ann',
    receiverType: 'user',
    category: 'call',
    type: 'audio',
    data: JSON.stringify({ action: status }),
    entities: JSON.stringify({ by: sender, on: { entity: call, entityType: 'call' }, for: receiver }),
    sentAt,
  });
}
