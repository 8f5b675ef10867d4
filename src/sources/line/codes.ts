import { badRow, chatLogCodes, decision, pastedCode, sameNameCode, type SourceCode } from '../kit/codes.ts';

export const lineCodes: readonly SourceCode[] = [
  ...chatLogCodes({ noMessage: 'line-no-message', noEnd: 'line-no-end' }),
  badRow(
    'line-bad-time',
    'Messages with a broken time',
    'The line begins like a message or a heading, with a day or a time that does not exist, or before any day is known.',
    'Correct the line, or export the chat again.',
  ),
  decision(
    'line-open-quote',
    'Quotation marks that do not end',
    'LINE puts a text of several lines in quotation marks. This text begins with one, and the next line with a time comes before the closing one: a person may have typed the mark, or a part of another chat was pasted into the text.',
    {
      about: 'message',
      options: ['Let it be so, if people typed the marks.', 'Look at the lines, and close the mark in the file.'],
      otherwise: 'the mark is a part of the text, and the next line with a time is a message',
    },
  ),
  decision(
    'line-date-order',
    'Day and month cannot be told apart',
    'Days such as "Mon, 11/03/2025" fit their days of the week in both orders, or in none.',
    {
      about: 'file',
      options: ['Set dates: day-first in source of the mapping.', 'Set dates: month-first.'],
      otherwise: 'the day comes first',
    },
  ),
  decision(
    'line-names',
    'Names that may be longer',
    'The file has spaces between time, name and text, and nothing says at which space the name ends, or whether the line is one of a text or of the app.',
    {
      about: 'person',
      options: [
        'Let it be so, if no name has a space.',
        'Set names in source of the mapping: all names, as the file writes them.',
      ],
      otherwise: 'the name ends at the first space',
    },
  ),
  decision(
    'line-app-or-person',
    'Lines of the app, or words of a person',
    'The file has spaces between time, name and text. The line has words that the app writes behind a name, such as "Ann left the group", or neither a name nor words that are known.',
    {
      about: 'message',
      options: [
        'Let it be so, if nobody writes such lines.',
        'Set names in source of the mapping: a line that begins with no name is a part of the text above.',
      ],
      otherwise: 'they are lines of the app',
    },
  ),
  pastedCode('line-pasted'),
  sameNameCode('line-same-name'),
];
