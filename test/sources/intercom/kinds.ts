import { type Kinds, put, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'metadata',
      sample: 'answers',
      edits: (data) => [put('123.json', '/conversation_parts/conversation_parts/0/metadata', data)],
    },
  ],
  nestedRows: 'No part of a conversation has another message in it',
  partialExports: [
    {
      says: 'more parts than are given',
      sample: 'answers',
      edits: [put('124.json', '/conversation_parts/total_count', 501)],
    },
    {
      says: 'a conversation of a list, without its parts',
      sample: 'answers',
      edits: [put('124.json', '/conversation_parts', undefined)],
    },
    {
      says: 'a page of conversations that goes on',
      sample: 'list',
      edits: [put('export.json', '/pages/next', { page: 2, starting_after: 'WzE3' })],
    },
    {
      says: 'a page of contacts that goes on',
      sample: 'answers',
      edits: [put('contacts.json', '/pages/next', { page: 2, starting_after: 'WzE3' })],
    },
  ],
  messageNames: 'The name beside an id is that of the contact, admin or bot',
  sameNames: [
    {
      by: 'the id of the conversation',
      sample: 'answers',
      edits: [put('123.json', '/source/subject', shared), put('124.json', '/source/subject', shared)],
    },
  ],
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [
        put('123.json', '/conversation_parts/conversation_parts/0/body', '<p>Where?</p>'),
        put('123.json', '/conversation_parts/conversation_parts/0/updated_at', 1772449000),
      ],
    },
    {
      sample: 'answers',
      changed: 'a deletion',
      after: [
        put('123.json', '/conversation_parts/conversation_parts/0/redacted', true),
        put('123.json', '/conversation_parts/conversation_parts/0/updated_at', 1772449000),
      ],
    },
  ],
  decisions: [{ sample: 'damaged-conversations', asks: { 'export-is-partial': 4 } }],
};
