import type { Kinds } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and none is for some of a conversation alone',
  unreadContent: 'A page has words and files; other elements of a message are counted as not migrated',
  nestedRows: 'A page has its messages one below the other, none inside another',
  partialExports: 'A page has messages alone: nothing counts them, or says which pages there are',
  messageNames: 'The name beside a number is that of the address book, for the person',
  sameNames: 'A conversation is the set of its numbers, whatever its pages are called',
  overlaps: 'A message has no id but its number, time and text: no message is ever changed',
  decisions: [{ sample: 'takeout', asks: { 'googlevoice-no-number': 1, 'googlevoice-spam': 1 } }],
};
