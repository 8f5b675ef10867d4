import { type Kinds, inner, innerId, put, remove, replace, shared, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'attributes',
      sample: 'conversations',
      edits: (data) => [put('messages-0.json', '/messages/0/attributes', JSON.stringify(data))],
    },
  ],
  nestedRows: [
    {
      where: 'messages of a conversation',
      sample: 'library-lists',
      edits: [
        put('conversations.json', '/0/messages/-', {
          sid: innerId,
          author: 'ines',
          body: inner,
          dateCreated: '2024-02-01T09:20:00.000Z',
        }),
      ],
    },
  ],
  partialExports: [
    {
      says: 'a page of the log of text messages that goes on',
      sample: 'text-messages',
      edits: [remove('messages-1.json')],
    },
    {
      says: 'a last page of messages that goes on',
      sample: 'conversations',
      edits: [
        put(
          'messages-1.json',
          '/meta/next_page_url',
          'https://conversations.twilio.com/v1/Conversations/CH00000000000000000000000000000001/Messages?PageSize=3&Page=2&PageToken=PT2',
        ),
      ],
    },
    {
      says: 'a first page of messages that is not there',
      sample: 'conversations',
      edits: [remove('messages-0.json')],
    },
    {
      says: 'a page of conversations that goes on',
      sample: 'conversations',
      edits: [
        put(
          'conversations.json',
          '/meta/next_page_url',
          'https://conversations.twilio.com/v1/Conversations?PageSize=50&Page=1&PageToken=PT1',
        ),
      ],
    },
  ],
  messageNames: 'Messages have identities or addresses alone: one that writes for others has one name',
  sameNames: [
    {
      by: 'the sid of the conversation',
      sample: 'conversations',
      edits: [0, 1].map((at) => put('conversations.json', `/conversations/${at}/friendly_name`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'conversations',
      changed: 'the text',
      after: [
        put('messages-0.json', '/messages/0/body', 'Who is still there?'),
        put('messages-0.json', '/messages/0/date_updated', '2026-03-02T11:00:00Z'),
      ],
    },
    {
      sample: 'programmable-chat',
      changed: 'the mark of an edit',
      after: [
        put('messages.json', '/messages/0/body', 'Moor at once'),
        put('messages.json', '/messages/0/was_edited', true),
        put('messages.json', '/messages/0/date_updated', '2019-05-01T11:00:00Z'),
      ],
    },
  ],
  notSent: [
    {
      sample: 'text-messages',
      edits: [
        put('messages-1.json', '/messages/0/status', 'undelivered'),
        put('messages-1.json', '/messages/0/body', unsent),
      ],
    },
  ],
  decisions: [
    {
      sample: 'conversations',
      edits: [replace('0001/messages-0.json', '"author": "ines"', '"author": "+15550100001;+15550100002"')],
      asks: { 'several-people': 1 },
    },
  ],
};
