/**
 * Writing Markdown, as it stands in the texts of the model.
 *
 * **Ordinary text is not escaped.** Chat clients show what they do not understand, so a backslash would be seen by people, where
 * markup that nobody meant (`2*3*4`) at worst slants a digit; and what is read back equals what was written. Escaped is only what
 * would break the markup that is written here: brackets in a link's label, bars in a table's cell.
 *
 *     styled([{ text: 'Ships ', style: { bold: true } }, { text: 'today', style: { bold: true, italic: true } }])
 *     // **Ships** **_today_**
 */

/** How a piece of text is set. */
export interface Style {
  readonly bold?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly strike?: boolean | undefined;
  readonly code?: boolean | undefined;
}

/** Pieces of one text. Neighbours of the same style share their marks: `**files @Ada**`. */
export function styled(pieces: Iterable<{ readonly text: string; readonly style?: Style | undefined }>): string {
  let markdown = '';
  let run = '';
  let runStyle: Style = {};
  for (const { text, style = {} } of pieces) {
    if (!isSame(style, runStyle)) {
      markdown += withStyle(run, runStyle);
      run = '';
      runStyle = style;
    }
    run += text;
  }
  return markdown + withStyle(run, runStyle);
}

const isSame = (a: Style, b: Style): boolean =>
  !a.bold === !b.bold && !a.italic === !b.italic && !a.strike === !b.strike && !a.code === !b.code;

/** One text in one style. Marks touch the text and do not reach over the end of a line: each line has its own. */
export function withStyle(text: string, { bold, italic, strike, code }: Style): string {
  if ((!bold && !italic && !strike && !code) || text === '') return text;
  const opening = (bold ? '**' : '') + (italic ? '_' : '') + (strike ? '~~' : '');
  const closing = (strike ? '~~' : '') + (italic ? '_' : '') + (bold ? '**' : '');
  return text.replace(/\S(?:.*\S)?/g, (words) => opening + (code ? inlineCode(words) : words) + closing);
}

/** The whole text, unless something in it is bold already. */
export const bold = (text: string): string => (text === '' || text.includes('**') ? text : `**${text}**`);

/** The whole text, unless something in it is slanted already. */
export const italic = (text: string): string => (text === '' || text.includes('_') ? text : `_${text}_`);

const inlineCode = (words: string): string => (words.includes('`') ? `\`\` ${words} \`\`` : `\`${words}\``);

/** A block of code, its fence longer than any run of backticks inside. */
export function fenced(code: string, language = ''): string {
  const longest = (code.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}

/** A quotation: every line of it has the mark. Whoever goes on behind it leaves a blank line. */
export const quoted = (text: string): string => text.replace(/\n$/, '').replace(/^/gm, '> ');

/** A table. Its first row is the head. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head, ...body] = rows;
  if (!head) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...body.map(line)].join('\n');
}

const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|');

/**
 * `[label](url)`, or the bare address where the label adds nothing to it.
 *
 * Brackets and spaces are encoded in the address and escaped in the label: here they would be syntax.
 * An address that could run as a script never becomes a link.
 */
export function markdownLink(url: string, label: string | undefined): string {
  const address = url.replace(/^(?:mailto|tel):/, '');
  if (!label || label === url || label === address) return address;
  if (/^(?:javascript|data|vbscript):/i.test(url.trim())) return `${label} (${url})`;
  return `[${label.replace(/[[\]]/g, '\\$&').replace(/\s+/g, ' ')}](${encodeForLink(url)})`;
}

const encodeForLink = (url: string) =>
  url.replace(/[()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
