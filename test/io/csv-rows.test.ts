import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CsvDialect } from '../../src/io/csv/csv-dialect.ts';
import { type CsvRow, readCsvRows } from '../../src/io/csv/csv-rows.ts';
import { anyText } from '../arbitrary-text.ts';

const comma: CsvDialect = { delimiter: ',', quote: '"', escapedBy: '"', lineEnd: 'lf' };

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Buffer, dialect = comma, pieceSize = 5): Promise<CsvRow[]> {
  const bytes = Buffer.from(text as string);
  return (await Array.fromAsync(readCsvRows(inPieces(bytes, pieceSize), dialect))).flat();
}

/** `2: a|b` for a row, `2: !unclosed-quote` for a fault. */
const brief = (rows: readonly CsvRow[]) =>
  rows.map((row) => `${row.line}: ${row.fault ? `!${row.fault.code}` : row.cells.join('|')}`);

describe('readCsvRows()', () => {
  it('gives each row the line on which it begins', async () => {
    const rows = await read('a,b\n\n1,"x\ny"\r\n\r\n2,"x\r\n\r\ny"\n3,z');
    expect(brief(rows)).toEqual(['1: a|b', '3: 1|x\ny', '6: 2|x\r\n\r\ny', '9: 3|z']);
  });

  it('continues at the next line after an unclosed quote', async () => {
    expect(brief(await read('1,"a\n2,b\n3,"c\n4,d'))).toEqual([
      '1: !text-after-quote',
      '2: 2|b',
      '3: !unclosed-quote',
      '4: 4|d',
    ]);
  });

  it('continues at the next line after text behind a closing quote', async () => {
    expect(brief(await read('1,"a"b\n2,c\n'))).toEqual(['1: !text-after-quote', '2: 2|c']);
  });

  it('takes a quote inside a field for a character, if no field of the line begins with one', async () => {
    expect(brief(await read('1,say "hi"\r\n2,x"\n3,"a",b"c\n4,5'))).toEqual([
      '1: 1|say "hi"',
      '2: 2|x"',
      '3: !stray-quote',
      '4: 4|5',
    ]);
  });

  it('reads quotes as characters if the dialect has none', async () => {
    expect(brief(await read('1,"a\n2,b"c\n', { ...comma, quote: null, escapedBy: null }))).toEqual([
      '1: 1|"a',
      '2: 2|b"c',
    ]);
  });

  it('reads backslashes as escapes if the dialect has them', async () => {
    expect(brief(await read('1,"a \\"b\\""\n', { ...comma, escapedBy: '\\' }))).toEqual(['1: 1|a "b"']);
  });

  it('reads rows that end as on old Macs', async () => {
    expect(brief(await read('a,b\r1,x\r2,y\r', { ...comma, lineEnd: 'cr' }))).toEqual(['1: a|b', '2: 1|x', '3: 2|y']);
  });

  it('marks only rows with invalid bytes', async () => {
    const bytes = Buffer.concat([Buffer.from('1,ä\n2,'), Buffer.from([0xff]), Buffer.from('\n3,\ufffd\n')]);
    const damaged = (await read(bytes)).map((row) => !row.fault && row.isDamaged);
    expect(damaged.slice(0, 2)).toEqual([false, true]);
  });

  it('gives up a row that is longer than any may be, and reads the lines in it', async () => {
    const rowCount = 180;
    const line = `${'x'.repeat(99_999)}\n`;
    const rows = await read(`1,"${line.repeat(rowCount)}`, comma, 2 ** 20);
    expect(brief(rows.slice(0, 2))).toEqual(['1: !row-too-long', `2: ${line.trimEnd()}`]);
    expect(rows).toHaveLength(rowCount);
  });

  it('reads the same whatever the pieces are', async () => {
    const alphabet = fc.constantFrom('a', '1', '"', '""', ',', '\n', '\r\n', '\r', 'ä', '😀');
    await fc.assert(
      fc.asyncProperty(fc.array(alphabet, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), async (parts, size) => {
        const text = parts.join('');
        expect(brief(await read(text, comma, size))).toEqual(brief(await read(text, comma, 10_000)));
      }),
      { numRuns: 300 },
    );
  });

  it('gives back any table that was written', async () => {
    const cell = anyText.map((text) => text.toWellFormed());
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
    const delimiter = fc.constantFrom(',', ';', '\t', '|');
    const lineEnd = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(table, delimiter, lineEnd, fc.integer({ min: 1, max: 50 }), async (rows, by, end, size) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((cells) => cells.map(quoted).join(by) + end).join('');
        const found = await read(text, { ...comma, delimiter: by }, size);
        expect(found.map((row) => row.fault ?? row.cells)).toEqual(rows);
      }),
      { numRuns: 200 },
    );
  });
});
