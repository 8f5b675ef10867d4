import { badAnswer, badRow, note, type SourceCode } from '../kit/codes.ts';

export const crispCodes: readonly SourceCode[] = [
  badAnswer('crisp-no-conversation', 'Messages of no conversation', 'The message has no "session_id".'),
  badAnswer('crisp-bad-time', 'Messages without a time', '"timestamp" is no time in milliseconds.'),
  badAnswer(
    'crisp-bad-content',
    'Messages with content of another type',
    '"content" is not what messages of this "type" have, such as an object where a text is expected.',
  ),
  badRow(
    'crisp-unclear-visibility',
    'Messages of which it is not known who saw them',
    'The type of the message is not known, it does not say which side wrote it, or it is marked "stealth". It may be for operators only.',
    'Look at it in Crisp, and correct or remove the row.',
  ),
  note(
    'crisp-not-migrated',
    'Data that operators keep about conversations, and delivery marks',
    'Segments, data, telephone numbers, addresses and devices of visitors are for operators: they are not sent, because visitors would see them. When a message was read or delivered has no counterpart.',
  ),
];
