import { hasMembers } from '../../lib/maps/objects.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { MessageRecord, Reaction } from '../../model/records.ts';
import { quoted } from '../kit/text/markdown.ts';
import { asArray, asObject, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import { parseInstant } from './dates.ts';
import type { ChatFile, ChatMessage, ChatPerson } from './format.ts';
import { personId } from './people.ts';
import { type Gathered, writeMarkdown } from './text.ts';

export type Row = Untrusted<ChatMessage>;

/** Fields that are read here; anything else goes to `custom` as it is. */
const known: ReadonlySet<string> = new Set([
  ...['creator', 'created_date', 'updated_date', 'deleted_date', 'text', 'topic_id', 'message_id', 'attached_files'],
  ...['annotations', 'reactions', 'quoted_message_metadata', 'previous_message_versions', 'message_state'],
]);

const sentTime = (value: unknown): number | undefined => (typeof value === 'string' ? parseInstant(value) : undefined);

/** When it was sent; of an edited message its first version says it. */
export function findSentTime(row: Row): number | undefined {
  const said = sentTime(row.created_date);
  if (said !== undefined || row.created_date !== undefined) return said;
  const [first] = asArray(row.previous_message_versions);
  return sentTime(asObject<ChatMessage>(first)?.created_date);
}

/** When at the latest, of a message that does not say when. */
export const latestChange = (row: Row): number | undefined => sentTime(row.updated_date) ?? sentTime(row.deleted_date);

/** One row as a message without its files. */
export function readMessage(row: Row, place: Pick<NewMessage, 'origin' | 'sortKey' | 'sentAtMs'>): NewMessage {
  const gathered: Gathered = { mentions: [], lost: {}, others: [], shown: [], sentAtMs: place.sentAtMs };
  const written = writeMarkdown(asString(row.text) ?? '', row.annotations, gathered);
  const quote = asObject<ChatMessage['quoted_message_metadata']>(row.quoted_message_metadata);
  const said = written === '' ? gathered.shown.map(({ text }) => text).join('\n') : written;
  const record = newMessage({ ...place, text: quote ? withQuote(quote, said) : said });
  const call = written === '' ? gathered.shown.find((shown) => shown.call !== undefined)?.call : undefined;
  if (call !== undefined) record.call = call;
  const creator = asObject<ChatPerson>(row.creator);
  const author = creator && personId(creator);
  if (author !== undefined) record.author = author;
  const root = rootOf(place.origin.id);
  if (root !== undefined) record.threadRoot = root;
  if (row.message_state === 'DELETED' || row.deleted_date !== undefined) record.isDeleted = true;
  const editedAtMs = sentTime(row.updated_date);
  if (editedAtMs !== undefined) record.edited = { atMs: editedAtMs };
  if (gathered.mentions.length > 0) record.mentions = gathered.mentions;
  const reactions = row.reactions === undefined ? [] : readReactions(row.reactions);
  if (reactions.length > 0) record.reactions = reactions;
  const custom = readCustom(row, gathered);
  if (hasMembers(custom)) record.custom = custom as NonNullable<MessageRecord['custom']>;
  if (hasMembers(gathered.lost)) record.lost = gathered.lost;
  return record;
}

/** `<group>/<topic>/<message>`: what begins the topic, unless it does so itself. */
function rootOf(id: string): string | undefined {
  const [group, topic, message, more] = id.split('/');
  return message === undefined || more !== undefined || topic === message ? undefined : `${group}/${topic}/${topic}`;
}

/** A quoted message has no id. */
function withQuote(quote: Untrusted<ChatMessage['quoted_message_metadata']>, written: string): string {
  const name = asString(asObject<ChatPerson>(quote.creator)?.name);
  const files = asArray(quote.attached_files).flatMap(
    (file) => asString(asObject<ChatFile>(file)?.original_name) ?? [],
  );
  const lines = [name === undefined ? '' : `**${name}**`, asString(quote.text) ?? '', ...files].filter(
    (line) => line !== '',
  );
  return [lines.length === 0 ? '' : quoted(lines.join('\n')), written].filter((part) => part !== '').join('\n\n');
}

function readReactions(values: unknown): Reaction[] {
  return asArray(values).flatMap((value) => {
    const { emoji, reactor_emails: emails } = asObject<ChatMessage['reactions'][number]>(value) ?? {};
    const shown = readEmoji(emoji);
    const users = asStrings(emails).map((email) => email.toLowerCase());
    return shown === undefined ? [] : [{ emoji: shown, users, count: users.length }];
  });
}

/** Returns the emoji. The name of a custom picture may be anywhere in the object. */
function readEmoji(value: unknown): string | undefined {
  const emoji = asObject<{ unicode: string }>(value);
  if (!emoji) return asString(value);
  const unicode = asString(emoji.unicode);
  if (unicode !== undefined) return unicode;
  const name = /"(?:short_?code|name|uuid)":"([^"]{1,100})"/i.exec(JSON.stringify(emoji))?.[1];
  return `:${(name ?? 'custom').replace(/^:|:$/g, '')}:`;
}

/** Small facts that have no field. */
function readCustom(row: Row, { others }: Gathered): Record<string, unknown> {
  const custom: Record<string, unknown> = {};
  const before = asArray(row.previous_message_versions).flatMap(
    (one) => asString(asObject<ChatMessage>(one)?.text) ?? [],
  );
  if (before.length > 0) custom.previousTexts = before;
  if (others.length > 0) custom.annotations = others;
  const acting = (row.creator as { acting_user?: unknown } | null | undefined)?.acting_user;
  if (acting !== undefined) custom.actingUser = acting;
  const deletedAtMs = sentTime(row.deleted_date);
  if (deletedAtMs !== undefined) custom.deletionAt = new Date(deletedAtMs).toISOString();
  for (const key in row) if (!known.has(key)) custom[key] = row[key as keyof Row];
  return custom;
}
