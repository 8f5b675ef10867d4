import type { ConversationCheck } from '../check.ts';

export const noteToSelf: ConversationCheck = {
  code: 'note-to-self',
  severity: 'information',
  title: 'Notes to oneself',
  explanation:
    'The direct conversation has one person. Nothing says that a user may write to themselves: it becomes a group of one.',
  remedy: 'Leave it out with conversations.exclude, if nobody needs it.',
  find: ({ type, members }) => (type === 'direct' && new Set(members).size === 1 ? `"${members[0]}" alone` : undefined),
};
