/** Text that a spreadsheet takes for a formula, also as full-width letters and after characters that it skips (tab, CR, LF, NUL). */
const formula = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** Returns the text with a `'` before it if a spreadsheet would run it as a formula. */
export const spreadsheetText = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** A marked formula, and a text that would be read as one. */
const marked = /^'+[=+\-@\t\r\n\0＝＋－＠]/;

/** Like `spreadsheetText`, for text that a program reads again: `withoutMark` returns exactly what it was. */
export const markedText = (text: string): string => (marked.test(text) ? `'${text}` : spreadsheetText(text));

/** Returns the text that `markedText`, or a careful spreadsheet, put a `'` before. */
export const withoutMark = (text: string): string => (marked.test(text) ? text.slice(1) : text);
