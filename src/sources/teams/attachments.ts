import { countOf } from '../../lib/text/count.ts';
import { typeOfName } from '../../lib/files/file-types.ts';
import { bold, markdownLink, quoted } from '../kit/text/markdown.ts';
import { asArray, asId, asString, excerpt } from '../kit/narrow.ts';
import { Fields } from './format.ts';
import type { Row } from './row.ts';
import { textOf } from './text.ts';

/**
 * What is attached to a message: files, what it answers, what is forwarded, cards.
 *
 * @param root Of the thread, in channels.
 * @param nameOf Of people by their id, where the export lists them.
 */
export function addAttachments(
  attachments: unknown,
  row: Row,
  context: { readonly root: string | undefined; nameOf(id: string): string | undefined },
): void {
  for (const value of asArray(attachments)) {
    const attachment = new Fields(value);
    const type = asString(attachment.get('contentType')) ?? '';
    if (type === 'messageReference') addQuote(attachment, row, context.root);
    else if (type === 'forwardedMessageReference') addForwarded(attachment, row, context.nameOf);
    else if (/^application\/vnd\.microsoft\.(?:teams\.)?card\./i.test(type)) addCard(attachment, row);
    else addFile(attachment, type, row);
  }
}

/** What an attachment holds: JSON, in a text of its own. */
function contentOf(attachment: Fields, row: Row): Fields {
  const content = attachment.get('content');
  if (typeof content !== 'string' || content.trim() === '') return new Fields(content);
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null) return new Fields(value);
  } catch {
    // Said below.
  }
  const type = asString(attachment.get('contentType')) ?? 'an attachment';
  row.problem ??= {
    code: 'teams-bad-attachment',
    reason: `Expected JSON of an object in "content" of ${excerpt(type)}, found ${countOf(content.length, 'character')} that are none`,
  };
  return new Fields(undefined);
}

function addQuote(attachment: Fields, row: Row, root: string | undefined): void {
  const content = contentOf(attachment, row);
  const id = asId(content.get('messageId')) ?? asId(attachment.get('id'));
  if (id !== undefined && row.quoteOf === undefined) {
    row.quoteOf = root === undefined || root === id ? id : `${root}/${id}`;
    return;
  }
  const preview = asString(content.get('messagePreview'));
  if (preview !== undefined) row.behind.push(quoted(preview));
  else row.lose('appData');
}

/** Who wrote it, when, and what, as a quotation. */
function addForwarded(attachment: Fields, row: Row, nameOf: (id: string) => string | undefined): void {
  const content = contentOf(attachment, row);
  const user = content.in('originalMessageSender').in('user');
  const sender = asString(user.get('id'));
  const name = asString(user.get('displayName')) ?? (sender === undefined ? undefined : nameOf(sender));
  const text = textOf(asString(content.get('originalMessageContent')) ?? '', row);
  const lines = [name === undefined ? '' : bold(name), text].filter((line) => line !== '');
  if (lines.length > 0) row.behind.push(quoted(lines.join('\n')));
  const facts = {
    message: asId(content.get('originalMessageId')),
    conversation: asString(content.get('originalConversationId')),
    sentAt: asString(content.get('originalSentDateTime')),
    sender,
  };
  const given = Object.entries(facts).filter(([, fact]) => fact !== undefined) as [string, string][];
  if (given.length > 0) row.custom.forwarded = Object.fromEntries(given);
  if (lines.length === 0) row.lose('appData');
}

/** Words of a card that somebody sees, and how deep and how many are looked for. */
const wordKeys = ['title', 'subtitle', 'text', 'value', 'question', 'options', 'choices', 'alttext'];
const depthMax = 20;
const wordsMax = 200;

function addCard(attachment: Fields, row: Row): void {
  const text = wordsOf(contentOf(attachment, row), row).join('\n');
  if (text === '') row.lose('appData');
  else row.behind.push(text);
}

/** What somebody sees of a card. What they do not is counted, and so is what could be pressed. */
export function wordsOf(card: Fields, row: Row): readonly string[] {
  const words: string[] = [];
  collectWords(card, words, row, 0);
  return words;
}

function collectWords(card: Fields, words: string[], row: Row, depth: number): void {
  for (const key of card.keys()) {
    if (depth > depthMax || words.length >= wordsMax) {
      row.lose('appData');
      return;
    }
    const value = card.get(key.slice(0, 1).toLowerCase() + key.slice(1));
    if (/^(?:actions|buttons)$/i.test(key)) row.lose('menus', Math.max(1, asArray(value).length));
    else if (Array.isArray(value)) for (const part of value) collectPart(key, part, words, row, depth);
    else collectPart(key, value, words, row, depth);
  }
}

function collectPart(key: string, value: unknown, words: string[], row: Row, depth: number): void {
  if (typeof value === 'object' && value !== null) collectWords(new Fields(value), words, row, depth + 1);
  else if (wordKeys.includes(key.toLowerCase()) && (typeof value === 'string' || typeof value === 'number')) {
    if (value !== '') words.push(textOf(String(value), row));
  } else if (value && !isForm.test(key)) row.lose('cardDetails');
}

/** How a card is written and set, which nobody misses. */
const isForm =
  /^(?:type|version|\$schema|size|weight|color|spacing|separator|style|width|height|wrap|isSubtle|horizontalAlignment|verticalContentAlignment)$/i;

function addFile(attachment: Fields, type: string, row: Row): void {
  const url = asString(attachment.get('contentUrl'));
  const given = asString(attachment.get('name'));
  const id = asId(attachment.get('id'));
  if (asString(attachment.get('thumbnailUrl')) !== undefined) row.lose('cardDetails');
  if (url === undefined && given === undefined) {
    row.lose('appData');
    return;
  }
  if (asString(attachment.get('content')) !== undefined) row.lose('appData');
  if (url !== undefined && type !== 'reference' && !type.includes('/')) {
    row.behind.push(markdownLink(url, given));
    return;
  }
  const name = given ?? (url!.split(/[?#]/, 1)[0]!.split('/').at(-1) || 'file');
  const mimeType = type.includes('/') && !type.includes('*') ? type : typeOfName(name);
  row.files.push({
    ...(id !== undefined && { id }),
    name,
    ...(url === undefined ? { unavailable: 'no-address' } : { url }),
    ...(mimeType !== undefined && { mimeType }),
  });
}
