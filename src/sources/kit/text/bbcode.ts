import type { Lose } from '../lost.ts';
import { escapeHtml } from './html-tags.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/**
 * BBCode of forums as Markdown: bold, italic, struck out, links, pictures, quotations, code and lists. Tags that are not known, or
 * that are not closed, stay as text.
 *
 *     bbcodeToMarkdown('[b]Tide[/b] at [url=https://x.example]x[/url]') // **Tide** at [x](https://x.example)
 *
 * It goes by way of HTML, so that line ends, quotations and lists come out as they do there.
 */
export function bbcodeToMarkdown(text: string, lose?: Lose): string {
  return htmlToMarkdown(bbcodeToHtml(text), undefined, lose);
}

/** Whether a text has a tag that is known, and closed. */
export const hasBbcode = (text: string): boolean =>
  text.includes('[/') && tagsIn(text).some(({ isPaired }) => isPaired);

/** HTML of a tag, by its argument and the text in it, both already escaped. */
const html: Readonly<Record<string, (argument: string) => readonly [before: string, after: string]>> = {
  b: () => ['<b>', '</b>'],
  i: () => ['<i>', '</i>'],
  u: () => ['<u>', '</u>'],
  s: () => ['<s>', '</s>'],
  code: () => ['<pre>', '</pre>'],
  quote: (source) => {
    // XenForo: "Boris, post: 7, member: 3".
    const who = source.replace(/(?:, \w+: \d+)+$/, '');
    return [`<blockquote>${who === '' ? '' : `<b>${who}:</b><br>`}`, '</blockquote>'];
  },
  user: () => ['', ''],
  url: (address) => [`<a href="${address}">`, '</a>'],
  img: () => ['', ''],
  list: (kind) => (kind === '' ? ['<ul>', '</ul>'] : [`<ol start="${kind}">`, '</ol>']),
};

interface Tag {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly argument: string;
  readonly isClosing: boolean;
  /** Whether another tag opens or closes it. */
  isPaired: boolean;
  /** End of the text in it. */
  closesAt: number;
}

/** Open tags that are remembered: what is open further out is text. */
const depthMax = 100;

function tagsIn(text: string): readonly Tag[] {
  const tags: Tag[] = [];
  const open: Tag[] = [];
  for (const match of text.matchAll(/\[(\/?)(b|i|u|s|url|img|quote|code|list|user)(?:=([^\][\n]{0,2000}))?\]/gi)) {
    const [whole, slash, name, argument = ''] = match;
    const place = { start: match.index, end: match.index + whole.length };
    const read = { name: name!.toLowerCase(), argument: argument.replace(/^["']|["']$/g, ''), isClosing: slash !== '' };
    const tag: Tag = { ...place, ...read, isPaired: false, closesAt: 0 };
    // Nothing inside of code is a tag but its end.
    const isInCode = open.at(-1)?.name === 'code' && !(tag.isClosing && tag.name === 'code');
    if (isInCode) continue;
    tags.push(tag);
    if (!tag.isClosing) {
      if (open.length < depthMax) open.push(tag);
      continue;
    }
    const index = open.findLastIndex((other) => other.name === tag.name);
    if (index < 0) continue;
    const opening = open[index]!;
    opening.isPaired = true;
    tag.isPaired = true;
    opening.closesAt = tag.start;
    open.length = index;
  }
  return tags;
}

function bbcodeToHtml(text: string): string {
  let at = 0;
  let out = '';
  let codeDepth = 0;
  const afters: string[] = [];
  const plain = (end: number) => {
    const escaped = escapeHtml(text.slice(at, end));
    out += codeDepth > 0 ? escaped : withLines(escaped, afters.length > 0);
    at = end;
  };
  for (const tag of tagsIn(text)) {
    if (!tag.isPaired) continue;
    plain(tag.start);
    at = tag.end;
    if (tag.name === 'code') codeDepth += tag.isClosing ? -1 : 1;
    if (tag.isClosing) {
      out += afters.pop() ?? '';
      continue;
    }
    const inside = text.slice(tag.end, tag.closesAt);
    const argument = tag.argument === '' && tag.name === 'url' ? inside.trim() : tag.argument;
    const [before, after] = html[tag.name]!(escapeHtml(argument));
    out += before;
    afters.push(after);
  }
  plain(text.length);
  return out;
}

/** `[*]` begins an element of a list. */
const withLines = (text: string, isInside: boolean): string =>
  (isInside ? text.replace(/\s*\[\*\]\s*/g, '<li>') : text).replace(/\r\n?|\n/g, '<br>');
