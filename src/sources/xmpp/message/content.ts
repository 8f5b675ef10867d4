import { hasMembers } from '../../../lib/maps/objects.ts';
import type { LostPart } from '../../../model/lost-parts.ts';
import type { Attachment } from '../../../model/records.ts';
import { bold, italic } from '../../kit/text/markdown.ts';
import { htmlBody } from '../../kit/text/html-body.ts';
import { meansMarkup } from '../../kit/text/typed-text.ts';
import { ns } from '../format.ts';
import { attributeOf, childOf, childrenOf, htmlIn, isIn, textOf, type XmlNode } from '../xml/xml-node.ts';
import { filesIn } from './files.ts';
import { parseJid } from './addresses.ts';
import { findEncryption } from './kinds.ts';

/** The content of a stanza. */
export interface Content {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mentions: readonly string[];
  readonly lost: Readonly<Partial<Record<LostPart, number>>>;
  /** Texts in further languages. */
  readonly otherTexts: number;
  readonly isEmpty: boolean;
}

const nothing: Content = { text: '', attachments: [], mentions: [], lost: {}, otherTexts: 0, isEmpty: false };

/** Depends on the stanza alone: all copies of a message must have the same text. */
export function readContent(node: XmlNode): Content {
  const lost: Partial<Record<LostPart, number>> = {};
  const lose = (part: LostPart) => {
    lost[part] = (lost[part] ?? 0) + 1;
  };
  if (findEncryption(node) === 'text') return { ...nothing, text: 'Encrypted message', lost: { encrypted: 1 } };
  const bodies = childrenOf(node, 'body');
  const attachments = filesIn(node);
  const body = withoutFallback(
    textOf(bodies[0]),
    node,
    (feature) => feature === ns.reply || isFile(feature, attachments),
  );
  const isAddress = attachments.some(({ url }) => url === body.trim());
  const said = isAddress ? '' : styled(node, body, lose);
  const subject = textOf(childOf(node, 'subject')).trim();
  const text = [subject === '' ? '' : bold(subject), said, ...placesIn(node, body)].filter(Boolean).join('\n');
  return {
    text: text.replaceAll('\0', ''),
    attachments,
    lost: hasMembers(lost) ? lost : {},
    mentions: mentionsIn(node),
    otherTexts: Math.max(bodies.length - 1, 0),
    isEmpty: text === '' && attachments.length === 0,
  };
}

const isFile = (feature: string, files: readonly Attachment[]): boolean =>
  files.length > 0 && (feature === ns.sfs || feature === ns.oob);

/** Ranges count characters of Unicode: XEP-0426. */
function withoutFallback(body: string, node: XmlNode, hidden: (feature: string) => boolean): string {
  let left = body;
  for (const fallback of childrenOf(node, 'fallback', ns.fallback)) {
    if (!hidden(attributeOf(fallback, 'for') ?? '')) continue;
    const ranges = childrenOf(fallback, 'body');
    const hasNone = ranges.length === 0 && childOf(fallback, 'subject') === undefined;
    const [range] = ranges;
    const [start, end] = [attributeOf(range, 'start'), attributeOf(range, 'end')];
    if (hasNone || (range && start === undefined && end === undefined)) left = '';
    else if (start !== undefined && end !== undefined && /^\d{1,7}$/.test(start) && /^\d{1,7}$/.test(end)) {
      const characters = [...left];
      characters.splice(Number(start), Math.max(Number(end) - Number(start), 0));
      left = characters.join('');
    }
  }
  return left;
}

/** With the styles of XHTML-IM, if that says the same. */
function styled(node: XmlNode, body: string, lose: (part: LostPart) => void): string {
  const html = childOf(childOf(node, 'html', ns.xhtmlIm), 'body', ns.xhtml);
  if (html) {
    const found = htmlBody(`<div>${htmlIn(html)}</div>`, () => lose('styles'));
    if (lettersOf(textOf(html)) === lettersOf(body) || body === '') return found.text;
    lose('styles');
  }
  const text = body.trim();
  const action = /^\/me (.+)$/.exec(text)?.[1];
  if (action !== undefined) return italic(action);
  if (meansMarkup(text, { isMarkup: false, isLineStart: true })) lose('accidentalMarkup');
  return text;
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** XEP-0080: a place that the text does not say. */
function placesIn(node: XmlNode, body: string): string[] {
  const place = childOf(node, 'geoloc', ns.geoloc);
  const [latitude, longitude] = [textOf(childOf(place, 'lat')).trim(), textOf(childOf(place, 'lon')).trim()];
  const isPlace = [latitude, longitude].every((value) => /^-?\d{1,3}(?:\.\d{1,12})?$/.test(value));
  return isPlace && !body.includes(latitude) ? [`Location: (${latitude}, ${longitude})`] : [];
}

/** XEP-0372. */
function mentionsIn(node: XmlNode): string[] {
  const found = childrenOf(node, 'reference', ns.reference)
    .filter((reference) => attributeOf(reference, 'type') === 'mention')
    .map((reference) => parseJid(attributeOf(reference, 'uri')?.replace(/^xmpp:/, ''))?.bare);
  return [...new Set(found.filter((id) => id !== undefined))];
}

/** Elements that are read, or mean nothing: others are counted by their names. */
const read: readonly (readonly [name: string, ns: string | RegExp])[] = [
  ...(['body', 'subject', 'thread', 'error'] as const).map((name) => [name, ''] as const),
  ...([
    ['delay', ns.delay],
    ['x', ns.oldDelay],
    ['html', ns.xhtmlIm],
    ['x', ns.oob],
    ['file-sharing', ns.sfs],
    ['reference', ns.reference],
    ['replace', ns.correct],
    ['reply', ns.reply],
    ['fallback', ns.fallback],
    ['geoloc', ns.geoloc],
    ['x', ns.mucUser],
    ['retracted', ns.retract],
    ['moderated', ns.moderate],
    ['origin-id', ns.ids],
    ['stanza-id', ns.ids],
    ['referenced-stanza', ns.ids],
    ['event', ns.pubsubEvent],
  ] as const),
  // For programs, and facts that the archive knows otherwise.
  ['encrypted', /./],
  ['encryption', /./],
  ['openpgp', /./],
  ['x', 'jabber:x:encrypted'],
  ['x', 'jabber:x:signed'],
  ['archived', /^urn:xmpp:mam:/],
  ['occupant-id', /./],
  ['nick', 'http://jabber.org/protocol/nick'],
  ['request', 'urn:xmpp:receipts'],
  ['received', 'urn:xmpp:receipts'],
  ['markable', /^urn:xmpp:chat-markers:/],
];
/** Whole namespaces. */
const meaningless =
  /^(?:http:\/\/jabber\.org\/protocol\/(?:chatstates|muc|caps)|urn:xmpp:(?:hints|carbons:\d|chat-markers:\d|receipts)|jabber:x:event|google:.*|vcard-temp:x:update)$/;

/** Elements of a stanza that nothing here reads. @param withWords Those alone that have a text. */
export function unreadIn(node: XmlNode, withWords = false): string[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string' || meaningless.test(child.ns) || (withWords && !hasWords(child))) return [];
    const isRead = read.some(
      ([name, wanted]) => child.name === name && (wanted === '' ? child.ns === node.ns : isIn(child.ns, wanted)),
    );
    return isRead ? [] : [`<${child.name} xmlns="${child.ns}">`.slice(0, 120)];
  });
}

const hasWords = (node: XmlNode): boolean =>
  node.children.some((child) => (typeof child === 'string' ? child.trim() !== '' : hasWords(child)));
