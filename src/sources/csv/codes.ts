import { outside, sets } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

/** Codes of problems in text tables. */
export const csvCodes: readonly SourceCode[] = [
  badRow(
    'field-count',
    'Rows with more or fewer fields',
    'The row has more or fewer fields than the header: usually a delimiter or a line break that should be in quotes.',
    'Put the field in quotes, or set source.delimiter in the mapping.',
  ),
  badRow(
    'unclosed-quote',
    'Quotes that are never closed',
    'A quote opens and is never closed, so the fields after it cannot be separated.',
    'Correct the row, or set source.quote in the mapping.',
  ),
  decision(
    'rows-behind-quote',
    'Rows behind a quote that is never closed',
    'A quote includes the lines after it. The row in which it opens is invalid. Reading continues at the first line that looks like a row: with as many fields as the header has.',
    {
      about: 'file',
      question: 'Do quotation marks enclose fields in this file?',
      options: [
        sets('Read quotation marks as ordinary characters', { 'source.quote': 'none' }),
        outside('Close the quotes in the lines that the finding names'),
      ],
      otherwise: 'the row in which the quote opens is invalid, and the rows behind it are read',
    },
  ),
  badRow(
    'stray-quote',
    'Quotes inside unquoted fields',
    'A quote is inside a field that does not begin with one.',
    'Correct the row, or set source.quote in the mapping.',
  ),
  badRow(
    'text-after-quote',
    'Text behind a closing quote',
    'Text follows a closing quote: a quote inside a quoted field is written twice.',
    'Correct the row, or set source.quote in the mapping.',
  ),
  badRow(
    'row-too-long',
    'Rows that never end',
    'The row is longer than any message: a quote in it may never be closed.',
    'Correct the row, or set source.quote in the mapping.',
  ),
  decision(
    'backslashes',
    'Backslashes that may represent other characters',
    'The file seems to use backslashes before quotes, or for line ends and tabs. The mapping does not say so, and they are kept.',
    {
      about: 'file',
      question: 'Does a backslash stand for another character in this file?',
      options: [
        sets('Read backslashes as line ends and tabs', { 'source.escapes': 'backslash' }),
        sets('Read a backslash as the mark before a quote', { 'source.escape': '\\' }),
        sets('Keep the backslashes, because people wrote them', { 'source.escapes': 'none' }),
      ],
      otherwise: 'the backslashes are sent as they are',
    },
  ),
  note(
    'header-changed',
    'Headers with doubled or empty names',
    'Columns with the same name, or none, got names of their own.',
    'Nothing, or correct the header.',
  ),
  decision(
    'no-header',
    'Tables without a header',
    'The first row looks like data, so the columns are named by number.',
    {
      about: 'file',
      question: 'Does the first row of the file have the names of the columns?',
      options: [
        sets('Read the first row as names', { 'source.header': 'true' }),
        sets('Read the first row as data', { 'source.header': 'false' }),
      ],
      otherwise: 'the columns are called by number, and the first row is read as data',
    },
  ),
];
