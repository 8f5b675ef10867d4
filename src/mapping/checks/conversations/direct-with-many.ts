import type { ConversationCheck } from '../check.ts';

export const directWithMany: ConversationCheck = {
  code: 'direct-with-many',
  severity: 'decision',
  title: 'Direct conversations of more than two',
  explanation: 'A direct conversation has two people; this one becomes a group.',
  remedy: 'Nothing, or correct its type in the export.',
  find: ({ type, members }) =>
    type === 'direct' && new Set(members).size > 2 ? `${new Set(members).size} people` : undefined,
};
