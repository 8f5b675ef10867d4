import { asks } from '../../model/option.ts';
import { badRow, chatLogCodes, decision, note, sameNameCode, type SourceCode } from '../kit/codes.ts';

export const kakaotalkCodes: readonly SourceCode[] = [
  ...chatLogCodes('kakaotalk'),
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
  note(
    'kakaotalk-app-or-person',
    'Lines of the app, or of the message above',
    'On Windows a line of the app about who came and left begins without a time, as the second line of a message does. On a Mac a line about who was removed has the name of a person.',
    'Nothing, if nobody writes such lines: they are lines of the app. Else export the chat on a phone, where they have a time.',
  ),
  decision(
    'kakaotalk-names',
    'Names that may be longer',
    'Phones write " : " between a name and a text; all texts of the person begin with the same words and another " : ".',
    {
      about: 'message',
      question: 'Are the words before the second " : " a part of the name?',
      options: [asks('Give the names that have " : " in them', 'source.names', '["Ann : Sales"]')],
      otherwise: 'the name ends at the first " : "',
    },
  ),
  sameNameCode('kakaotalk-same-name'),
];
