import { type Kinds, put, remove, shared, replace } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'properties',
      sample: 'answers',
      edits: (data) => [put('conversation/session_b2/messages-1.json', '/data/1/properties', data)],
    },
  ],
  nestedRows: 'No message has another one in it',
  partialExports: [
    {
      says: 'a last message that is not there',
      sample: 'answers',
      edits: [remove('conversation/session_a1/messages-1.json')],
    },
    {
      says: 'a conversation of the list whose messages are not there',
      sample: 'answers',
      edits: [
        put('conversations-1.json', '/data/1/preview_message', undefined),
        remove('conversation/session_b2/messages-1.json'),
      ],
    },
  ],
  messageNames: 'The name beside an id is that of the visitor or operator',
  sameNames: [
    {
      by: 'the id of the conversation',
      sample: 'answers',
      edits: [0, 1].map((at) => put('conversations-1.json', `/data/${at}/meta/nickname`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [put('conversation/session_b2/messages-1.json', '/data/1/content', 'Hello, Tomasz')],
      isUndated: true,
    },
  ],
  fileKinds: [
    {
      kind: 'audio',
      sample: 'answers',
      edits: [
        replace('session_a1/messages-1.json', /voice\.m4a/g, 'voice'),
        replace('session_a1/messages-1.json', 'audio/mp4', ''),
      ],
    },
  ],
  decisions: [{ sample: 'damaged-answers', asks: { 'unread-chat': 1 } }],
};
