import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const talkjsCodes: readonly SourceCode[] = [
  badRow(
    'talkjs-no-conversation',
    'Messages of no conversation',
    'The message has no "conversationId".',
    'Correct the row, or save the answer again.',
  ),
  badRow(
    'talkjs-bad-time',
    'Messages without a time',
    '"createdAt" is no time in milliseconds.',
    'Correct the row, or save the answer again.',
  ),
  note(
    'talkjs-not-migrated',
    'Read marks, access and reactions without people',
    'Who has read a message, rights of participants and their notifications have no counterpart at the destination. A reaction that names no people is counted.',
  ),
];
