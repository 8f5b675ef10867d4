import type { ConversationCheck } from '../check.ts';

export const memberTwice: ConversationCheck = {
  code: 'member-twice',
  severity: 'information',
  title: 'Members who are listed twice',
  explanation: 'A person is a member once.',
  remedy: 'Nothing: it counts once.',
  find: ({ members, type }) =>
    type !== 'direct' && new Set(members).size < members.length
      ? `${members.length - new Set(members).size} of ${members.length}`
      : undefined,
};
