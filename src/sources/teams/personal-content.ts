import type { Attachment } from '../../model/records.ts';
import { type ElementText, htmlToMarkdown } from '../kit/text/html-to-markdown.ts';
import { asArray } from '../kit/narrow.ts';
import { pollText } from '../kit/text/poll-text.ts';
import { addAttachments } from './attachments.ts';
import { describeCard } from './cards.ts';
import { Fields } from './format.ts';
import { jsonIn, personId } from './personal-ids.ts';
import type { Row } from './row.ts';

/** Returns the text of a message in a personal export, from Skype's own elements. Counts in the row what a text cannot show. */
export function convertContent(content: string, type: string, row: Row): string {
  const words = content.trim();
  const isTyped = typed.test(type);
  if (!isTyped && /^[[{]/.test(words)) return wordsOfJson(words, type, row) ?? words;
  if (!content.includes('<') && !content.includes('&')) return words;
  const { said, objects } = withoutObjects(content);
  for (const object of objects) addObject(object, row);
  const quoted = withQuotes(said);
  // Ends of lines that were typed are characters.
  const html = type === 'RichText/Html' ? quoted : quoted.replace(/\r\n?|\n/g, '<br>');
  const text = htmlToMarkdown(html, elementWriter(html, row), (part) => row.lose(part));
  const parts = [text, ...row.behind].filter((part) => part !== '');
  if (parts.length > 0) return parts.join('\n\n');
  // A message that holds only files without an address shows at least their names.
  if (row.files.length > 0) return row.files.map(({ name }) => name).join(', ');
  if (words === '' || /^<e_m\b[^<]{0,300}(?:<\/e_m>)?$/.test(words)) return '';
  row.lose('appData');
  return type.split('/').at(-1)!;
}

/** Types whose content a person typed: JSON in it is typed text. */
const typed = /^(?:Text|RichText(?:\/Html)?)$/;

/** Polls, cards and notices are JSON. One that shows nothing is called by its type. @returns undefined for what is no JSON. */
function wordsOfJson(text: string, type: string, row: Row): string | undefined {
  const value = jsonIn(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const isEncrypted = type.startsWith('EndToEndEncryption/');
  const words = isEncrypted
    ? ''
    : asList(value)
        .flatMap((card) => describeCard(new Fields(card), row))
        .join('\n');
  if (words !== '') return words;
  row.lose(isEncrypted ? 'encrypted' : 'appData');
  return type.split('/').at(-1)!;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const opening = '<URIObject';
const closing = '</URIObject>';

/** Separates files and cards, which are each in an element, from the text around them. */
function withoutObjects(content: string): { readonly said: string; readonly objects: readonly string[] } {
  const objects: string[] = [];
  let said = '';
  let from = 0;
  for (;;) {
    const start = content.indexOf(opening, from);
    const end = start < 0 ? -1 : content.indexOf(closing, start);
    if (end < 0) return { said: said + content.slice(from), objects };
    said += content.slice(from, start);
    from = end + closing.length;
    objects.push(content.slice(start, from));
  }
}

/** Converts quotations. Text that repeats the head of a quotation is left out. */
const withQuotes = (content: string): string =>
  content
    .replace(/<legacyquote>[^<]{0,1000}<\/legacyquote>/g, '')
    .replace(/<quote\b([^<>]{0,2000})>/g, (_, head: string) => `<blockquote>${quoteAuthor(head)}`)
    .replaceAll('</quote>', '</blockquote>');

/** Returns the author of a quotation, from the attributes of its tag. */
function quoteAuthor(head: string): string {
  const name = /\bauthorname="([^"]{1,200})"/.exec(head)?.[1];
  return name === undefined ? '' : `<b>${name}</b><br>`;
}

function elementWriter(html: string, row: Row): ElementText {
  return (name, attributes, { end }) => {
    if (name === 'at') {
      const id = attributes.get('id');
      if (id !== undefined && id !== '' && id !== '*') row.mention(personId(id));
      return html[end] === '@' ? '' : '@';
    }
    if (name === 'c')
      return `Contact: ${[attributes.get('f'), attributes.get('s') || attributes.get('p')].filter(Boolean).join(', ')}\n`;
    if (name === 'location') return describePlace(attributes);
    return undefined;
  };
}

/** Degrees, or millionths of them. */
function describePlace(attributes: ReadonlyMap<string, string>): string {
  const degrees = ['latitude', 'longitude'].map((key) => {
    const number = Number(attributes.get(key) || Number.NaN);
    return Math.abs(number) > 180 ? number / 1e6 : number;
  });
  const address = attributes.get('address') || attributes.get('shortaddress') || '';
  const at = degrees.every(Number.isFinite) ? `(${degrees.join(', ')})` : '';
  const where = [address, at].filter((part) => part !== '').join(' ');
  return where === '' ? '' : `Location: ${where}\n`;
}

/** Adds a file in Microsoft's store, or a card. Any other text in the element explains how to open it. */
function addObject(object: string, row: Row): void {
  const found: Record<string, string> = {};
  htmlToMarkdown(object.replace(/<title\s*\/>/gi, ''), (name, attributes) => {
    if (name === 'uriobject')
      for (const key of ['type', 'doc_id', 'uri', 'optionsencoded']) found[key] = attributes.get(key) ?? '';
    else if (name === 'originalname' || name === 'filesize') found[name] = attributes.get('v') ?? '';
    else if (name === 'swift') found.swift = attributes.get('b64') ?? '';
    return undefined;
  });
  if (found.swift !== undefined) {
    addCards(found.swift, row);
    return;
  }
  const title = htmlToMarkdown(/<Title>([^<]{1,2000})<\/Title>/i.exec(object)?.[1] ?? '');
  if (/^poll/i.test(found.type ?? '')) {
    const options = (found.optionsencoded ?? '').split('|').filter((text) => text !== '');
    row.behind.push(
      pollText({ question: title || undefined, options: options.map((text) => ({ text, votes: undefined })) }),
    );
    return;
  }
  // An invitation to a call names no file.
  if (title !== '' && !found.doc_id && !found.uri && found.originalname === undefined) {
    row.behind.push(title);
    return;
  }
  const size = Number(found.filesize);
  const id = found.doc_id === '' ? undefined : found.doc_id;
  const file: Attachment = {
    ...(id !== undefined && { id }),
    name: found.originalname || nameOf(found.type),
    kind: found.type,
    ...(found.filesize !== undefined && Number.isSafeInteger(size) && size >= 0 && { sizeBytes: size }),
    unavailable: 'access-denied',
  };
  row.files.push(file);
  row.lose('oldLinks');
}

/** `Picture.1` as `picture`. */
const nameOf = (type = ''): string => /^(\w{1,40})\.1/.exec(type)?.[1]?.toLowerCase() ?? 'file';

/** Cards are JSON in base 64. */
function addCards(base64: string, row: Row): void {
  try {
    const { attachments } = JSON.parse(Buffer.from(base64, 'base64').toString('utf8')) as { attachments?: unknown };
    if (asArray(attachments).length === 0) row.lose('appData');
    addAttachments(attachments, row, { root: undefined, nameOf: () => undefined });
  } catch {
    row.lose('appData');
  }
}
