/** Pieces that the examples of several operations share. Nobody in them exists. */

export const ann = {
  uid: 'ann',
  name: 'Ann Arbor',
  role: 'default',
  status: 'offline',
  createdAt: 1_790_000_000,
  updatedAt: 1_790_000_000,
} as const;

export const bob = {
  uid: 'bob',
  name: 'Bob Bay',
  role: 'default',
  status: 'offline',
  createdAt: 1_790_000_000,
  updatedAt: 1_790_000_000,
} as const;

export const team = {
  guid: 'team',
  name: 'The team',
  type: 'public',
  membersCount: 2,
  conversationId: 'group_team',
  owner: 'ann',
  createdAt: 1_790_000_000,
} as const;

/** What Ann wrote to Bob. */
export const hello = {
  id: '41',
  muid: 'm-hello',
  conversationId: 'ann_user_bob',
  sender: 'ann',
  receiverType: 'user',
  receiver: 'bob',
  category: 'message',
  type: 'text',
  data: {
    text: 'Hello',
    entities: {
      sender: { entity: ann, entityType: 'user' },
      receiver: { entity: { ...bob, conversationId: 'ann_user_bob' }, entityType: 'user' },
    },
  },
  sentAt: 1_790_000_100,
  updatedAt: 1_790_000_100,
} as const;
