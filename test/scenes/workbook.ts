import { makeZip } from '../io/make-zip.ts';

/** A cell as XML, without its reference. */
export interface CellXml {
  readonly attributes?: string;
  readonly xml: string;
}

export interface SheetXml {
  readonly name: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** In front of the rows: `<cols>`. */
  readonly front?: string;
  /** Rows by their numbers; cells by their columns. */
  readonly rows: readonly RowXml[];
}

export interface RowXml {
  readonly number?: number;
  readonly attributes?: string;
  readonly cells: readonly (CellXml | undefined)[];
}

export interface WorkbookXml {
  readonly sheets: readonly SheetXml[];
  /** Inner XML of each `<si>`. */
  readonly strings?: readonly string[];
  readonly is1904?: boolean;
  /** Codes of formats; the style n is that of the format n - 1, and the style 0 is the general one. A number is a built-in id. */
  readonly formats?: readonly (string | number)[];
  /** Other parts, or other content for these. */
  readonly parts?: Readonly<Record<string, string>>;
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A small .xlsx, as Excel lays it out. */
export function workbook(book: WorkbookXml): Buffer {
  const sheets = book.sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheet)] as const);
  const parts = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': bookXml(book),
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['styles', '/xl/styles.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/styles.xml': stylesXml(book.formats ?? []),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${(book.strings ?? []).map((xml) => `<si>${xml}</si>`).join('')}</sst>`,
    ...Object.fromEntries(sheets),
    ...book.parts,
  };
  return makeZip(Object.entries(parts).map(([name, content]) => ({ name, content: `${head}${content}` })));
}

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const bookXml = ({ sheets, is1904 }: WorkbookXml): string =>
  `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${sheets
    .map(({ name, state }, at) => {
      const hidden = state === undefined ? '' : ` state="${state}"`;
      return `<sheet name="${escaped(name)}" sheetId="${at + 1}"${hidden} r:id="rId${at + 1}"/>`;
    })
    .join('')}</sheets></workbook>`;

function stylesXml(formats: readonly (string | number)[]): string {
  const codes = formats.map((format, at) =>
    typeof format === 'string' ? `<numFmt numFmtId="${164 + at}" formatCode="${escaped(format)}"/>` : '',
  );
  const styles = formats.map((format, at) => `<xf numFmtId="${typeof format === 'string' ? 164 + at : format}"/>`);
  return (
    `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
    `<cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`
  );
}

const sheetXml = ({ front = '', rows }: SheetXml): string =>
  `<worksheet xmlns="${main}">${front}<sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`;

function rowXml({ number, attributes = '', cells }: RowXml, at: number): string {
  const row = number ?? at + 1;
  const inside = cells.map((cell, column) =>
    cell ? `<c r="${letter(column)}${row}" ${cell.attributes ?? ''}>${cell.xml}</c>` : '',
  );
  return `<row r="${row}" ${attributes}>${inside.join('')}</row>`;
}

const letter = (column: number): string =>
  `${column < 26 ? '' : letter(Math.floor(column / 26) - 1)}${String.fromCharCode(65 + (column % 26))}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A text that is in its cell, with escapes for what XML cannot hold. */
export const inline = (text: string): CellXml => ({
  attributes: 't="inlineStr"',
  xml: `<is><t xml:space="preserve">${escaped(xstring(text))}</t></is>`,
});

/** @param style 1 for the first of the formats. */
export const number = (text: string, style = 0): CellXml => ({ attributes: `s="${style}"`, xml: `<v>${text}</v>` });

export const shared = (index: number): CellXml => ({ attributes: 't="s"', xml: `<v>${index}</v>` });

export const xstring = (text: string): string =>
  text
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /[\0-\x08\x0b-\x1f\ufffe\uffff]/g,
      (found) => `_x${found.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    );
