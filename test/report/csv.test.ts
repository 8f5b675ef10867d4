import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversationsCsv, csvCell, csvLine, type ProblemRow, problemsCsv } from '../../src/report/report-files.ts';
import { anyText } from '../arbitrary-text.ts';
import { sharedFolder } from '../requirements.ts';
import { finishedImport } from './fixture.ts';

const formulas = sharedFolder('corpora/made');
const parseCsv = (text: string): string[][] => parse(text, { bom: true });

describe('csvCell()', () => {
  test.each(['=1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '\0=1', '＝1', '＋1', '－1', '＠1'])(
    'csvCell() makes %j text for a spreadsheet',
    (text) => {
      expect(csvCell(text)).toBe(`"'${text}"`);
    },
  );

  test.skipIf(formulas === null)('csvCell() makes every formula of a collection text', () => {
    const [, ...rows] = parseCsv(readFileSync(`${formulas}/formula.csv`, 'utf8'));
    expect(rows.length).toBeGreaterThan(5);
    for (const [, text] of rows) expect(csvCell(text!)).toMatch(/^"'/);
  });

  test('csvCell() leaves numbers and other text as they are', () => {
    expect([csvCell(-3), csvCell('a=1'), csvCell(''), csvCell('say "hi"')]).toEqual([
      '"-3"',
      '"a=1"',
      '""',
      '"say ""hi"""',
    ]);
  });

  test('csvLine() is read back as it was, and no cell begins like a formula', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 2 }), (texts) => {
        const [cells] = parseCsv(csvLine(['', ...texts]));
        for (const [index, cell] of cells!.slice(1).entries()) {
          expect(cell).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/);
          const text = texts[index]!.toWellFormed();
          expect([text, `'${text}`]).toContain(cell);
        }
      }),
    );
  });
});

describe('the CSV lists of a report', () => {
  const [conversation] = finishedImport().conversations;
  const problem: ProblemRow = {
    family: 'finding',
    severity: 'decision',
    code: 'attachment-expires',
    count: 12,
    location: 'a.json#/1',
    conversation: '',
    muid: '',
    detail: '=cmd()',
    remedy: 'Copy the files.',
  };
  const lists = { conversations: () => [conversation!], problems: () => [problem] };

  test('conversationsCsv() has a heading and a row for each conversation, times in ISO 8601', () => {
    expect(parseCsv([...conversationsCsv(lists)].join(''))).toEqual([
      'id name target read planned imported existing failed pending unconfirmed firstAt lastAt'.split(' '),
      [
        ...['C07GENE', 'general', 'group general', '552', '412', '412', '0', '0', '0', '0'],
        ...['2016-03-01T00:00:00.000Z', '2016-10-31T00:00:00.000Z'],
      ],
    ]);
  });

  test('problemsCsv() has a heading and a row for each problem', () => {
    expect(parseCsv([...problemsCsv(lists)].join(''))).toEqual([
      'family severity code count location conversation muid detail remedy'.split(' '),
      ['finding', 'decision', 'attachment-expires', '12', 'a.json#/1', '', '', "'=cmd()", 'Copy the files.'],
    ]);
  });
});
