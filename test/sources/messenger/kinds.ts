import { type Kinds, inner, put, shared, replace } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'No app writes data into messages, and none is for some of a conversation alone',
  nestedRows: [
    {
      where: 'share of a message',
      sample: 'older-folders',
      edits: [put('Tomasz_AbC1/message_1.json', '/messages/0/share', { share_text: inner })],
    },
  ],
  partialExports:
    'A download comes in several archives, and a thread may go on in another one: a gap in one is none in all',
  messageNames: 'People have names and no ids',
  sameNames: [
    {
      by: 'the path of the thread',
      sample: 'older-folders',
      edits: [
        put('Crew_9/message_1.json', '/title', shared),
        put('Tomasz_AbC1/message_1.json', '/title', shared),
        put('Tomasz_AbC1/message_1.json', '/participants/-', { name: 'Mei' }),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'older-folders',
      changed: 'a reaction',
      isUndated: true,
      after: [put('Tomasz_AbC1/message_1.json', '/messages/0/reactions', [{ reaction: 'x', actor: 'Tomasz' }])],
    },
  ],
  fileKinds: [{ kind: 'audio', sample: 'download', edits: [replace('message_2.json', 'audio/77.mp4', 'audio/77')] }],
  decisions: [{ sample: 'damaged-threads', asks: { 'meta-same-name': 'note' } }],
};
