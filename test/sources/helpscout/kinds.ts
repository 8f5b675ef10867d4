import { type Kinds, add, put, remove, shared, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Threads have no fields for data of an app, and their type says who saw them',
  nestedRows: 'No thread has another one in it',
  partialExports: [
    {
      says: 'a page of conversations that goes on',
      sample: 'answers',
      edits: [put('conversations.json', '/page/totalPages', 2)],
    },
    {
      says: 'a page of threads that is not there',
      sample: 'answers',
      edits: [remove('conversations/8/threads-1.json')],
    },
    {
      says: 'more threads than a conversation has',
      sample: 'lines',
      edits: [put('export.ndjson', '/0/threads', 7)],
    },
    {
      says: 'a conversation of a list, without its threads',
      sample: 'answers',
      edits: [add('list.json', JSON.stringify([{ id: 13, threads: 2, mailboxId: 85, primaryCustomer: { id: 5 } }]))],
    },
  ],
  messageNames: 'The name beside an id is that of the customer or agent',
  sameNames: [
    {
      by: 'the id of the conversation',
      sample: 'answers',
      edits: [0, 1].map((at) => put('conversations.json', `/_embedded/conversations/${at}/subject`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [put('conversations.json', '/_embedded/conversations/0/_embedded/threads/8/body', 'My boat leaks badly')],
      isUndated: true,
    },
    {
      sample: 'lines',
      changed: 'a deletion',
      after: [put('export.ndjson', '/0/state', 'deleted')],
    },
  ],
  notSent: [
    {
      sample: 'answers',
      edits: [
        put('threads-2.json', '/_embedded/threads/0/state', 'draft'),
        put('threads-2.json', '/_embedded/threads/0/body', unsent),
      ],
    },
  ],
};
