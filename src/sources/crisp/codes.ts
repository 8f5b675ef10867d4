import type { SourceCode } from '../kit/codes.ts';

export const crispCodes: readonly SourceCode[] = [
  {
    code: 'crisp-no-conversation',
    severity: 'blocks',
    title: 'Messages of no conversation',
    explanation: 'The message has no "session_id".',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'crisp-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"timestamp" is no time in milliseconds.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'crisp-bad-content',
    severity: 'blocks',
    title: 'Messages with content of another type',
    explanation: '"content" is not what messages of this "type" have, such as an object where a text is expected.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'crisp-unclear-visibility',
    severity: 'blocks',
    title: 'Messages of which it is not known who saw them',
    explanation:
      'The type of the message is not known, it does not say which side wrote it, or it is marked "stealth". It may be for operators only.',
    remedy: 'Look at it in Crisp, and correct or remove the row.',
  },
  {
    code: 'crisp-not-migrated',
    severity: 'information',
    title: 'Data that operators keep about conversations, and delivery marks',
    explanation:
      'Segments, data, telephone numbers, addresses and devices of visitors are for operators: they are not sent, because visitors would see them. When a message was read or delivered has no counterpart.',
    remedy: 'Nothing.',
  },
];
