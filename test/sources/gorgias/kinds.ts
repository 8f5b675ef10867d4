import { type Kinds, inner, innerId, put, remove, shared, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    { where: 'meta', sample: 'answers', edits: (data) => [put('messages-2.json', '/data/5/meta', data)] },
    { where: 'source', sample: 'answers', edits: (data) => [put('messages-2.json', '/data/5/source/extra', data)] },
  ],
  nestedRows: [
    {
      where: 'messages of a ticket',
      sample: 'answers',
      edits: [
        put('tickets.json', '/data/0/messages', [
          {
            id: innerId,
            ticket_id: 12,
            from_agent: false,
            public: true,
            channel: 'chat',
            sender: null,
            body_text: inner,
          },
        ]),
      ],
    },
  ],
  partialExports: [
    {
      says: 'a ticket of the list whose messages are not there',
      sample: 'answers',
      edits: [put('tickets.json', '/data/0/id', 99)],
    },
    { says: 'a page behind the last one', sample: 'answers', edits: [remove('messages-2.json')] },
  ],
  messageNames: 'The name next to an id is that of the agent or customer',
  sameNames: [
    {
      by: 'the id of the ticket',
      sample: 'answers',
      edits: [0, 1].map((at) => put('tickets.json', `/data/${at}/subject`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [put('messages-2.json', '/data/5/body_html', '<div>My boat leaks badly</div>')],
      isUndated: true,
    },
    {
      sample: 'answers',
      changed: 'a deletion',
      after: [put('messages-2.json', '/data/5/deleted_datetime', '2026-03-02T10:00:00+00:00')],
    },
  ],
  notSent: [
    { sample: 'answers', edits: [put('messages-2.json', '/data/0/body_html', unsent)] },
    { sample: 'answers', edits: [put('messages-1.json', '/data/7/body_html', unsent)] },
  ],
};
