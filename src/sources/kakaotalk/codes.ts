import type { SourceCode } from '../kit/codes.ts';

export const kakaotalkCodes: readonly SourceCode[] = [
  {
    code: 'kakaotalk-no-message',
    severity: 'blocks',
    title: 'Text before the first message',
    explanation:
      'The lines come before the first one with a time and belong to no message: the file was cut, or is no chat.',
    remedy: 'Export the chat again, or take the file out of the folder.',
  },
  {
    code: 'kakaotalk-bad-time',
    severity: 'blocks',
    title: 'Messages with a broken time',
    explanation:
      'The line begins like a message, with a date or a time of day that does not exist, or before any day is known.',
    remedy: 'Correct the line, or export the chat again.',
  },
  {
    code: 'kakaotalk-bad-row',
    severity: 'blocks',
    title: 'Rows of a table that cannot be read',
    explanation: 'The row has another number of fields than the table.',
    remedy: 'Correct the row, or export the chat again.',
  },
  {
    code: 'kakaotalk-too-long',
    severity: 'blocks',
    title: 'Messages that do not end',
    explanation: 'More than a million characters follow the time of one message; no message is so long.',
    remedy: 'Look at the line: a file may have been pasted into the chat.',
  },
  {
    code: 'kakaotalk-app-or-person',
    severity: 'decision',
    title: 'Lines of the app, or of the message above',
    explanation:
      'On Windows a line of the app about who came and left begins without a time, as the second line of a message does.',
    about: 'message',
    options: ['Let it be so, if nobody writes such lines.', 'Export the chat on a phone, where they have a time.'],
    otherwise: 'they are lines of the app',
  },
  {
    code: 'kakaotalk-names',
    severity: 'decision',
    title: 'Names that may be longer',
    explanation:
      'Phones write " : " between a name and a text; all texts of the person begin with the same words and another " : ".',
    about: 'message',
    options: [
      'Set names in source of the mapping, if the words are part of the name.',
      'Let it be so, if they are part of the text.',
    ],
    otherwise: 'the name ends at the first " : "',
  },
  {
    code: 'kakaotalk-same-name',
    severity: 'decision',
    title: 'Files of one chat name',
    explanation: 'Several files have the same chat name, and nothing says whether they are one chat.',
    about: 'file',
    options: [
      'Set sameName: together in source of the mapping, if they are parts of one chat.',
      'Set sameName: apart, if they are different chats.',
    ],
    otherwise: 'they stay different chats',
  },
];
