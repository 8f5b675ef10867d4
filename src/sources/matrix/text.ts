import type { LostPart } from '../../model/lost-parts.ts';
import type { MessageRecord } from '../../model/records.ts';
import { type ElementText, htmlToMarkdown } from '../kit/text/html-to-markdown.ts';
import { asArray, asObject, asString, asStrings } from '../kit/narrow.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import { type Content, relationOf } from './format.ts';

/** Functions that read a text: they resolve names and note losses. */
export interface TextContext {
  nameOf(id: string): string | undefined;
  lose(part: LostPart): void;
}

export interface SaidText {
  readonly text: string;
  readonly mentions: readonly string[];
  readonly links: NonNullable<MessageRecord['links']>;
}

/** `https://matrix.to/#/@ann:example.com`, `…/#/!room:example.com/$event?via=…`; also with `%40` for `@`. */
const address = /^https:\/\/matrix\.to\/#\/([^/?\s]{1,500})(?:\/([^/?\s]{1,500}))?/;
const anyAddress = /https:\/\/matrix\.to\/#\/[^\s()<>]{1,2000}/g;

/** The text of a message as Markdown: of its HTML where it has some, without what it repeats of the message that it answers. */
export function matrixText(content: Content, context: TextContext): SaidText {
  const mentioned = content['m.mentions'];
  if (mentioned === undefined && content.formatted_body === undefined && content['m.relates_to'] === undefined) {
    const plain = plainText(content, context);
    if (plain !== undefined) return plain;
  }
  const mentions = new Set(asStrings(asObject<{ user_ids: unknown }>(mentioned)?.user_ids));
  const links: { url: string; conversation: string; id: string }[] = [];
  const isReply = asObject(relationOf(content)['m.in_reply_to']) !== undefined;
  const html = content.format === 'org.matrix.custom.html' ? asString(content.formatted_body) : undefined;
  const body = typeof content.body === 'string' ? content.body : '';
  const noteLink = (url: string) => {
    const [room, id] = splitAddress(url);
    if (room === undefined) return;
    context.lose('oldLinks');
    const isLink = room.startsWith('!') && id?.startsWith('$');
    if (isLink && !links.some((link) => link.url === url)) links.push({ url, conversation: room, id: id! });
  };
  let text: string;
  if (html === undefined) {
    text = withNames(isReply ? withoutQuotation(body) : body, mentions, context);
    if (text.includes('https://matrix.to/')) for (const [url] of text.matchAll(anyAddress)) noteLink(url);
    if (text !== '' && meansMarkup(text, { isMarkup: false, isLineStart: true })) context.lose('accidentalMarkup');
  } else {
    const own = isReply ? withoutReply(html) : html;
    text = /[<&]/.test(own)
      ? htmlToMarkdown(own, elementWriter(own, mentions, noteLink, context), context.lose)
      : own.trim();
  }
  return { text, mentions: [...mentions], links };
}

/** Reads the most common case: words that mention no person. */
function plainText({ body }: Content, { lose }: TextContext): SaidText | undefined {
  if (typeof body !== 'string' || body.includes('https://matrix.to/')) return undefined;
  if (body !== '' && meansMarkup(body, { isMarkup: false, isLineStart: true })) lose('accidentalMarkup');
  return { text: body, mentions: [], links: [] };
}

/** The parts of an address of Matrix: a person, a room, an event in it. */
function splitAddress(url: string): readonly (string | undefined)[] {
  const found = address.exec(url);
  if (found === null) return [];
  try {
    return [decodeURIComponent(found[1]!), found[2] && decodeURIComponent(found[2])];
  } catch {
    return [found[1], found[2]];
  }
}

/** Older clients repeat what is answered: lines that begin with `> `, the first with who said it, and an empty line. */
export function withoutQuotation(body: string): string {
  if (!/^> (?:\* )?<@/.test(body)) return body;
  let at = 0;
  while (body.startsWith('> ', at) || body.startsWith('>\n', at)) {
    const end = body.indexOf('\n', at);
    if (end === -1) return '';
    at = end + 1;
  }
  return body.slice(body.startsWith('\n', at) ? at + 1 : at);
}

export function withoutReply(html: string): string {
  if (!/^\s{0,20}<mx-reply>/i.test(html)) return html;
  const end = html.toLowerCase().indexOf('</mx-reply>');
  return end === -1 ? html : html.slice(end + '</mx-reply>'.length);
}

/** Ids of people whom a text without HTML mentions, by their names. */
function withNames(text: string, mentions: ReadonlySet<string>, { nameOf }: TextContext): string {
  if (mentions.size === 0 || !text.includes('@')) return text;
  return text.replace(/@[^\s@:]{1,255}:[\w.-]{1,255}(?::\d{1,5})?/g, (id) => {
    const known = mentions.has(id) ? id : id.replace(/(?<![.:-])[.:-]+$/, '');
    const name = mentions.has(known) ? nameOf(known) : undefined;
    return name === undefined ? id : `@${name}${id.slice(known.length)}`;
  });
}

function elementWriter(
  html: string,
  mentions: Set<string>,
  noteLink: (url: string) => void,
  { lose }: TextContext,
): ElementText {
  return (name, attributes, { end }) => {
    if (name === 'a') {
      const href = attributes.get('href') ?? '';
      if (!href.startsWith('https://matrix.to/')) return undefined;
      const [who] = splitAddress(href);
      if (!who?.startsWith('@')) {
        noteLink(href);
        return undefined;
      }
      mentions.add(who);
      return html[end] === '@' ? '' : '@';
    }
    if (name === 'img') {
      if (attributes.has('data-mx-emoticon')) lose('emojiInText');
      else if (attributes.get('src')?.startsWith('mxc:') && attributes.get('alt')) lose('oldLinks');
      return undefined;
    }
    const isColored = attributes.has('data-mx-color') || attributes.has('data-mx-bg-color');
    if (attributes.has('data-mx-spoiler') || (isColored && !attributes.has('color'))) lose('styles');
    return undefined;
  };
}

/** Returns a location as text: `geo:59.3,18.1;u=35` as `Location: (59.3, 18.1)`, with the words next to it. */
export function locationText(content: Content): string {
  const place = asObject<{ uri: unknown; description: unknown }>(
    content['m.location'] ?? content['org.matrix.msc3488.location'],
  );
  const uri = asString(place?.uri) ?? asString(content.geo_uri);
  const [, latitude, longitude] = /^geo:(-?[\d.]{1,30}),(-?[\d.]{1,30})/.exec(uri ?? '') ?? [];
  const where = latitude === undefined ? uri : `(${latitude}, ${longitude})`;
  const words = asString(place?.description) ?? asString(content.body);
  return [where && `Location: ${where}`, words === uri ? undefined : words].filter(Boolean).join('\n');
}

/** How many previews of links a message carries. */
export const previewsIn = (content: Content): number =>
  asArray(content['com.beeper.linkpreviews'] ?? content['m.url_previews']).length;
