import { quoted } from '../kit/text/markdown.ts';
import type { Row } from './row.ts';

/**
 * Discord's text as Markdown: most of it is. Tokens become what people see, underlines and small print lose their marks, and a
 * quotation to the end of the text (`>>> `) gets a mark in each of its lines. Code stays as it is.
 *
 * https://support.discord.com/hc/en-us/articles/210298617 and https://docs.discord.com/developers/reference#message-formatting (2026-11)
 */
export function discordText(content: string, row: Row): string {
  if (!/[<_>#]|discord/.test(content)) return content;
  const text = outsideCode(content, (piece) => withoutMarks(withoutTokens(piece, row), row));
  const at = text.startsWith('>>> ') ? 0 : text.indexOf('\n>>> ') + 1;
  if (at === 0 && !text.startsWith('>>> ')) return text;
  return text.slice(0, at) + quoted(text.slice(at + 4));
}

/** The text with `convert` done to what is no code. */
function outsideCode(text: string, convert: (piece: string) => string): string {
  let found = '';
  let from = 0;
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', from)) {
    const fence = text.startsWith('```', at) ? '```' : text.startsWith('``', at) ? '``' : '`';
    const end = text.indexOf(fence, at + fence.length);
    if (end < 0) break;
    found += convert(text.slice(from, at)) + text.slice(at, end + fence.length);
    from = end + fence.length;
  }
  return found + convert(text.slice(from));
}

/** Tokens for people, roles and channels; custom emoji; times; commands; addresses without a preview. */
const tokens =
  /<(?:@!?(\d{1,20})|(@&|#)(\d{1,20})|a?:(\w{1,64}):\d{1,20}|t:(-?\d{1,12})(?::[A-Za-z])?|\/([^:<>\n]{1,100}):\d{1,20}|(https?:\/\/[^<>\s]{1,4000}))>/g;

const links =
  /https:\/\/(?:\w{1,20}\.)?discord(?:app)?\.com\/channels\/(?:@me|\d{1,20})(?:\/(\d{1,20}))?(?:\/(\d{1,20}))?/g;

function withoutTokens(text: string, row: Row): string {
  if (text.includes('.com/channels/')) {
    for (const [url, channel, message] of text.matchAll(links)) row.noteLink(url, channel, message);
  }
  if (!text.includes('<')) return text;
  return text.replace(tokens, (_, ...[user, sigil, other, emoji, seconds, command, url]: (string | undefined)[]) => {
    if (user !== undefined) row.mentioned.add(user);
    if (user !== undefined) return `@${row.nameOf(user) ?? unnamed(user, row)}`;
    if (sigil !== undefined) return `${sigil[0]}${row.placeName(other!) ?? unnamed(other!, row)}`;
    if (emoji !== undefined) row.lose('emojiInText');
    if (emoji !== undefined) return `:${emoji}:`;
    if (seconds !== undefined) return timestampText(Number(seconds));
    return command === undefined ? url! : `/${command}`;
  });
}

function unnamed(id: string, row: Row): string {
  row.lose('unnamed');
  return id;
}

/** Each reader sees it in their own zone: `2026-03-06 10:00 UTC`. */
const timestampText = (seconds: number): string => {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? String(seconds) : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

function withoutMarks(text: string, row: Row): string {
  const plain = text.replace(/^-# (?=\S)/gm, () => {
    row.lose('styles');
    return '';
  });
  if (!plain.includes('__')) return plain;
  let found = '';
  let from = 0;
  for (let at = plain.indexOf('__'); at >= 0; at = plain.indexOf('__', Math.max(from, at + 2))) {
    // Inside of words and addresses it is nothing.
    if (/[\w/=&?.-]/.test(plain[at - 1] ?? ' ')) continue;
    let end = plain.indexOf('__', at + 3);
    if (end < 0) break;
    if (plain[end + 2] === '_') end += 1;
    row.lose('underlines');
    found += plain.slice(from, at) + plain.slice(at + 2, end);
    from = end + 2;
  }
  return found + plain.slice(from);
}
