import type { ConversationCheck } from '../check.ts';

export const groupTooLarge: ConversationCheck = {
  code: 'group-too-large',
  severity: 'decision',
  title: 'Groups with more than 100,000 members',
  explanation: 'The service takes groups of at most 100,000 members (properties and constraints page, 2026-11).',
  remedy: 'Split the group, or ask the service for a higher limit.',
  find: ({ members }) => (members.length > 100_000 ? `${members.length} members, 100000 allowed` : undefined),
};
