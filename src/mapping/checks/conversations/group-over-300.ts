import type { ConversationCheck } from '../check.ts';

export const groupOver300: ConversationCheck = {
  code: 'group-over-300',
  severity: 'information',
  title: 'Groups with more than 300 members',
  explanation:
    'Delivery and read receipts, and counts of unread messages, end at 300 members (properties and constraints page, 2026-11).',
  remedy: 'Nothing to do before the move; tell the people in it.',
  find: ({ members }) => (members.length > 300 && members.length <= 100_000 ? `${members.length} members` : undefined),
};
