import { type Kinds, put, replace, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    { where: 'metadata', sample: 'fetched', edits: (data) => [put('messages.ndjson', '/1/data/metadata', data)] },
    { where: 'customData', sample: 'fetched', edits: (data) => [put('messages.ndjson', '/1/data/customData', data)] },
    { where: 'tags', sample: 'fetched', isWord: true, edits: (data) => [put('messages.ndjson', '/1/tags', [data])] },
  ],
  nestedRows: 'An action names the message that it is about, and that is a row of its own',
  partialExports:
    'Lists of messages name a next page on their last one too, and count no pages; "chatferry fetch" reads to the end',
  messageNames: 'The name beside a uid is that of the person',
  sameNames: [
    {
      by: 'the guid of the group',
      sample: 'fetched',
      edits: [
        replace('messages.ndjson', /"name":"Harbour crew"/g, `"name":"${shared}"`),
        put('messages.ndjson', '/-', {
          id: '901',
          conversationId: 'group_second',
          sender: 'ines',
          receiverType: 'group',
          receiver: 'second',
          category: 'message',
          type: 'text',
          data: {
            text: 'Another crew',
            entities: {
              sender: { entityType: 'user', entity: { uid: 'ines', name: 'Ines' } },
              receiver: { entityType: 'group', entity: { guid: 'second', name: shared, type: 'private' } },
            },
          },
          sentAt: 1772467999,
        }),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'fetched',
      changed: 'a reaction',
      after: [
        put('messages.ndjson', '/1/data/reactions', [{ reaction: '👍', count: 1 }]),
        put('messages.ndjson', '/1/updatedAt', 1772479000),
      ],
    },
  ],
};
