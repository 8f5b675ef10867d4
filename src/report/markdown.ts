import { type MarkupElement, type MarkupNode, parseMarkup } from '../lib/text/markup-tree.ts';
import { oneLine } from '../lib/text/plain-text.ts';
import { formatCount } from './format.ts';
import { reportBody } from './html.ts';
import type { ReportData } from './report-data.ts';

/** Rows of a list; the whole lists are in the CSV files. */
const rowsMax = 50;

/** Renders the report as GitHub-flavoured Markdown. Text of the export is in code spans, so it stays text. */
export const renderMarkdown = (data: ReportData): string =>
  `${blocks(parseMarkup(reportBody(data).toString())).join('\n\n')}\n`;

const blockNames = new Set('h1 h2 h3 p ul dl table div section header details summary'.split(' '));
const isBlock = (node: MarkupNode): node is MarkupElement => typeof node !== 'string' && blockNames.has(node.name);

/** Words between blocks are a paragraph. */
function blocks(nodes: readonly MarkupNode[]): readonly string[] {
  const found: string[] = [];
  let words: MarkupNode[] = [];
  const end = () => {
    found.push(paragraph(inline(words)));
    words = [];
  };
  for (const node of nodes) {
    if (isBlock(node)) {
      end();
      found.push(...block(node));
    } else words.push(node);
  }
  end();
  return found.filter((text) => text !== '');
}

/** A character that would begin a list or a heading is text. */
const paragraph = (text: string): string => text.replace(/^(?=[-+#=])|^\d+(?=[.)] )/, '$&\\');

function block(element: MarkupElement): readonly string[] {
  const { name, children } = element;
  if (isHidden(element)) return [];
  if (name === 'table') return tableBlocks(children);
  if (name === 'ul') return listBlocks(elements(children));
  if (name === 'dl')
    return [
      elements(children)
        .map(({ children: pair }) => `- ${pairText(elements(pair))}`)
        .join('\n'),
    ];
  if (name === 'p') return [paragraph(inline(children))];
  if (name === 'summary') return [`**${inline(children)}**`];
  if (name.startsWith('h') && name !== 'header') return [`${'#'.repeat(Number(name[1]))} ${inline(children)}`];
  return blocks(children);
}

const elements = (nodes: readonly MarkupNode[]): readonly MarkupElement[] =>
  nodes.filter((node): node is MarkupElement => typeof node !== 'string');

const pairText = ([name, value]: readonly MarkupElement[]): string =>
  `${inline(name!.children)}: ${inline(value!.children)}`;

/** Items with blocks of their own are no list. */
const listBlocks = (items: readonly MarkupElement[]): readonly string[] =>
  items.some(({ children }) => children.some(isBlock))
    ? items.flatMap(({ children }) => blocks(children))
    : [items.map(({ children }) => `- ${inline(children)}`).join('\n')];

function tableBlocks(parts: readonly MarkupNode[]): readonly string[] {
  const [caption, head, body] = elements(parts);
  const rows = [...elements(head!.children), ...elements(body!.children)].map(({ children }) =>
    elements(children).map((cell) => inline(cell.children)),
  );
  const [, ...filled] = rows;
  // Columns of drawings are empty.
  const isShown = (column: number) => filled.some((cells) => cells[column] !== '');
  const line = (cells: readonly string[]) => `| ${cells.filter((_, index) => isShown(index)).join(' | ')} |`;
  const [first, ...shown] = rows.slice(0, rowsMax + 1).map(line);
  const rest = filled.length - shown.length;
  return [
    ...(isHidden(caption!) ? [] : [`**${inline(caption!.children)}**`]),
    [first, line(rows[0]!.map(() => '---')), ...shown].join('\n'),
    ...(rest > 0 ? [`And ${formatCount(rest)} more.`] : []),
  ];
}

/** Drawings with their legends, words and links of the page around the report, and rows of the export: Markdown goes into tickets. */
const isHidden = ({ name, attributes }: MarkupElement): boolean =>
  name === 'svg' || 'aria-hidden' in attributes || hiddenClasses.has(`${attributes.class}`);

const hiddenClasses = new Set(['unseen', 'legend', 'axis', 'eyebrow', 'more', 'excerpt']);

const inline = (nodes: readonly MarkupNode[]): string =>
  nodes
    .map((node) => (typeof node === 'string' ? escapeWords(node) : inlineElement(node)))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();

function inlineElement(element: MarkupElement): string {
  const { name, children } = element;
  if (isHidden(element)) return '';
  if (name === 'br') return ' ';
  if (name === 'li') return `${inline(children)} `;
  if (name === 'small') return `(${inline(children)})`;
  if (name === 'code' || name === 'bdi') return codeSpan(textOf(children));
  const text = inline(children);
  return name === 'b' && text !== '' && !text.includes('`') ? `**${text}**` : text;
}

const textOf = (nodes: readonly MarkupNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');

/** Characters that Markdown or HTML gives a meaning. A table ends a cell at `|`, and not every reader heeds a backslash before it. */
const escapeWords = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>~&|]/g, (character) => (character === '|' ? '&#124;' : `\\${character}`));

/** UTF-16 units: enough to recognise a text by. */
const lengthMax = 200;

/** Text from outside: a code span with more backticks than it holds. No code span can hold a `|` in a table. */
function codeSpan(text: string): string {
  const line = oneLine(text).slice(0, lengthMax).toWellFormed();
  if (line === '') return '';
  if (line.includes('|')) return escapeWords(line);
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}
