import type { SourceCode } from '../kit/codes.ts';

/** What reading messages of the service brings up. */
export const chatServiceCodes: readonly SourceCode[] = [
  {
    code: 'bad-sent-at',
    severity: 'blocks',
    title: 'Messages with a broken time',
    explanation: '"sentAt" is not a time in Unix seconds.',
    remedy: 'Correct the row, or fetch again.',
  },
  {
    code: 'no-conversation',
    severity: 'blocks',
    title: 'Messages without a conversation',
    explanation: 'Nothing says in which conversation the message stands.',
    remedy: 'Correct the row, or name another column in source.messages.conversation.',
  },
  {
    code: 'unknown-category',
    severity: 'information',
    title: 'Categories of messages that are not known',
    explanation: 'The category of the message is not known: its text is kept.',
    remedy: 'Look at the examples, and tell us.',
  },
  {
    code: 'unknown-metadata-version',
    severity: 'information',
    title: 'Metadata of a newer version',
    explanation: 'A newer version of Chatferry wrote the metadata: thread, edit and the like were not read back.',
    remedy: 'Update Chatferry.',
  },
  {
    code: 'thread-not-found',
    severity: 'information',
    title: 'Threads whose root stands elsewhere',
    explanation:
      'The root of the thread does not stand before the reply in this file: the link is kept, and leads nowhere.',
    remedy: 'Export from an earlier date, or accept that the reply stands by itself.',
  },
  {
    code: 'quote-not-found',
    severity: 'information',
    title: 'Quotes of messages that stand elsewhere',
    explanation:
      'The quoted message does not stand before the one that quotes it in this file: the link is kept, and leads nowhere.',
    remedy: 'Export from an earlier date, or accept that the quote leads nowhere.',
  },
];
