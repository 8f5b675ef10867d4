import MarkdownIt from 'markdown-it';

/** CommonMark with struck text, as chat clients read it. */
const parser = new MarkdownIt('commonmark', { html: true }).enable('strikethrough');

/** The text that a CommonMark reader shows, and the markup that it recognised. */
export interface Shown {
  /** The letters, a line feed between blocks and lines. */
  readonly text: string;
  /** How many of each kind: `strong`, `em`, `s`, `code`, `fence`, `link`, `list`, `heading`, `html` … */
  readonly marks: Readonly<Record<string, number>>;
}

export function showMarkdown(markdown: string): Shown {
  const marks: Record<string, number> = {};
  const texts: string[] = [];
  for (const token of parser.parse(markdown, {})) {
    count(marks, token.type);
    if (token.type === 'fence' || token.type === 'code_block' || token.type === 'html_block') texts.push(token.content);
    for (const child of token.children ?? []) {
      count(marks, child.type);
      if (child.type === 'softbreak' || child.type === 'hardbreak') texts.push('\n');
      else texts.push(child.content);
    }
    if (token.type === 'inline') texts.push('\n');
  }
  return { text: texts.join(''), marks };
}

/** `strong_open` counts as `strong`, closings do not. */
function count(marks: Record<string, number>, type: string): void {
  if (type.endsWith('_close')) return;
  const name = type.replace(/_(?:open|inline|block)$/, '');
  marks[name] = (marks[name] ?? 0) + 1;
}

/** The letters alone: without spaces, and without what an escape made of one. */
export const lettersOf = (text: string): string => text.replace(/\s+/g, '');
