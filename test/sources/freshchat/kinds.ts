import { type Kinds, put, remove, replace, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'meta_data',
      sample: 'answers',
      edits: (data) => [put('c1a00000-0000-4000-8000-000000000001/messages-2.json', '/messages/3/meta_data', data)],
    },
  ],
  nestedRows: 'A message that is answered is named by its id alone',
  partialExports: [
    {
      says: 'a page of messages that goes on',
      sample: 'answers',
      edits: [remove('c1a00000-0000-4000-8000-000000000001/messages-2.json')],
    },
    {
      says: 'a conversation of a list whose messages are not there',
      sample: 'answers',
      edits: [remove('c2a00000-0000-4000-8000-000000000002/messages-1.json')],
    },
    {
      says: 'a page of users that goes on',
      sample: 'answers',
      edits: [put('users-1.json', '/links/next_page', { href: '/v2/users?page=2' })],
    },
  ],
  messageNames: 'Messages have ids alone',
  sameNames: 'Conversations have no names: each is called by its id',
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [
        put(
          'c1a00000-0000-4000-8000-000000000001/messages-2.json',
          '/messages/3/message_parts/0/text/content',
          'My boat!',
        ),
      ],
      isUndated: true,
    },
  ],
  fileKinds: [
    {
      kind: 'image',
      sample: 'answers',
      edits: [replace('messages-2.json', 'https://files.example.com/leak.png', 'https://files.example.com/leak')],
    },
  ],
  notSent: [
    {
      sample: 'answers',
      edits: [
        put('messages-2.json', '/messages/0/error_code', 131026),
        put('messages-2.json', '/messages/0/message_parts/0/text/content', unsent),
      ],
    },
  ],
};
