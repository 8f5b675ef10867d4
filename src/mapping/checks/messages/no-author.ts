import type { MessageCheck } from '../check.ts';

export const noAuthor: MessageCheck = {
  code: 'no-author',
  severity: 'decision',
  title: 'Messages without an author',
  explanation: 'The export does not say who wrote it. Such messages are sent in the name of one placeholder person.',
  remedy: 'Set people.unknownAuthors: reject in the mapping to leave them out, or add the author to the export.',
  concerns: 'anything',
  find: ({ author, systemEvent }) => (author === undefined && systemEvent === undefined ? 'no author' : undefined),
};
