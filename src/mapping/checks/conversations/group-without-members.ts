import type { ConversationCheck } from '../check.ts';

export const groupWithoutMembers: ConversationCheck = {
  code: 'group-without-members',
  severity: 'information',
  title: 'Groups without members',
  explanation: 'The export lists no member: who has not written there will not see the group.',
  remedy: 'Export the members too.',
  find: ({ members, type }) => (members.length === 0 && type !== 'direct' ? 'no members' : undefined),
};
