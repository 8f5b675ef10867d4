import type { SourceCode } from '../kit/codes.ts';

/** Codes of problems in text tables. */
export const csvCodes: readonly SourceCode[] = [
  {
    code: 'field-count',
    severity: 'blocks',
    title: 'Rows with more or fewer fields',
    explanation:
      'The row has more or fewer fields than the header: usually a delimiter or a line break that should be in quotes.',
    remedy: 'Put the field in quotes, or set source.delimiter in the mapping.',
  },
  {
    code: 'unclosed-quote',
    severity: 'blocks',
    title: 'Quotes that are never closed',
    explanation: 'A quote opens and is never closed, so the fields after it cannot be separated.',
    remedy: 'Correct the row, or set source.quote in the mapping.',
  },
  {
    code: 'rows-behind-quote',
    severity: 'decision',
    title: 'Rows behind a quote that is never closed',
    explanation:
      'A quote includes the lines after it. The row in which it opens is invalid. Reading continues at the first line that looks like a row: with as many fields as the header has.',
    about: 'nothing',
    options: [
      'Check the named lines, and close the quote.',
      'Set source.quote in the mapping, if quotes mean nothing in this file.',
    ],
    otherwise: 'the row in which the quote opens is invalid, and the rows behind it are read',
  },
  {
    code: 'stray-quote',
    severity: 'blocks',
    title: 'Quotes inside unquoted fields',
    explanation: 'A quote is inside a field that does not begin with one.',
    remedy: 'Correct the row, or set source.quote in the mapping.',
  },
  {
    code: 'text-after-quote',
    severity: 'blocks',
    title: 'Text behind a closing quote',
    explanation: 'Text follows a closing quote: a quote inside a quoted field is written twice.',
    remedy: 'Correct the row, or set source.quote in the mapping.',
  },
  {
    code: 'row-too-long',
    severity: 'blocks',
    title: 'Rows that never end',
    explanation: 'The row is longer than any message: a quote in it may never be closed.',
    remedy: 'Correct the row, or set source.quote in the mapping.',
  },
  {
    code: 'backslashes',
    severity: 'decision',
    title: 'Backslashes that may represent other characters',
    explanation:
      'The file seems to use backslashes before quotes, or for line ends and tabs. The mapping does not say so, and they are kept.',
    about: 'file',
    options: [
      'Set "escape" or "escapes" in the source section of the mapping; "chatferry init" proposes it.',
      'Let it be so, if people wrote them.',
    ],
    otherwise: 'the backslashes are sent as they are',
  },
  {
    code: 'header-changed',
    severity: 'information',
    title: 'Headers with doubled or empty names',
    explanation: 'Columns with the same name, or none, got names of their own.',
    remedy: 'Nothing, or correct the header.',
  },
  {
    code: 'no-header',
    severity: 'decision',
    title: 'Tables without a header',
    explanation: 'The first row looks like data, so the columns are named by number.',
    about: 'file',
    options: ['Set source.header in the mapping.', 'Let it be so, if the file has no header.'],
    otherwise: 'the columns are called by number, and the first row is read as data',
  },
];
