import { countOf } from '../../lib/text/count.ts';
import { bold, markdownLink, quoted } from '../kit/text/markdown.ts';
import { asArray, asId, asString, excerpt } from '../kit/narrow.ts';
import { Fields } from './format.ts';
import type { Row } from './row.ts';
import { addFileAt, describeCard } from './cards.ts';
import { teamsText } from './text.ts';

/**
 * Adds the attachments of a message: files, the message it answers, forwarded messages, cards.
 *
 * @param root Root message of the thread, in channels.
 * @param nameOf Returns a person's name by id, if the export lists it.
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
    else if (/^application\/vnd\.microsoft\.(?:teams\.)?card\./i.test(type)) addCard(attachment, type, row);
    else if (/^\w{1,40}Reference$/.test(type)) addReference(attachment, type, row);
    else addFile(attachment, type, row);
  }
}

/** Returns the content of an attachment: JSON encoded as a text. */
function readContent(attachment: Fields, row: Row): Fields {
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
  const content = readContent(attachment, row);
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
  const content = readContent(attachment, row);
  const senders = ['user', 'application', 'device'].map((kind) => content.in('originalMessageSender').in(kind));
  const by = senders.find((one) => asString(one.get('id')) !== undefined);
  const sender = asString(by?.get('id'));
  const name = asString(by?.get('displayName')) ?? (sender === undefined ? undefined : nameOf(sender));
  const text = teamsText(asString(content.get('originalMessageContent')) ?? '', row);
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

function addCard(attachment: Fields, type: string, row: Row): void {
  const content = readContent(attachment, row);
  const kind = /[^.]*$/.exec(type)![0];
  if (/^codesnippet$/i.test(kind)) addSnippet(content, row);
  else if (/^fluidEmbedCard$/i.test(kind)) addLoop(content, attachment, row);
  else {
    const files = row.files.length;
    const text = describeCard(content, row).join('\n');
    if (text !== '') row.behind.push(text);
    if (text !== '' || row.files.length > files) return;
    row.lose('appData');
    row.behind.push(`Card: ${asString(attachment.get('name')) ?? kind}`);
  }
}

/** Code that is a file in Graph. */
function addSnippet(content: Fields, row: Row): void {
  const name = asString(content.get('name')) ?? 'code';
  const language = asString(content.get('language'));
  row.behind.push(`Code snippet: ${name}${language === undefined ? '' : ` (${language})`}`);
  addFileAt(asString(content.get('codeSnippetUrl')) ?? '', { name }, row);
}

/** A component of Loop, which is a file that people write together. */
function addLoop(content: Fields, attachment: Fields, row: Row): void {
  const url = asString(content.get('componentUrl')) ?? asString(attachment.get('contentUrl'));
  const name = asString(attachment.get('name'));
  if (url === undefined) row.lose('appData');
  row.behind.push(`Loop component: ${url === undefined ? (name ?? 'without an address') : markdownLink(url, name)}`);
}

/** A meeting, a tab and the like: a link when it has an address. */
function addReference(attachment: Fields, type: string, row: Row): void {
  const kind = type.slice(0, 1).toUpperCase() + type.slice(1, -'Reference'.length);
  const url = asString(attachment.get('contentUrl'));
  const name = asString(attachment.get('name'));
  if (attachment.get('content')) row.lose('appData');
  row.behind.push(url === undefined ? `${kind}: ${name ?? 'without a name'}` : markdownLink(url, name));
}

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
  row.files.push({
    ...(id !== undefined && { id }),
    name,
    ...(url === undefined ? { unavailable: 'no-address' } : { url }),
    mimeType: type === 'reference' ? undefined : type,
  });
}
