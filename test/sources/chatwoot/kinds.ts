import { type Kinds, put, remove, shared, replace, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'content_attributes',
      sample: 'answers',
      edits: (data) => [put('messages/7.json', '/payload/0/content_attributes', data)],
    },
    {
      where: 'additional_attributes',
      sample: 'answers',
      edits: (data) => [put('messages/7.json', '/payload/0/additional_attributes', data)],
    },
  ],
  nestedRows: 'A message that is answered is named by its id alone',
  partialExports: [
    {
      says: 'a conversation of the list whose messages are not there',
      sample: 'answers',
      edits: [remove('messages/8.json')],
    },
  ],
  messageNames: 'The name beside an id is that of the contact, agent or bot',
  sameNames: [
    {
      by: 'the id of the conversation',
      sample: 'answers',
      edits: [0, 1].map((at) => put('conversations.json', `/data/payload/${at}/meta/sender/available_name`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [put('messages/7.json', '/payload/0/content', 'My boat leaks badly')],
      isUndated: true,
    },
    {
      sample: 'answers',
      changed: 'a deletion',
      after: [put('messages/7.json', '/payload/0/content_attributes/deleted', true)],
    },
  ],
  fileKinds: [{ kind: 'image', sample: 'answers', edits: [replace('messages/7.json', /leak%20one\.png/g, 'leak')] }],
  notSent: [
    {
      sample: 'answers',
      edits: [
        put('messages/7.json', '/payload/0/status', 'failed'),
        put('messages/7.json', '/payload/0/content', unsent),
      ],
    },
  ],
};
