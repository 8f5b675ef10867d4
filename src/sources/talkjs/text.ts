import { asArray, asObject, asString } from '../kit/narrow.ts';
import { bold, fenced, inlineCode, italic, markdownLink, withStyle } from '../kit/text/markdown.ts';
import { outsideCode } from '../kit/text/outside-code.ts';

/** Deeper than any message: what is deeper has no styles. */
const depthMax = 20;

interface TextNode {
  readonly type: string;
  readonly children: readonly unknown[];
  readonly text: string;
  readonly url: string;
  readonly id: string;
}

/** Markdown of the children of a block, and the ids of people whom they mention. */
export function writeMarkdown(children: unknown, mentions: string[], depth = 0): string {
  return asArray(children)
    .map((child) => (typeof child === 'string' ? child : nodeText(child, mentions, depth)))
    .join('');
}

function nodeText(value: unknown, mentions: string[], depth: number): string {
  const node = asObject<TextNode>(value) ?? {};
  if (depth > depthMax) return asString(node.text) ?? '';
  const inner = () => writeMarkdown(node.children, mentions, depth + 1);
  const text = asString(node.text) ?? '';
  switch (node.type) {
    case 'bold':
      return bold(inner());
    case 'italic':
      return italic(inner());
    case 'strikethrough':
      return withStyle(inner(), { strike: true });
    case 'codeSpan':
      return code(text);
    case 'link':
      return markdownLink(asString(node.url) ?? '', inner());
    case 'autoLink':
      return asString(node.url) ?? text;
    case 'bulletPoint':
      return `- ${inner()}\n`;
    case 'mention': {
      const id = asString(node.id);
      if (id !== undefined) mentions.push(id);
      return `@${text.replace(/^@/, '')}`;
    }
    default:
      return text === '' ? inner() : text;
  }
}

const code = (text: string): string => (text.includes('\n') ? fenced(text) : inlineCode(text));

const word = String.raw`(?<![\p{L}\p{N}])`;
const wordEnd = String.raw`(?![\p{L}\p{N}])`;
const boldMark = new RegExp(String.raw`${word}\*(?=\S)([^*\n]{1,1000}?)(?<=\S)\*${wordEnd}`, 'gu');
const strikeMark = new RegExp(String.raw`${word}~(?=\S)([^~\n]{1,1000}?)(?<=\S)~${wordEnd}`, 'gu');
const link = /<(https?:[^<>|\s]{1,2000})\|([^<>|]{1,500})>/g;

/** Markdown of a text as it was typed: `*bold*`, `~struck~`, and `<https://example.com|a page>`; `_slanted_` is the same. */
export const typedText = (text: string): string =>
  outsideCode(text, (piece) =>
    piece
      .replace(boldMark, '**$1**')
      .replace(strikeMark, '~~$1~~')
      .replace(link, (_, url: string, label: string) => markdownLink(url, label)),
  );
