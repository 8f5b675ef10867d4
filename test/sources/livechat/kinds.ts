import { type Kinds, put, remove, shared, replace } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'properties',
      sample: 'answers',
      edits: (data) => [put('archives-1.json', '/chats/0/thread/events/0/properties', data)],
    },
  ],
  nestedRows: 'An event that is answered is named by its id alone',
  partialExports: [
    { says: 'a page of archives that goes on', sample: 'answers', edits: [remove('archives-2.json')] },
    {
      says: 'a thread before those that are there',
      sample: 'answers',
      edits: [put('threads/PN2MRSHTDG.json', '/threads/0/previous_thread_id', 'M800PKZOM6')],
    },
    {
      says: 'a thread whose events are not shown',
      sample: 'answers',
      edits: [put('archives-1.json', '/chats/1/thread/restricted_access', 'Your plan does not have it')],
    },
    {
      says: 'a chat of the list whose thread is not there',
      sample: 'answers',
      edits: [remove('threads/PN2MRSHTDG.json')],
    },
  ],
  messageNames: 'The name beside an id is that of the customer or agent',
  sameNames: [
    {
      by: 'the id of the chat',
      sample: 'answers',
      edits: [
        put('archives-1.json', '/chats/1/users/0/name', shared),
        put('chats.json', '/chats_summary/0/users/0/name', shared),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [put('archives-1.json', '/chats/0/thread/events/0/text', 'It leaks badly')],
      isUndated: true,
    },
    {
      sample: 'answers',
      changed: 'a deletion',
      after: [put('archives-1.json', '/chats/0/thread/events/0/deleted', true)],
    },
  ],
  fileKinds: [
    {
      kind: 'image',
      sample: 'answers',
      edits: [
        replace('archives-1.json', /"content_type": ?"image\/png",?/, ''),
        replace('archives-1.json', /\.png/g, ''),
      ],
    },
  ],
};
