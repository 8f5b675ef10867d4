import { badRow, chatLogCodes, note, type SourceCode } from '../kit/codes.ts';

export const signalCodes: readonly SourceCode[] = [
  ...chatLogCodes('signal'),
  badRow('signal-bad-time', 'Messages without a time', 'The message says no time, or one that is none.'),
  badRow(
    'signal-no-chat',
    'Messages of no chat',
    'No line before the message describes its chat, so it is unknown where the message belongs.',
    'Export again; lines of the file are missing.',
  ),
  badRow(
    'signal-unknown-item',
    'Messages of a kind that is not known',
    'The message is of a kind that is newer than this program, or has no content.',
    'Look whether there is a newer version, and report it.',
  ),
  note(
    'signal-unknown-line',
    'Lines that are not known',
    'The line is neither a message nor a person, a chat or anything else that is known; it is left out.',
    'Check the line, and report it.',
  ),
  note(
    'signal-not-migrated',
    'Settings of the app and of people',
    'How far messages came and who read them, pinned and muted chats, folders, packs of stickers, lists of stories and calls by link have no counterpart at the destination.',
    'Nothing.',
  ),
];
