import type { Lose } from '../lost.ts';
import { readDelta } from './editor-delta.ts';
import { asList, fieldsIn, type EditorNode, letters, word } from './editor-node.ts';
import { escapeHtml } from './html-tags.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/**
 * Documents that editors save as JSON, as Markdown: ProseMirror and TipTap, Atlassian's ADF, Slate, Lexical, Quill. By way of HTML, as BBCode.
 *
 *     documentToMarkdown('{"ops":[{"insert":"Tide "},{"insert":"in","attributes":{"bold":true}}]}') // Tide **in**
 *
 * A text that is no document stays as it is: rows may be older than the editor. Nothing is nested by recursion.
 *
 * - https://prosemirror.net/docs/ref/#model, https://tiptap.dev/docs/editor/core-concepts/schema
 * - https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
 * - https://docs.slatejs.org/concepts/02-nodes, https://lexical.dev/docs/concepts/serialization
 * - https://quilljs.com/docs/delta (all 2026-11)
 *
 * @param onUnknown Called for each node and each style of a type that has no place here. Its content is kept.
 */
export function documentToMarkdown(text: string, lose: Lose = () => {}, onUnknown: OnUnknown = () => {}): string {
  const nodes = readDocument(text);
  return nodes === undefined ? text : htmlToMarkdown(writeHtml(nodes, lose, onUnknown), undefined, lose);
}

type OnUnknown = (type: string) => void;

export const isEditorDocument = (text: string): boolean => readDocument(text) !== undefined;

/** Every document has one of these keys. */
const hint = /^\s*[[{].*"(?:content|children|ops|insert|doc)"/s;

function readDocument(text: string): readonly EditorNode[] | undefined {
  if (!hint.test(text)) return undefined;
  try {
    return nodesIn(JSON.parse(text) as EditorNode);
  } catch {
    return undefined;
  }
}

/** The list of nodes may stand alone: sources of JSON name the fields around it. */
function nodesIn(value: unknown): readonly EditorNode[] | undefined {
  if (Array.isArray(value)) {
    const isTree =
      value.every(hasChildren) || (value.every(hasType) && value.some(({ content }) => Array.isArray(content)));
    return isTree && value.length > 0 ? value : readDelta(value);
  }
  const { type, content, ops, root } = value as EditorNode & { readonly ops?: unknown; readonly root?: unknown };
  if (type === 'doc') return Array.isArray(content) || content === undefined ? asList(content) : undefined;
  return Array.isArray(ops) ? readDelta(ops) : hasChildren(root) ? root.children : undefined;
}

const hasChildren = (value: unknown): value is { readonly children: readonly EditorNode[] } =>
  isObject(value) && Array.isArray(value.children);

const hasType = (value: unknown): value is EditorNode => isObject(value) && typeof value.type === 'string';

const byWord = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).flatMap(([name, list]) => list.split(' ').map((one) => [one, name] as const)));

/** Types of nodes, in letters and digits only, by the element that shows them. */
const elements = byWord({
  p: 'paragraph p',
  div: 'div line codeline expand nestedexpand layoutsection layoutcolumn mediasingle mediagroup details detailscontent detailssummary section column columns',
  span: 'span listitemchild listitemtext lic tablebody tablehead tbody thead autolink hashtag',
  blockquote: 'blockquote quote panel callout',
  ul: 'bulletlist bulletedlist unorderedlist ul tasklist todolist checklist decisionlist',
  ol: 'orderedlist numberedlist ol',
  li: 'listitem li taskitem todoitem decisionitem checklistitem actionitem',
  pre: 'codeblock code pre',
  br: 'hardbreak linebreak softbreak break br',
  hr: 'horizontalrule rule hr divider thematicbreak',
  table: 'table',
  tr: 'tablerow tr',
  td: 'tablecell td',
  th: 'tableheader tableheadercell th',
  a: 'link a',
  mention: 'mention usermention mentionnode',
  emoji: 'emoji',
  img: 'image img imageblock imageresize mediainline media',
  link: 'inlinecard blockcard embedcard video audio file attachment embed youtube iframe bookmark linkpreview',
  date: 'date',
  words: 'status formula katex math inlinemath blockmath',
});

/** Styles of a text; `mark` for those that Markdown has no mark for. */
const styles = byWord({
  b: 'bold strong b',
  i: 'italic em emphasis i',
  u: 'underline u',
  s: 'strike strikethrough s',
  code: 'code inlinecode',
  a: 'link',
  mark: 'highlight mark color textcolor textstyle backgroundcolor background subsup sub sup subscript superscript script font size align indent direction border',
});

/** Lexical's styles are bits of a number. */
const bits = ['bold', 'italic', 'strike', 'underline', 'code', 'sub', 'sup', 'highlight'] as const;

const isText = ({ text, children, content }: EditorNode): boolean =>
  typeof text === 'string' && children === undefined && content === undefined;

/** A node with what it depends on around it, or HTML that is written already. */
type Step = string | { readonly node: EditorNode; readonly isInline: boolean; readonly isFirstOfItem: boolean };

function writeHtml(nodes: readonly EditorNode[], lose: Lose, onUnknown: OnUnknown): string {
  const html: string[] = [];
  /** Styles that go on from one text to the next. */
  let open: readonly string[] = [];
  const close = (from: number) => {
    for (const tag of open.slice(from).toReversed()) html.push(`</${nameOf(tag)}>`);
    open = open.slice(0, from);
  };
  const steps: Step[] = [];
  const push = (list: readonly EditorNode[], isItem: boolean) => {
    const isInline = list.some((node) => isObject(node) && isText(node));
    for (let at = list.length - 1; at >= 0; at--)
      steps.push({ node: list[at]!, isInline, isFirstOfItem: isItem && at === 0 });
  };
  push(nodes, false);
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (typeof step === 'string') {
      close(0);
      html.push(step);
    } else if (!isObject(step.node)) continue;
    else if (isText(step.node)) {
      const tags = styleTags(step.node, onUnknown);
      const kept = open.findIndex((tag) => !tags.includes(tag));
      close(kept < 0 ? open.length : kept);
      const added = tags.filter((tag) => !open.includes(tag));
      for (const tag of added) html.push(`<${tag}>`);
      open = [...open, ...added];
      html.push(escapeHtml(step.node.text!).replaceAll('\n', '<br>'));
    } else {
      close(0);
      const { before, after, name } = writeNode(step, lose, onUnknown);
      html.push(before);
      steps.push(after);
      push(asList(step.node.children ?? step.node.content), name === 'li');
    }
  }
  close(0);
  return html.join('');
}

const isObject = (value: unknown): value is EditorNode => typeof value === 'object' && value !== null;

const nameOf = (tag: string): string => tag.split(' ', 1)[0]!;

/** HTML around what is inside a node that is no text. */
function writeNode({ node, isInline, isFirstOfItem }: Exclude<Step, string>, lose: Lose, onUnknown: OnUnknown) {
  const type = letters(node.type);
  const said: Said = (...keys) => word(node, keys);
  const level = /^h(?:eading|eader)?([1-6]|one|two|three|four|five|six)?$/.exec(type);
  if (level && type !== 'h') {
    const number = Number(level[1] ?? said('level', 'tag')?.replace(/\D/g, ''));
    return around(`h${number >= 1 && number <= 6 ? number : 3}`);
  }
  const isNumbered = said('listType') === 'number' || said('tag') === 'ol';
  const name = type === 'list' ? (isNumbered ? 'ol' : 'ul') : elements.get(type);
  if (name === undefined) {
    if (type !== '') onUnknown(String(node.type));
    return around(isInline ? 'span' : type === '' ? 'p' : 'div');
  }
  if (Object.hasOwn(things, name)) {
    const shown = things[name]!(said, lose);
    if (shown === undefined) onUnknown(String(node.type));
    return { name, before: shown ?? escapeHtml(said('alt', 'title', 'name') ?? ''), after: '' };
  }
  if (name === 'p' || name === 'span') return around(isFirstOfItem ? 'span' : name);
  if (name === 'br' || name === 'hr') return { name, before: `<${name}>`, after: '' };
  if (name === 'a') return around('a', ` href="${escapeHtml(said('href', 'url') ?? '')}"`);
  if (name === 'ol') return around('ol', ` start="${escapeHtml(said('start', 'order') ?? '1')}"`);
  if (name === 'pre') return around('pre', ` class="language-${escapeHtml(said('language', 'lang') ?? '')}"`);
  const title = type.endsWith('expand') ? said('title') : undefined;
  const before = name === 'li' ? checkbox(node) : title === undefined ? '' : `<b>${escapeHtml(title)}</b><br>`;
  return { name, before: `<${name}>${before}`, after: `</${name}>` };
}

const around = (name: string, attributes = '') => ({ name, before: `<${name}${attributes}>`, after: `</${name}>` });

type Said = (...keys: readonly string[]) => string | undefined;

/** HTML of a node that shows one thing; undefined where nothing says what people saw. */
const things: Readonly<Record<string, (said: Said, lose: Lose) => string | undefined>> = {
  mention: (said, lose) => escaped(mention(said, lose)),
  emoji: (said, lose) => escaped(emoji(said, lose)),
  date: (said) => escaped(day(said('timestamp', 'date', 'value'))),
  words: (said) => escaped(said('text', 'formula', 'latex', 'equation', 'value')),
  img(said) {
    const address = said('src', 'url', 'href', 'source');
    return address && `<img src="${escapeHtml(address)}" alt="${escapeHtml(said('alt', 'title', 'name') ?? '')}">`;
  },
  link(said) {
    const address = said('url', 'href', 'src', 'source');
    return address && `<a href="${escapeHtml(address)}">${escapeHtml(said('title', 'name', 'label') ?? address)}</a>`;
  },
};

const escaped = (text: string | undefined): string | undefined => (text === undefined ? undefined : escapeHtml(text));

function checkbox(node: EditorNode): string {
  const { checked, state } = fieldsIn(node);
  const isTask = checked !== undefined || /task|todo|check/.test(letters(node.type));
  if (!isTask) return '';
  return `<input type="checkbox"${checked === true || state === 'DONE' ? ' checked' : ''}>`;
}

function mention(said: Said, lose: Lose): string | undefined {
  const name = said('label', 'text', 'name', 'character', 'value', 'mentionName');
  if (name === undefined) lose('unnamed');
  const shown = name ?? said('id');
  return shown === undefined || /^[@#]/.test(shown) ? shown : `@${shown}`;
}

function emoji(said: Said, lose: Lose): string | undefined {
  const shown = said('text', 'emoji', 'native', 'character') ?? said('shortName', 'shortname', 'name', 'value');
  if (shown === undefined || !/^[\w+:-]+$/.test(shown)) return shown;
  lose('emojiInText');
  return `:${shown.replaceAll(':', '')}:`;
}

function day(said: string | undefined): string | undefined {
  const date = new Date(/^-?\d+$/.test(said ?? '') ? Number(said) : (said ?? Number.NaN));
  return Number.isNaN(date.getTime()) ? said : date.toISOString().slice(0, 10);
}

/** Tags for the styles of a text: marks with a type, keys that are true, or bits. */
function styleTags(node: EditorNode, onUnknown: OnUnknown): readonly string[] {
  const { marks, format } = node;
  const ofKeys = Object.entries(node).flatMap(([key, value]) => (value === true ? [{ type: key }] : []));
  const ofBits =
    typeof format === 'number' ? bits.filter((_, bit) => format & (1 << bit)).map((type) => ({ type })) : [];
  const tags = [...asList(marks), ...ofKeys, ...ofBits].filter(isObject).flatMap((mark) => {
    const tag = styles.get(letters(mark.type));
    if (tag === undefined) onUnknown(String(mark.type));
    if (tag === 'a') return [`a href="${escapeHtml(word(mark, ['href', 'url']) ?? '')}"`];
    return tag ?? [];
  });
  return [...new Set(tags)];
}
