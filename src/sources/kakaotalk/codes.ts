import { badRow, decision, type SourceCode } from '../kit/codes.ts';

export const kakaotalkCodes: readonly SourceCode[] = [
  badRow(
    'kakaotalk-no-message',
    'Text before the first message',
    'The lines come before the first one with a time and belong to no message: the file was cut, or is no chat.',
    'Export the chat again, or take the file out of the folder.',
  ),
  badRow(
    'kakaotalk-bad-time',
    'Messages with a broken time',
    'The line begins like a message, with a date or a time of day that does not exist, or before any day is known.',
    'Correct the line, or export the chat again.',
  ),
  badRow(
    'kakaotalk-bad-row',
    'Rows of a table that cannot be read',
    'The row has another number of fields than the table.',
    'Correct the row, or export the chat again.',
  ),
  badRow(
    'kakaotalk-too-long',
    'Messages that do not end',
    'More than a million characters follow the time of one message; no message is so long.',
    'Look at the line: a file may have been pasted into the chat.',
  ),
  decision(
    'kakaotalk-app-or-person',
    'Lines of the app, or of the message above',
    'On Windows a line of the app about who came and left begins without a time, as the second line of a message does.',
    {
      about: 'message',
      options: ['Let it be so, if nobody writes such lines.', 'Export the chat on a phone, where they have a time.'],
      otherwise: 'they are lines of the app',
    },
  ),
  decision(
    'kakaotalk-names',
    'Names that may be longer',
    'Phones write " : " between a name and a text; all texts of the person begin with the same words and another " : ".',
    {
      about: 'message',
      options: [
        'Set names in source of the mapping, if the words are part of the name.',
        'Let it be so, if they are part of the text.',
      ],
      otherwise: 'the name ends at the first " : "',
    },
  ),
  decision(
    'kakaotalk-same-name',
    'Files of one chat name',
    'Several files have the same chat name, and nothing says whether they are one chat.',
    {
      about: 'file',
      options: [
        'Set sameName: together in source of the mapping, if they are parts of one chat.',
        'Set sameName: apart, if they are different chats.',
      ],
      otherwise: 'they stay different chats',
    },
  ),
];
