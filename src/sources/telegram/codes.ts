import { asks, outside } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

export const telegramCodes: readonly SourceCode[] = [
  note(
    'telegram-repaired',
    'Rows that were no JSON',
    'Telegram Desktop writes control characters, and some versions the ids of emoji, so that the row is no JSON. It was read as it was meant.',
  ),
  badRow(
    'telegram-unsupported',
    'Messages that Telegram Desktop did not know',
    'The message is of a kind that is newer than the program that made the export: only its id was exported.',
    'Export again with the latest Telegram Desktop.',
  ),
  badRow(
    'telegram-bad-text',
    'Messages with an invalid text',
    'The text is neither a text nor a list of pieces: it was not written by Telegram Desktop.',
  ),
  badRow(
    'telegram-cut-off',
    'Pages that end in the middle',
    'The page ends before it is closed: the export broke off. What comes before is read; the rest counts as one.',
    'Export again.',
  ),
  note(
    'telegram-long-message',
    'Messages of pages that are too long',
    'The message has more than 16 MiB of HTML: something that is no message is in it, or its tag is never closed.',
    'Check the page, or export again.',
  ),
  decision(
    'telegram-same-name',
    'Pages of chats of the same name',
    'HTML pages give only the name of a chat, no id. Several folders have pages with this name and no message in common. They may be different chats with the same name, or parts of one chat.',
    {
      about: 'nothing',
      question: 'Are these folders parts of one chat?',
      options: [
        asks('Join the folders that are parts of one chat', 'conversations.merge', '[[C1, C2]]'),
        outside('Put the pages of one chat into one folder, and number them on'),
        outside('Export as JSON, which has ids of chats and people'),
      ],
      otherwise: 'each folder is a chat of its own, and the person in its name is a different person in each',
    },
  ),
  badRow(
    'telegram-no-chat',
    'Messages of no chat',
    'The chat around the message has no id, so it is unknown where the message belongs.',
    'Write the id and the type of the chat before its messages, or export again.',
  ),
];
