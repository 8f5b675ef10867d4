import { type Kinds, inner, put, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'No app writes data into messages, and none is for some of a conversation alone',
  nestedRows: [
    {
      where: 'share of a message',
      sample: 'older-folders',
      edits: [put('mei_5/message_1.json', '/messages/0/share', { share_text: inner, link: 'https://example.com/p' })],
    },
  ],
  partialExports:
    'A download comes in several archives, and a thread may go on in another one: a gap in one is none in all',
  messageNames: 'People have names and no ids',
  sameNames: [
    {
      by: 'the path of the thread',
      sample: 'download',
      edits: [
        put('inbox/crew_33/message_1.json', '/title', shared),
        put('tom.k_178/message_1.json', '/title', shared),
        put('tom.k_178/message_1.json', '/participants/-', { name: 'mei' }),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'older-folders',
      changed: 'a reaction',
      isUndated: true,
      after: [put('mei_5/message_1.json', '/messages/0/reactions', [{ reaction: 'x', actor: 'mei' }])],
    },
  ],
};
