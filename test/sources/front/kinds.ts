import { type Kinds, put, remove, shared, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'metadata',
      sample: 'answers',
      edits: (data) => [put('messages/cnv_7a-2.json', '/_results/2/metadata', data)],
    },
  ],
  nestedRows:
    'A message that is answered is named by its address alone; the last message in a list of conversations is a copy',
  partialExports: [
    {
      says: 'a page of messages that goes on',
      sample: 'answers',
      edits: [remove('messages/cnv_7a-2.json')],
    },
    {
      says: 'a page of contacts that goes on',
      sample: 'answers',
      edits: [put('contacts.json', '/_pagination/next', 'https://api2.frontapp.com/contacts?page_token=p2')],
    },
    {
      says: 'the last message of a conversation whose messages are not there',
      sample: 'answers',
      edits: [remove('messages/b.json')],
    },
  ],
  messageNames: 'The name beside an id is that of the contact or teammate',
  sameNames: [
    {
      by: 'the id of the conversation',
      sample: 'answers',
      edits: [0, 1].map((at) => put('conversations.json', `/_results/${at}/subject`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [put('messages/cnv_7a-2.json', '/_results/2/body', 'My boat leaks badly')],
      isUndated: true,
    },
    {
      sample: 'answers',
      changed: 'a deletion',
      after: [put('conversations.json', '/_results/0/status', 'deleted')],
    },
  ],
  notSent: [
    {
      sample: 'answers',
      edits: [
        put('cnv_7a-2.json', '/_results/0/error_type', 'BounceError'),
        put('cnv_7a-2.json', '/_results/0/body', unsent),
      ],
    },
  ],
};
