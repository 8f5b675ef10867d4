import type { SourceCode } from '../kit/codes.ts';

export const signalCodes: readonly SourceCode[] = [
  {
    code: 'signal-no-message',
    severity: 'blocks',
    title: 'Text before the first message',
    explanation:
      'The lines come before the first one with a time and belong to no message: the file was cut, or is no chat.',
    remedy: 'Export the chat again, or take the file out of the folder.',
  },
  {
    code: 'signal-too-long',
    severity: 'blocks',
    title: 'Messages that do not end',
    explanation: 'More than a million characters follow the time of one message; no message is so long.',
    remedy: 'Check the line: a file may have been pasted into the chat.',
  },
  {
    code: 'signal-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: 'The message says no time, or one that is none.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'signal-no-chat',
    severity: 'blocks',
    title: 'Messages of no chat',
    explanation: 'No line before the message describes its chat, so it is unknown where the message belongs.',
    remedy: 'Export again; lines of the file are missing.',
  },
  {
    code: 'signal-unknown-item',
    severity: 'blocks',
    title: 'Messages of a kind that is not known',
    explanation: 'The message is of a kind that is newer than this program, or has no content.',
    remedy: 'Look whether there is a newer version, and report it.',
  },
  {
    code: 'signal-unknown-line',
    severity: 'information',
    title: 'Lines that are not known',
    explanation: 'The line is neither a message nor a person, a chat or anything else that is known; it is left out.',
    remedy: 'Check the line, and report it.',
  },
  {
    code: 'signal-not-migrated',
    severity: 'information',
    title: 'Settings of the app and of people',
    explanation:
      'How far messages came and who read them, who administers a group, pinned and muted chats, folders, packs of stickers, lists of stories and calls by link have no counterpart at the destination.',
    remedy: 'Nothing, or make the administrators of a group owners at the destination.',
  },
];
