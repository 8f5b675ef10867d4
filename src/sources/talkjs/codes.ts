import type { SourceCode } from '../kit/codes.ts';

export const talkjsCodes: readonly SourceCode[] = [
  {
    code: 'talkjs-no-conversation',
    severity: 'blocks',
    title: 'Messages of no conversation',
    explanation: 'The message has no "conversationId".',
    remedy: 'Correct the row, or save the answer again.',
  },
  {
    code: 'talkjs-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"createdAt" is no time in milliseconds.',
    remedy: 'Correct the row, or save the answer again.',
  },
  {
    code: 'talkjs-not-migrated',
    severity: 'information',
    title: 'Read marks, access and reactions without people',
    explanation:
      'Who has read a message, rights of participants and their notifications have no counterpart at the destination. A reaction that names no people is counted.',
    remedy: 'Nothing.',
  },
];
