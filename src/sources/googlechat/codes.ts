import type { SourceCode } from '../kit/codes.ts';

export const googlechatCodes: readonly SourceCode[] = [
  {
    code: 'googlechat-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: 'The message has no time, or has it in an unknown language, and no message before it gives that time.',
    remedy: 'Set the account to English, and make the download again.',
  },
  {
    code: 'googlechat-time-assumed',
    severity: 'information',
    title: 'Times of neighbours',
    explanation:
      'The message does not say when it was sent, as deleted and some edited ones do not: it has the time of the message before it, or that of its deletion or edit.',
    remedy: 'Nothing.',
  },
  {
    code: 'googlechat-unknown-content',
    severity: 'blocks',
    title: 'Messages of content that is not known',
    explanation:
      'The message has neither text nor a file: all it holds is content of another app, of a kind that is not known. The reason names it.',
    remedy: 'Report the names to us. To continue without these messages, remove them from the file.',
  },
  {
    code: 'googlechat-bad-event',
    severity: 'blocks',
    title: 'Events of Hangouts without a time',
    explanation: '"timestamp" is no number of microseconds.',
    remedy: 'Correct the row, or make the download again.',
  },
];
