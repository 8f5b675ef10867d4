import { type Kinds, put, remove, replace, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and comments are notes',
  nestedRows: 'A message that is answered is named by its id alone',
  partialExports: [
    { says: 'a page of messages that goes on', sample: 'answers', edits: [remove('8243595013-2.json')] },
    { says: 'a thread of the list without messages', sample: 'answers', edits: [remove('8243595014.json')] },
    {
      says: 'a text that is not whole',
      sample: 'answers',
      edits: [put('8243595014.json', '/results/0/truncationStatus', 'TRUNCATED')],
      codes: ['hubspot-truncated'],
    },
  ],
  messageNames: 'The name beside an id is that of the actor',
  sameNames: 'A thread has no name but its id',
  overlaps: [
    {
      sample: 'answers',
      changed: 'the text',
      after: [
        put('8243595014.json', '/results/1/text', 'Here'),
        put('8243595014.json', '/results/1/updatedAt', '2026-03-04T09:00:00Z'),
      ],
    },
    { sample: 'answers', changed: 'a deletion', after: [put('8243595014.json', '/results/1/archived', true)] },
  ],
  fileKinds: [{ kind: 'image', sample: 'answers', edits: [replace('8243595013-2.json', /leak\.png/g, 'leak')] }],
  decisions: [{ sample: 'answers', asks: { 'hubspot-truncated': 'note' } }],
  notSent: [
    {
      sample: 'answers',
      edits: [
        put('8243595013-2.json', '/results/2/status', { statusType: 'FAILED' }),
        put('8243595013-2.json', '/results/2/richText', unsent),
        put('8243595013-2.json', '/results/2/text', unsent),
      ],
    },
  ],
};
