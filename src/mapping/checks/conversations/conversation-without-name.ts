import type { ConversationCheck } from '../check.ts';

export const conversationWithoutName: ConversationCheck = {
  code: 'conversation-without-name',
  severity: 'information',
  title: 'Groups without a name',
  explanation: 'The export gives no name: the group is called after its members, or its id.',
  remedy: 'Nothing, or rename them in the mapping.',
  find: ({ id, name, type }) => (name === '' && (type === 'public' || type === 'private') ? `"${id}"` : undefined),
};
