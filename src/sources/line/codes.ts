import { asks, sets } from '../../model/option.ts';
import { badRow, chatLogCodes, decision, note, sameNameCode, type SourceCode } from '../kit/codes.ts';

export const lineCodes: readonly SourceCode[] = [
  ...chatLogCodes('line'),
  badRow(
    'line-bad-time',
    'Messages with a broken time',
    'The line begins like a message or a heading, with a day or a time that does not exist, or before any day is known.',
    'Correct the line, or export the chat again.',
  ),
  note(
    'line-open-quote',
    'Quotation marks that do not end',
    'LINE puts a text of several lines in quotation marks. This text begins with one, and the next line with a time comes before the closing one: a person may have typed the mark, or a part of another chat was pasted into the text.',
    'Nothing, if people typed the marks: the mark is a part of the text, and the next line with a time is a message. Else close the mark in the file.',
  ),
  decision(
    'line-date-order',
    'Day and month cannot be told apart',
    'Days such as "Mon, 11/03/2025" fit their days of the week in both orders, or in none.',
    {
      about: 'file',
      question: 'Does the day come first in these dates, or the month?',
      options: [
        sets('Read the day first', { 'source.dates': 'day-first' }),
        sets('Read the month first', { 'source.dates': 'month-first' }),
      ],
      otherwise: 'the day comes first',
    },
  ),
  decision(
    'line-names',
    'Names that may be longer',
    'The file has spaces between time, name and text, and nothing says at which space the name ends, or whether the line is one of a text or of the app.',
    {
      about: 'person',
      question: 'What are the whole names of those who wrote?',
      options: [asks('Give all names, as the file writes them', 'source.names', '[Ann Kai, Ben]')],
      otherwise: 'the name ends at the first space',
    },
  ),
  decision(
    'line-app-or-person',
    'Lines of the app, or words of a person',
    'The file has spaces between time, name and text. The line has words that the app writes behind a name, such as "Ann left the group", or neither a name nor words that are known.',
    {
      about: 'message',
      question: 'Who wrote these lines: a person, or the app?',
      options: [
        asks('Give all names, so that other lines are a part of the text above', 'source.names', '[Ann Kai, Ben]'),
      ],
      otherwise: 'they are lines of the app',
    },
  ),
  sameNameCode('line-same-name'),
];
