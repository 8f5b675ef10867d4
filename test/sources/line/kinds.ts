import { type Kinds, replace, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  unreadContent: 'A line of a chat is text: there is no structure that it could be without',
  nestedRows: 'A chat is a text with a message on each line: nothing can be inside of one',
  partialExports: 'A chat is a text without a count or an end; that an app leaves out what is old is not in it',
  messageNames: 'People have names and no ids',
  sameNames: [
    {
      by: 'the path of the file',
      sample: 'damaged-lines',
      asks: 'line-same-name',
      edits: [
        replace('[LINE]chat-1.txt', 'with Ann Kai', `with ${shared}`),
        replace('[LINE]chat-2.txt', 'with Pier', `with ${shared}`),
      ],
    },
  ],
  overlaps: 'A message has no id but its time, author and text: a changed one is another message',
};
