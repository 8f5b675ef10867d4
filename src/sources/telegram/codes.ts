import type { SourceCode } from '../kit/codes.ts';

export const telegramCodes: readonly SourceCode[] = [
  {
    code: 'telegram-repaired',
    severity: 'information',
    title: 'Rows that were no JSON',
    explanation:
      'Telegram Desktop writes control characters, and some versions the ids of emoji, so that the row is no JSON. It was read as it was meant.',
    remedy: 'Nothing.',
  },
  {
    code: 'telegram-unsupported',
    severity: 'blocks',
    title: 'Messages that Telegram Desktop did not know',
    explanation:
      'The message is of a kind that is newer than the program that made the export: only its id was exported.',
    remedy: 'Export again with the latest Telegram Desktop.',
  },
  {
    code: 'telegram-bad-text',
    severity: 'blocks',
    title: 'Messages with an invalid text',
    explanation: 'The text is neither a text nor a list of pieces: it was not written by Telegram Desktop.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'telegram-cut-off',
    severity: 'blocks',
    title: 'Pages that end in the middle',
    explanation:
      'The page ends before it is closed: the export broke off. What comes before is read; the rest counts as one.',
    remedy: 'Export again.',
  },
  {
    code: 'telegram-long-message',
    severity: 'information',
    title: 'Messages of pages that are too long',
    explanation:
      'The message has more than 16 MiB of HTML: something that is no message is in it, or its tag is never closed.',
    remedy: 'Check the page, or export again.',
  },
  {
    code: 'telegram-same-name',
    severity: 'decision',
    title: 'Pages of chats of the same name',
    explanation:
      'HTML pages give only the name of a chat, no id. Several folders have pages with this name and no message in common. They may be different chats with the same name, or parts of one chat.',
    about: 'nothing',
    options: [
      'Let them be chats of their own.',
      'If they are parts of one chat, put their pages into one folder, as messages.html, messages2.html and so on.',
      'Export as JSON, which has ids of chats and people.',
    ],
    otherwise: 'each folder is a chat of its own, and the person in its name is a different person in each',
  },
  {
    code: 'telegram-no-chat',
    severity: 'blocks',
    title: 'Messages of no chat',
    explanation: 'The chat around the message has no id, so it is unknown where the message belongs.',
    remedy: 'Write the id and the type of the chat before its messages, or export again.',
  },
];
