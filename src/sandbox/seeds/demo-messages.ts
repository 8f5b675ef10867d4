import type { Service } from '../operations/service.ts';
import type { NewMessage } from '../data/messages.ts';
import { demoForm } from './demo-form.ts';

interface Said extends Partial<Omit<NewMessage, 'data' | 'tags' | 'entities'>> {
  readonly from: string;
  /** A uid, or `#` and a guid. */
  readonly to: string;
  readonly data: object;
  readonly tags?: readonly string[];
  /** Who gave it which reaction. */
  readonly reactions?: readonly (readonly [uid: string, reaction: string])[];
}

const file = (name: string, mimeType: string, size: string) => ({
  url: `https://example.com/${name}`,
  name,
  extension: name.split('.').at(-1),
  mimeType,
  size,
});

/** One or two of every kind, in the order in which they are said. */
const conversation: readonly Said[] = [
  { from: 'ann', to: 'bob', data: { text: 'Good morning, Bob' } },
  {
    from: 'bob',
    to: 'ann',
    data: { text: 'Good morning! Did the boxes arrive?' },
    reactions: [['ann', '👍']],
  },
  {
    from: 'ann',
    to: 'bob',
    type: 'image',
    data: { text: 'They did', attachments: [file('boxes.png', 'image/png', '48211')] },
    reactions: [
      ['bob', '🎉'],
      ['bob', '📦'],
    ],
  },
  {
    from: 'ann',
    to: '#team',
    tags: ['announcement'],
    data: { text: 'Welcome, everybody. <@uid:cleo> keeps the minutes.' },
    reactions: [
      ['bob', '👋'],
      ['eve', '👋'],
      ['cleo', '✍️'],
    ],
  },
  { from: 'cleo', to: '#team', data: { text: 'Gladly', metadata: { mood: 'cheerful' } } },
  { from: 'cleo', to: '#team', type: 'file', data: { attachments: [file('minutes.pdf', 'application/pdf', '90112')] } },
  { from: 'eve', to: '#team', type: 'audio', data: { attachments: [file('idea.ogg', 'audio/ogg', '20480')] } },
  { from: 'bob', to: '#team', type: 'video', data: { attachments: [file('tour.mp4', 'video/mp4', '7340032')] } },
  { from: 'dan', to: '#team', data: { text: 'Goodbye, all, it was a pleasure' } },
  { from: 'dan', to: '#team', data: {}, deletedAt: 1 },
  { from: 'bob', to: '#board', data: { text: 'The figures are in, see https://example.com/figures' } },
  { from: 'ann', to: 'cleo', category: 'custom', type: 'location', data: { customData: { lat: 42.28, lon: -83.74 } } },
  { from: 'eve', to: '#club', tags: ['chess', 'weekly'], data: { text: 'e4' } },
  { from: 'helper', to: 'ann', category: 'interactive', type: 'form', data: demoForm },
];

const minute = 60;

/** Ten minutes apart, the last one ten minutes ago and not read yet. */
export function seedDemoMessages(service: Service, now: number): void {
  const ids = conversation.map((said, index) => {
    const sentAt = now - (conversation.length - index) * 10 * minute;
    return say(service, said, sentAt, index < conversation.length - 1);
  });
  const welcome = ids[3]!;
  reply(service, welcome, now - 5 * minute);
  seedJoin(service, now - 4 * minute);
  seedCall(service, now - 3 * minute);
}

function say(service: Service, said: Said, sentAt: number, isRead: boolean): number {
  const { from, to, data, tags, reactions = [], deletedAt, ...rest } = said;
  const { id } = service.messages.add({
    category: 'message',
    type: 'text',
    sender: from,
    ...receiverOf(to),
    muid: `demo-${sentAt}`,
    data: JSON.stringify(data),
    tags: tags ? JSON.stringify(tags) : null,
    sentAt,
    ...(isRead && { deliveredAt: sentAt + 1, readAt: sentAt + minute }),
    ...(deletedAt && { deletedAt: sentAt + minute }),
    ...rest,
  });
  for (const [uid, reaction] of reactions) service.reactions.add(id, reaction, uid);
  const receipts = isRead ? { delivered: 1, read: 1 } : {};
  service.statistics.count(sentAt, { sent: 1, ...receipts });
  return id;
}

const receiverOf = (to: string): Pick<NewMessage, 'receiver' | 'receiverType'> =>
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

function seedCall({ messages, people }: Service, sentAt: number): void {
  const sender = entity(people.find('bob'), 'user');
  const receiver = entity(people.find('ann'), 'user');
  const call = {
    sessionid: 'demo-call-1',
    type: 'audio',
    sender: 'bob',
    receiver: 'ann',
    receiverType: 'user',
    status: 'initiated',
    initiatedAt: sentAt,
    joinedAt: sentAt,
    conversationId: 'ann_user_bob',
    data: { entities: { sender, receiver } },
  };
  messages.add({
    sender: 'bob',
    receiver: 'ann',
    receiverType: 'user',
    category: 'call',
    type: 'audio',
    data: '{"action":"initiated"}',
    entities: JSON.stringify({ by: sender, on: { entity: call, entityType: 'call' }, for: receiver }),
    sentAt,
  });
}
