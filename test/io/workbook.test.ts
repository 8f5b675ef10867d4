import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allBytes } from '../../src/io/bytes.ts';
import { tablesInput } from '../../src/io/input/tables-input.ts';
import { readJsonLines } from '../../src/io/json/json-lines.ts';
import { SharedStrings } from '../../src/io/xlsx/shared-strings.ts';
import { memoryInput } from '../contracts/memory-input.ts';
import { makeZip } from './make-zip.ts';
import { type CellXml, inline, number, shared, workbook, type WorkbookXml, xstring } from '../scenes/workbook.ts';
import { anyCharacter } from '../arbitrary-text.ts';

const opened = (bytes: Uint8Array) => tablesInput(memoryInput({ 'book.xlsx': bytes }));

async function rowsOf(bytes: Uint8Array, path = 'book.xlsx/Sheet1') {
  const input = await opened(bytes);
  const rows: (readonly [line: number | undefined, value: unknown])[] = [];
  for await (const some of readJsonLines(input.open(path)))
    rows.push(...some.map(({ line, value, error }) => [line, error?.reason ?? value] as const));
  await input.close();
  return rows;
}

const header = (...names: readonly string[]) => ({ cells: names.map(inline) });
const oneSheet = (cells: readonly (CellXml | undefined)[], more: Partial<WorkbookXml> = {}) =>
  workbook({ sheets: [{ name: 'Sheet1', rows: [header('a', 'b', 'c', 'd', 'e', 'f'), { cells }] }], ...more });
const cell = (type: string, xml: string): CellXml => ({ attributes: `t="${type}"`, xml });

describe('a workbook', () => {
  it('is a folder of its sheets, each with the names in its first row, and lines that are rows', async () => {
    const bytes = workbook({
      sheets: [
        {
          name: 'Chat & more: 2026',
          rows: [
            { number: 3, ...header('id', ' text ', 'id', '') },
            { number: 7, cells: [number('1'), inline('Hi'), inline('x'), inline('y')] },
          ],
        },
        { name: 'Empty', rows: [] },
        { name: 'Only names', rows: [header('a')] },
      ],
    });
    const input = await opened(bytes);
    expect(await input.paths()).toEqual(['book.xlsx/Chat & more%3A 2026']);
    expect(input.problems).toEqual([]);
    expect(await rowsOf(bytes, 'book.xlsx/Chat & more%3A 2026')).toEqual([
      [7, { id: '1', text: 'Hi', 'id#2': 'x', D: 'y' }],
    ]);
    expect(await input.head('book.xlsx/Chat & more%3A 2026', 9)).toEqual(Buffer.from('\n\n\n\n\n\n{"i'));
  });

  it('has short lines, although it has many columns, or names of any length', async () => {
    const names = Array.from({ length: 2000 }, (_, at) => `column with a name ${at}`);
    const rows = Array.from({ length: 500 }, (_, at) => ({ cells: [number(String(at))] }));
    const wide = await opened(workbook({ sheets: [{ name: 'Sheet1', rows: [header(...names), ...rows] }] }));
    const bytes = await allBytes(wide.open('book.xlsx/Sheet1'), 2 ** 20);
    const [, first, second] = bytes!.toString().split('\n');
    expect(Object.keys(JSON.parse(first!))).toEqual(names);
    expect(second).toBe('{"column with a name 0":"1"}');
    const long = 'n'.repeat(10_000);
    const named = await rowsOf(workbook({ sheets: [{ name: 'Sheet1', rows: [header(long, long), rows[7]!] }] }));
    expect(named).toEqual([[2, { [long.slice(0, 256)]: '7', [`${long.slice(0, 256)}#2`]: null }]]);
  });

  it('keeps the digits of numbers, and reads truth values, errors and the results of formulas', async () => {
    const cells = [
      number('9007199254740993'),
      number('0.10000000000000001'),
      cell('b', '<v>1</v>'),
      cell('e', '<f>1/0</f><v>#DIV/0!</v>'),
      cell('str', '<f>A1&amp;"x"</f><v>kept</v>'),
      { xml: '<f>A1</f>' },
    ];
    expect(await rowsOf(oneSheet(cells))).toEqual([
      [2, { a: '9007199254740993', b: '0.10000000000000001', c: true, d: '#DIV/0!', e: 'kept', f: null }],
    ]);
  });

  it('reads texts in runs and with escapes, and passes over how they are pronounced', async () => {
    const strings = [
      '<r><rPr><b/></rPr><t>one </t></r><r><t xml:space="preserve">and two</t></r><rPh sb="0" eb="1"><t>no</t></rPh>',
      '<t>a_x000D_\nb _x005F_x0041_ _x0041_</t>',
      '<t>&lt;&#128512;&gt; <![CDATA[<&amp;>]]></t>',
      '<t/>',
    ];
    const bytes = oneSheet([shared(0), shared(1), shared(2), shared(3), inline('in\tline')], { strings });
    expect(await rowsOf(bytes)).toEqual([
      [2, { a: 'one and two', b: 'a\r\nb _x0041_ A', c: '<😀> <&amp;>', d: null, e: 'in\tline', f: null }],
    ]);
  });

  it.each([
    [14, '46083', '2026-03-02'],
    [22, '46083.385416666664', '2026-03-02T09:15:00'],
    [14, '46083.385416666664', '2026-03-02T09:15:00'],
    [21, '0.385416666666667', '09:15:00'],
    [46, '1.5', '36:00:00'],
    [31, '46083', '2026-03-02'],
    ['yyyy\\-mm\\-dd hh:mm:ss.000', '46083.38541724537', '2026-03-02T09:15:00.050'],
    ['[$-409]d\\ mmm', '46083', '2026-03-02'],
    ['[hh]:mm', '0.5', '12:00:00'],
    ['mm:ss', '1.5', '1900-01-01T12:00:00'],
    [14, '59', '1900-02-28'],
    [14, '60', '60'],
    [14, '61', '1900-03-01'],
    [14, '2958465', '9999-12-31'],
    [14, '2958466', '2958466'],
    [14, '-1', '-1'],
    ['0.00" days"', '46083', '46083'],
    ['[Red]#,##0;[Blue]\\d0', '46083', '46083'],
    ['General', '46083', '46083'],
    [2, '46083', '46083'],
  ])('reads a number with the format %j: %s is %s', async (format, stored, shown) => {
    expect(await rowsOf(oneSheet([number(stored, 1)], { formats: [format] }))).toMatchObject([[2, { a: shown }]]);
  });

  it('counts days from 1904 if it says so', async () => {
    const bytes = oneSheet([number('0', 1), number('44621.5', 1)], { formats: [22], is1904: true });
    expect(await rowsOf(bytes)).toMatchObject([[2, { a: '1904-01-01T00:00:00', b: '2026-03-02T12:00:00' }]]);
  });

  it('says what is hidden, and reads it', async () => {
    const input = await opened(
      workbook({
        sheets: [
          { name: 'Secret', state: 'veryHidden', rows: [header('a'), { cells: [inline('x')] }] },
          {
            name: 'Sheet1',
            front: '<cols><col min="2" max="2" hidden="1"/></cols>',
            rows: [header('a', 'b'), { attributes: 'hidden="1"', cells: [inline('x'), inline('y')] }],
          },
        ],
      }),
    );
    expect(await input.paths()).toEqual(['book.xlsx/Secret', 'book.xlsx/Sheet1']);
    expect(input.problems.map(({ code, reason, location }) => [code, location.path, reason])).toEqual([
      [
        'hidden-cells',
        'book.xlsx/Secret',
        expect.stringMatching(/^The sheet "Secret" is hidden, and read: .* on purpose$/),
      ],
      [
        'hidden-cells',
        'book.xlsx/Sheet1',
        expect.stringMatching(/^1 rows .* are hidden, the first is row 2, and read/),
      ],
      ['hidden-cells', 'book.xlsx/Sheet1', expect.stringMatching(/^Columns .* are hidden \("b"\), and read/)],
    ]);
  });

  it.each([
    ['1234567890123450', true],
    ['123456789012345000', true],
    ['1.23456789012345E+17', true],
    ['123456789012340', false],
    ['9007199254740993', false],
    ['1234567890123456700', false],
    ['1.5E+3', false],
  ])('says of %s whether Excel may have rounded it: %s', async (stored, isRounded) => {
    const { problems } = await opened(oneSheet([number(stored)]));
    expect(problems.map(({ code }) => code)).toEqual(isRounded ? ['rounded-numbers'] : []);
    if (isRounded)
      expect(problems[0]!.reason).toMatch(/^1 numbers .* in the column "a" of the sheet "Sheet1", the first in row 2/);
  });

  it('has an invalid row for one that is damaged, and goes on', async () => {
    const rows = [
      header('a', 'b'),
      { cells: [shared(7)] },
      { cells: [number('12,5')] },
      { cells: [inline('x'), { attributes: 'r="A4"', xml: '' }] },
      { cells: [inline('whole')] },
    ];
    const found = await rowsOf(workbook({ sheets: [{ name: 'Sheet1', rows }] }));
    expect(found.map(([line]) => line)).toEqual([2, 3, 4, 5]);
    expect(found[0]![1]).toBe('the row 2 of the sheet cannot be read: the cell in the column A cannot be read');
    expect(found[3]![1]).toEqual({ a: 'whole', b: null });
  });

  it('that ends in the middle of a sheet gives the rows before, then its fault', async () => {
    const cut =
      '<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c><v>1</v></c></row><row r="3"><c><v>';
    const input = await opened(oneSheet([], { parts: { 'xl/worksheets/sheet1.xml': cut } }));
    let text = '';
    const read = async () => {
      for await (const chunk of input.open('book.xlsx/Sheet1')) text += Buffer.from(chunk).toString();
    };
    await expect(read()).rejects.toThrow('Cannot read the workbook: its XML ends in the middle (book.xlsx)');
    expect(text).toBe('\n{"a":"1"}\n');
  });

  const parts = (name: string, content: string) => oneSheet([inline('x')], { parts: { [name]: content } });
  it.each<[string, Uint8Array, string]>([
    ['encrypted', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'it has a password, or is one of Excel 97 to 2003'],
    ['cut off', oneSheet([inline('x')]).subarray(0, -100), 'Cannot read the workbook: '],
    ['no workbook', makeZip([{ name: 'a', content: 'b' }]), 'its part "xl/workbook.xml" is missing'],
    ['without its XML', parts('xl/workbook.xml', ''), 'its XML ends in the middle'],
    ['without rows', workbook({ sheets: [{ name: 'Sheet1', rows: [header('a')] }] }), 'no sheet has rows behind'],
    ['rows in no order', parts('xl/worksheets/sheet1.xml', '<s><row r="2"/><row r="2"/></s>'), 'the row behind row 2'],
    ['a row in a row', parts('xl/worksheets/sheet1.xml', '<s><row><row/></row></s>'), 'another row inside'],
    ['a cell in no row', parts('xl/worksheets/sheet1.xml', '<s><c/></s>'), 'is in no row'],
    ['a wrong end', parts('xl/worksheets/sheet1.xml', '<s><row></c></s>'), 'a wrong end of an element'],
    ['a row too far', parts('xl/worksheets/sheet1.xml', '<s><row r="99999999"/></s>'), 'the row behind row 0'],
    ['a long text', parts('xl/sharedStrings.xml', `<s><t>${'x'.repeat(2 ** 21)}</t></s>`), 'a text that is too long'],
    ['a bomb', parts('xl/sharedStrings.xml', `<s>${' '.repeat(20 * 2 ** 20)}</s>`), 'cannot be read: it unpacks from'],
  ])('that is damaged has a clear error: %s', async (_, bytes, words) => {
    await expect(opened(bytes)).rejects.toThrow(words);
    await expect(opened(bytes)).rejects.toHaveProperty('hint', expect.stringMatching(/\w/));
  });

  it('that is damaged is a problem next to one that is not', async () => {
    const input = await tablesInput(memoryInput({ 'a.xlsx': oneSheet([inline('x')]), 'b.xlsm': 'no archive' }));
    expect(await input.paths()).toEqual(['a.xlsx/Sheet1']);
    expect(input.problems).toMatchObject([{ code: 'unreadable-file', location: { path: 'b.xlsm' } }]);
  });

  it('stays a file next to files of another kind: people may have sent it', async () => {
    const input = await tablesInput(memoryInput({ 'files/a.xlsx': oneSheet([inline('x')]), 'chat.json': '[]' }));
    expect(await input.paths()).toEqual(['chat.json', 'files/a.xlsx']);
  });

  it('reads back any cells that are written into it', async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 20 }).map((made) => made.toWellFormed());
    const value = fc.oneof(
      fc.constant(undefined),
      text.map((made) => ({ xml: inline(made), value: made === '' ? null : made })),
      text.map((made) => ({ text: made, value: made === '' ? null : made })),
      fc.boolean().map((is) => ({ xml: cell('b', `<v>${is ? 1 : 0}</v>`), value: is })),
      fc
        .bigInt({ min: -(2n ** 64n), max: 2n ** 64n })
        .map((made) => ({ xml: number(String(made)), value: String(made) })),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((made) => ({ xml: number(String(made)), value: String(made) })),
    );
    const table = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(table, async (cells) => {
        const strings: string[] = [];
        const rows = cells.map((row) => ({
          cells: row.map((made) => {
            if (made === undefined || !('text' in made)) return made?.xml;
            strings.push(inline(made.text).xml.slice(4, -5));
            return shared(strings.length - 1);
          }),
        }));
        const last = { cells: [inline('end')] };
        const bytes = workbook({ sheets: [{ name: 'Sheet1', rows: [header('a', 'b', 'c'), ...rows, last] }], strings });
        const expected = cells.flatMap(([a, b, c], at) => {
          const read = { a: a?.value ?? null, b: b?.value ?? null, c: c?.value ?? null };
          return Object.values(read).some((made) => made !== null) ? [[at + 2, read]] : [];
        });
        expect(await rowsOf(bytes)).toEqual([...expected, [cells.length + 2, { a: 'end', b: null, c: null }]]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('SharedStrings', () => {
  it('keeps in a temporary database what is too much for memory', () => {
    const strings = new SharedStrings(100);
    const texts = ['a', 'b', 'c\0d', '😀'.repeat(50), ''];
    for (const text of texts) {
      strings.open('si');
      strings.open('t');
      strings.text(xstring(text));
      strings.close('t');
      strings.close('si');
    }
    expect(texts.map((_, at) => strings.get(at))).toEqual(texts);
    expect(strings.get(texts.length)).toBeUndefined();
    strings.release();
  });
});
