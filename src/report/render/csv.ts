/**
 * CSV that opens in a spreadsheet as what it is: every cell quoted, CRLF between rows (RFC 4180), and nothing that a
 * spreadsheet would run. Text from an export may begin with `=`; a `'` before it makes it text.
 */

/** What a spreadsheet takes for a formula, also as full-width letters and behind what it skips (tab, CR, LF, NUL). */
const formula = /^[=+\-@\t\r\n\0＝＋－＠]/;

export function csvCell(value: string | number): string {
  if (typeof value === 'number') return `"${value}"`;
  const text = value.toWellFormed();
  return `"${formula.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\ufeff';
