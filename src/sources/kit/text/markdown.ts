/**
 * Functions that write the Markdown of the model's texts.
 *
 * **Ordinary text is not escaped** (`typed-text.ts` can). Chat clients display syntax that they do not understand.
 * People would see a backslash, while unintended markup (`2*3*4`) at worst makes a digit italic; and the text that is
 * read back equals the text that was written. Only characters that would break the markup written here are escaped:
 * brackets in a link's label, bars in a table's cell.
 *
 * markdownLink('https://example.com', ' the plan') // ' [the plan](https://example.com)'
 */

/** How a piece of text is set. */
export interface Style {
  readonly bold?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly strike?: boolean | undefined;
  readonly code?: boolean | undefined;
}

/** One text in one style. Marks touch the text and do not reach over the end of a line: each line has its own. */
export function withStyle(text: string, { bold, italic, strike, code }: Style): string {
  if ((!bold && !italic && !strike && !code) || text === '') return text;
  const opening = (bold ? '**' : '') + (italic ? '_' : '') + (strike ? '~~' : '');
  const closing = (strike ? '~~' : '') + (italic ? '_' : '') + (bold ? '**' : '');
  return text.replace(/\S(?:.*\S)?/g, (words) => opening + (code ? inlineCode(words) : words) + closing);
}

/** The whole text, line by line, unless something in it is bold already or would end it. */
export const bold = (text: string): string =>
  text.includes('**') || (text.match(/\*/g) ?? []).length % 2 === 1 ? text : withStyle(text, { bold: true });

/** The whole text, line by line, unless something in it is slanted already or would end it. */
export const italic = (text: string): string => (text.includes('_') ? text : withStyle(text, { italic: true }));

/** Code in a line, its fence unlike any run of backticks inside. */
export function inlineCode(words: string): string {
  if (!words.includes('`')) return `\`${words}\``;
  const runs = new Set((words.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = '`'.repeat(length);
  return `${fence} ${words} ${fence}`;
}

/** A block of code, its fence longer than any run of backticks inside. */
export function fenced(code: string, language = ''): string {
  const longest = (code.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}

/** Returns a quotation: every line of it has the mark. Add a blank line before the text that follows. */
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
 * Returns `[label](url)`, or the bare address if the label adds nothing to it. Spaces around the label stay outside of
 * the link.
 *
 * Brackets and spaces are encoded in the address and escaped in the label, because here they would be syntax. An
 * address that could run as a script never becomes a link.
 */
export function markdownLink(url: string, label: string | undefined): string {
  let target = url.trim();
  while (target.endsWith('%20')) target = target.slice(0, -3);
  const address = target.replace(/^(?:mailto|tel):/, '');
  const words = label?.trim();
  if (label === undefined || !words) return address;
  const link = words === url.trim() || words === target || words === address ? address : labelled(target, words);
  if (words === label) return link;
  return label.slice(0, label.indexOf(words)) + link + label.slice(label.indexOf(words) + words.length);
}

function labelled(url: string, label: string): string {
  if (isScript(url)) return `${label} (${url})`;
  return `[${label.replace(/[[\]]|\\(?=[[\]\\]|$)/g, '\\$&').replace(/\s+/g, ' ')}](${encodeForLink(url)})`;
}

/** An address inside of `(…)`: brackets, angle brackets and spaces would end it. */
export const encodeForLink = (url: string): string =>
  url.replace(/[()<>\s]/g, (character) =>
    character < '\u0080'
      ? `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
      : encodeURIComponent(character),
  );

/** Schemes whose addresses could run as a script: they never become a link. */
export const isScript = (url: string): boolean => /^(?:javascript|data|vbscript):/i.test(url);
