import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const googlechatCodes: readonly SourceCode[] = [
  badRow(
    'googlechat-bad-time',
    'Messages without a time',
    'The message has no time, or has it in an unknown language, and no message before it gives that time.',
    'Set the account to English, and make the download again.',
  ),
  note(
    'googlechat-time-assumed',
    'Times of neighbours',
    'The message does not say when it was sent, as deleted and some edited ones do not: it has the time of the message before it, or that of its deletion or edit.',
  ),
  badRow(
    'googlechat-bad-event',
    'Events of Hangouts without a time',
    '"timestamp" is no number of microseconds.',
    'Correct the row, or make the download again.',
  ),
];
