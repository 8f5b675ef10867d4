import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CsvDialect } from '../../src/io/csv/csv-dialect.ts';
import { parserOptions } from '../../src/io/csv/csv-parser.ts';
import { PlainRow } from '../../src/io/csv/plain-rows.ts';

const comma: CsvDialect = { delimiter: ',', quote: '"', escapedBy: '"', lineEnd: 'lf' };

/** The cells of the first row, or why there is none. */
function first(text: string, dialect = comma) {
  const row = PlainRow.of(dialect)!;
  return row.read(Buffer.from(text), 0) ?? row.cells;
}

describe('PlainRow', () => {
  it.each([
    ['1,a\n2,b', ['1', 'a']],
    ['1,a\r\n', ['1', 'a']],
    [',\n', ['', '']],
    ['""\n', ['']],
    ['"a ""b""",ä😀\n', ['a "b"', 'ä😀']],
    ['1,"a\nb\r\n"\r\n', ['1', 'a\nb\r\n']],
    ['a\rb,c\r\r\n', ['a\rb', 'c\r']],
  ])('reads %j', (text, cells) => expect(first(text)).toEqual(cells));

  it.each(['1,a', '1,"a', '1,"a"', '1,"a"\r', '1,', ''])('does not read %j before its end is there', (text) =>
    expect(first(text)).toBe('unfinished'),
  );

  it.each(['1,a"b\n', '1,"a"b\n', '1,"a" \n', '1,"a"\rb\n'])('leaves %j to the parser', (text) =>
    expect(first(text)).toBe('odd'),
  );

  it('counts the lines of a row, and says where the next one begins', () => {
    const row = PlainRow.of(comma)!;
    expect(row.read(Buffer.from('x\n1,"a\nb\n"\r\n2'), 2)).toBeUndefined();
    expect([row.lineCount, row.end]).toEqual([3, 12]);
  });

  it('reads quotes as characters if the dialect has none', () =>
    expect(first('1,"a"b\n', { ...comma, quote: null, escapedBy: null })).toEqual(['1', '"a"b']));

  it.each([
    { escapedBy: '\\' },
    { lineEnd: 'cr' as const },
    { delimiter: '||' },
    { delimiter: '§' },
    { delimiter: '"' },
    { delimiter: '\n' },
  ])('leaves everything to the parser in the dialect %j', (unusual) =>
    expect(PlainRow.of({ ...comma, ...unusual })).toBeUndefined(),
  );

  it('reads what csv-parse reads', () => {
    const part = fc.constantFrom('a', '1', '"', '""', '"b"', ',', ',', '\n', '\r\n', '\r', 'ä', '😀', '\\', '\0');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const bytes = Buffer.from(parts.join(''));
        const row = PlainRow.of(comma)!;
        if (row.read(bytes, 0) !== undefined) return;
        expect([row.cells]).toEqual(parse(bytes.subarray(0, row.end), parserOptions(comma)));
      }),
      { numRuns: 2000 },
    );
  });
});
