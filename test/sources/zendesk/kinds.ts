import { type Kinds, put, remove, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    { where: 'metadata', sample: 'support', edits: (data) => [put('501/comments.json', '/comments/0/metadata', data)] },
  ],
  nestedRows: 'No comment and no event of a chat has another one in it',
  partialExports: [
    {
      says: 'a page of comments that goes on',
      sample: 'support',
      edits: [put('501/comments.json', '/meta/has_more', true)],
    },
    {
      says: 'an export of tickets that has not come to its end',
      sample: 'support',
      edits: [put('tickets.json', '/end_of_stream', false)],
    },
    { says: 'a ticket without its comments', sample: 'support', edits: [remove('502/comments.json')] },
    {
      says: 'more comments than a ticket has',
      sample: 'lines',
      edits: [put('export.ndjson', '/0/comment_count', 7)],
    },
  ],
  messageNames: 'Comments have ids alone; the name beside a nick of a chat is that of the person',
  sameNames: [
    {
      by: 'the id of the ticket',
      sample: 'support',
      edits: [put('tickets.json', '/tickets/0/subject', shared), put('tickets.json', '/tickets/1/subject', shared)],
    },
  ],
  overlaps: [
    {
      sample: 'support',
      changed: 'the text',
      after: [put('501/comments.json', '/comments/0/html_body', '<p>My ▇▇▇▇ leaks</p>')],
      isUndated: true,
    },
  ],
  decisions: [{ sample: 'support', asks: { 'zendesk-messages-elsewhere': 'note' } }],
};
