import type { NewMessage } from '../../model/new-message.ts';
import type { Reaction } from '../../model/records.ts';
import { quoted } from '../kit/text/markdown.ts';
import { asArray, asString, asWord } from '../kit/narrow.ts';
import { pollText } from '../kit/text/poll-text.ts';
import type { NamedPointer } from './files.ts';
import { type Fields, asFields, messageId, msOf } from './format.ts';
import { type Gathered, writeMarkdown } from './text.ts';

/** Context for creating a message. */
export interface ContentContext extends Gathered {
  /** Returns the person for an id used in the file. */
  recipient(id: unknown): string | undefined;
}

/** Content of a message: lines of text, and files. */
export interface Content {
  readonly lines: readonly string[];
  readonly files: readonly NamedPointer[];
}

const nothing: Content = { lines: [], files: [] };

/** Readers by the field of a row that holds the content. Other data than text and files is set in the record. */
export const contents: Readonly<
  Record<string, (value: Fields, record: NewMessage, context: ContentContext) => Content>
> = {
  standardMessage: standardContent,
  contactMessage: ({ contact }) => ({ lines: [contactText(contact)], files: [] }),
  stickerMessage: ({ sticker }) => stickerContent(asFields(sticker)),
  remoteDeletedMessage: deletedContent,
  adminDeletedMessage: deletedContent,
  paymentNotification: ({ amountMob, feeMob, note }) => ({
    lines: [
      `Payment: ${[amount(amountMob), feeMob === undefined ? '' : `fee ${amount(feeMob)}`].filter(Boolean).join(', ')}`,
      asString(note) ?? '',
    ],
    files: [],
  }),
  giftBadge: ({ state }) => ({
    lines: [`Gift badge${state === undefined ? '' : ` (${asWord(state).toLowerCase()})`}`],
    files: [],
  }),
  viewOnceMessage: ({ attachment }) => ({
    lines: [],
    files: [{ pointer: asFields(attachment).pointer, kind: 'view once' }],
  }),
  directStoryReplyMessage: storyReply,
  poll: pollContent,
};

function standardContent(
  { quote, text, attachments, linkPreview, longText }: Fields,
  record: NewMessage,
  context: ContentContext,
): Content {
  const { lost } = context;
  const lines: string[] = [];
  if (quote !== undefined) addQuote(asFields(quote), record, lines, context);
  const { body, bodyRanges } = asFields(text);
  lines.push(writeMarkdown(asString(body) ?? '', bodyRanges, context));
  const previews = asArray(linkPreview).length;
  if (previews > 0) lost.previews = previews;
  const files = asArray(attachments).map((value): NamedPointer => {
    const { pointer, flag } = asFields(value);
    const caption = asString(asFields(pointer).caption);
    if (caption !== undefined) lines.push(caption);
    return { pointer, kind: kindOfFile(flag, asFields(pointer).contentType) };
  });
  if (longText !== undefined) files.push({ pointer: longText, kind: 'long text' });
  return { lines, files };
}

/** A message that cannot be found any more is quoted by its words. */
function addQuote(
  { targetSentTimestamp, authorId, text }: Fields,
  record: NewMessage,
  lines: string[],
  context: ContentContext,
): void {
  const target = msOf(targetSentTimestamp);
  if (target !== undefined) {
    record.quoteOf = messageId(target, context.recipient(authorId));
    return;
  }
  const { body, bodyRanges } = asFields(text);
  const words = writeMarkdown(asString(body) ?? '', bodyRanges, context);
  if (words !== '') lines.push(`${quoted(words)}\n`);
}

/** Whether sending to somebody failed, and nobody got the message. @param statuses Words such as `Failed` and `delivered`. */
export function isUnsent(statuses: readonly string[]): boolean {
  const words = statuses.map((status) => status.toLowerCase());
  return words.includes('failed') && words.every((word) => ['failed', 'pending', 'skipped'].includes(word));
}

export function kindOfFile(flag: unknown, contentType: unknown): string {
  if (flag === 'VOICE_MESSAGE' || flag === 1) return 'voice message';
  const [kind = ''] = asWord(contentType ?? '').split('/');
  return ['image', 'video', 'audio'].includes(kind) ? kind : 'file';
}

const stickerContent = ({ emoji, data }: Fields): Content => ({
  lines: [asString(emoji) ?? ''],
  files: [{ pointer: data, kind: 'sticker' }],
});

function deletedContent(_: Fields, record: NewMessage): Content {
  record.isDeleted = true;
  return nothing;
}

const amount = (value: unknown) => (asString(value) === undefined ? '' : `${asString(value)} MOB`);

function storyReply({ textReply, emoji }: Fields, record: NewMessage, context: ContentContext): Content {
  record.custom = { ...record.custom, story: 'reply' };
  const { text, longText } = asFields(textReply);
  const { body, bodyRanges } = asFields(text);
  const words = writeMarkdown(asString(body) ?? '', bodyRanges, context);
  return {
    lines: [words || asString(emoji) || ''],
    files: longText === undefined ? [] : [{ pointer: longText, kind: 'long text' }],
  };
}

function pollContent(
  { question, allowMultiple, hasEnded, options }: Fields,
  record: NewMessage,
  { recipient }: ContentContext,
): Content {
  const answers = asArray(options).map((value) => {
    const { option, votes } = asFields(value);
    return {
      text: option,
      voters: asArray(votes).flatMap((vote) => recipient(asFields(vote).voterId) ?? []),
      votes: asArray(votes).length,
    };
  });
  const voters = answers.flatMap(({ text, voters: people }) => people.map((person) => [asWord(text), person]));
  record.custom = {
    ...record.custom,
    poll: { several: allowMultiple === true, ended: hasEnded === true, ...(voters.length > 0 && { voters }) },
  };
  return { lines: [pollText({ question: asString(question), options: answers })], files: [] };
}

/** Names, numbers and addresses of a contact, as both kinds of export have them. */
export function contactText(value: unknown): string {
  const { name, number, email, address, organization } = asFields(value);
  const { givenName, middleName, familyName, nickname, displayName } = asFields(name);
  const called =
    [givenName, middleName, familyName].map(asString).filter(Boolean).join(' ') ||
    asString(nickname) ||
    asString(displayName);
  const values = [...asArray(number), ...asArray(email)].map((entry) => asString(asFields(entry).value));
  const places = asArray(address).map((entry) => {
    const { street, city, postcode, region, country } = asFields(entry);
    return [street, postcode, city, region, country].map(asString).filter(Boolean).join(' ');
  });
  return `Contact: ${[called, asString(organization), ...values, ...places].filter(Boolean).join(', ')}`;
}

/** Each emoji once, with everybody who gave it. */
export function readReactions(values: unknown, personOf: (fields: Fields) => string | undefined): Reaction[] {
  if (!Array.isArray(values) || values.length === 0) return [];
  const users = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const value of values) {
    const fields = asFields(value);
    const emoji = asString(fields.emoji);
    if (emoji === undefined) continue;
    const person = personOf(fields);
    const people = users.get(emoji) ?? new Set();
    if (person !== undefined) people.add(person);
    users.set(emoji, people);
    counts.set(emoji, (counts.get(emoji) ?? 0) + 1);
  }
  return [...users].map(([emoji, people]) => ({ emoji, users: [...people], count: counts.get(emoji)! }));
}
