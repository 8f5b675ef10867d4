import { type Kinds, inner, innerId, put, shared, replace } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    { where: 'custom', sample: 'rest-answers', edits: (data) => [put('harbour.json', '/data/0/custom', data)] },
  ],
  nestedRows: [
    {
      where: 'last message of a conversation',
      sample: 'rest-answers',
      edits: [
        put('conversations.json', '/data/0/lastMessage', {
          id: innerId,
          conversationId: 'harbour',
          senderId: 'ines',
          text: inner,
          createdAt: 1772443000000,
        }),
      ],
    },
  ],
  partialExports: [
    {
      says: 'a last message that is not there',
      sample: 'rest-answers',
      edits: [put('conversations.json', '/data/0/lastMessage/id', 'msg_later')],
    },
  ],
  messageNames: 'Messages have ids of people alone: one that writes for others has one name',
  sameNames: [
    {
      by: 'the id of the conversation',
      sample: 'rest-answers',
      edits: [0, 1].map((at) => put('conversations.json', `/data/${at}/subject`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'rest-answers',
      changed: 'the text',
      after: [
        put('harbour.json', '/data/0/content', [{ type: 'text', children: ['Last of all, again'] }]),
        put('harbour.json', '/data/0/editedAt', 1772443000000),
      ],
    },
    {
      sample: 'rest-answers',
      changed: 'a reaction',
      isUndated: true,
      after: [put('harbour.json', '/data/0/reactions', { '👍': ['bo'] })],
    },
  ],
  fileKinds: [{ kind: 'audio', sample: 'rest-answers', edits: [replace('harbour.json', /horn\.ogg/g, 'horn')] }],
};
