import { type ElementText, htmlToMarkdown } from '../kit/text/html-to-markdown.ts';
import { asArray, asId, asString } from '../kit/narrow.ts';
import { Fields } from './format.ts';
import type { Row } from './row.ts';

/** Whom an `<at>` of a body means, by its id. */
export type Mentioned = ReadonlyMap<string, string | undefined>;

const nobody: Mentioned = new Map();

/** Ids of people and apps by the ids of mentions; without one, everybody or a tag is meant. */
export function mentionedIn(mentions: unknown): Mentioned {
  const all = asArray(mentions);
  if (all.length === 0) return nobody;
  const found = new Map<string, string | undefined>();
  for (const value of all) {
    const mention = new Fields(value);
    const id = asId(mention.get('id'));
    const mentioned = mention.in('mentioned');
    const who = ['user', 'application'].map((kind) => asString(mentioned.in(kind).get('id'))).find(Boolean);
    if (id !== undefined) found.set(id, who);
  }
  return found;
}

/** A body as Markdown. Mentions, emoji and pictures are Teams' own elements; placeholders of attachments are left out. */
export function teamsText(html: string, row: Row, mentioned = nobody): string {
  if (!html.includes('<') && !html.includes('&')) return html.trim();
  return htmlToMarkdown(html, elementWriter(html, row, mentioned), (part) => row.lose(part));
}

/** Between the words of one mention, which each have an `<at>`. */
const nextWord = /^[^<]{0,200}<\/at>(?:&nbsp;|\s){1,10}<$/i;

/** Longer than a word and the text between two words. */
const wordMax = 300;

function elementWriter(html: string, row: Row, mentioned: Mentioned): ElementText {
  let last: { readonly who: string; readonly end: number } | undefined;
  return (name, attributes, { start, end }) => {
    if (name === 'at') {
      const who = mentioned.get(attributes.get('id') ?? '');
      const isNextWord =
        last?.who === who &&
        last !== undefined &&
        start - last.end < wordMax &&
        nextWord.test(html.slice(last.end, start));
      last = who === undefined ? undefined : { who, end };
      if (who !== undefined) row.mention(who);
      return isNextWord ? '' : '@';
    }
    if (name === 'emoji') return attributes.get('alt') ?? '';
    if (name === 'customemoji') return customEmoji(attributes.get('alt') ?? attributes.get('title') ?? '', row);
    if (name === 'attachment' || name === 'systemeventmessage') return '';
    if (name === 'img' || name === 'video' || name === 'audio') return picture(name, attributes, row);
    return undefined;
  };
}

function customEmoji(name: string, row: Row): string {
  row.lose('emojiInText');
  const words = name.replaceAll(':', '').trim();
  return words === '' ? '' : `:${words}:`;
}

/** Emoji and stickers are pictures too. Those that were sent lie in Graph, and want a token. */
function picture(tag: string, attributes: ReadonlyMap<string, string>, row: Row): string {
  const url = attributes.get('src') ?? '';
  const alt = attributes.get('alt') ?? '';
  if (/\bemoji\b/i.test(attributes.get('itemtype') ?? '')) return alt;
  const isClosed = /^https:\/\/graph\.microsoft\.com\//i.test(url) || !/^https?:\/\//i.test(url);
  row.files.push({
    name: alt || (tag === 'img' ? 'image' : tag),
    kind: tag,
    ...(isClosed ? { ...(url.startsWith('https:') && { id: url }), unavailable: 'access-denied' } : { url }),
  });
  if (isClosed && url !== '') row.lose('oldLinks');
  return '';
}
