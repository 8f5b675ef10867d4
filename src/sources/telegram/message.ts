import { hasMembers } from '../../lib/maps/objects.ts';
import type { Attachment, Reaction } from '../../model/records.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import type { NamedFile } from '../kit/files/local-files.ts';
import { asArray, asCount, asObject, asString, wordFor, secondsToMs, type Untrusted } from '../kit/narrow.ts';
import type { ReadTime, TimeReader } from '../kit/time/time-reading.ts';
import { addButtons, addContent, callActions, serviceText, unknownContent } from './content.ts';
import { readMessageId, peerOf, personId, type TelegramMessage, type TelegramReaction } from './format.ts';
import { type Gathered, lose, writeMarkdown } from './text.ts';

type Row = Untrusted<TelegramMessage>;

/** Context for reading a message. */
export interface MessageContext {
  readonly workspace: string;
  readonly conversation: string;
  /** Only people write in this chat. */
  readonly isDirect: boolean;
  /** Reads `date`, in the zone of the computer that wrote the export. */
  readonly readDate: TimeReader;
  file(file: NamedFile): Promise<Attachment>;
}

export interface ReadMessage {
  readonly record: NewMessage;
  /** Set if the export does not give the instant itself. */
  readonly assumed: ReadTime['assumed'];
  /** Files that are to be looked up, so that a message without any waits for nothing. */
  readonly files: readonly NamedFile[];
}

/** Fields that are read here, or say what another says. Anything else goes to `custom` as it is. */
const known: ReadonlySet<string> = new Set([
  ...['id', 'type', 'date', 'date_unixtime', 'edited', 'edited_unixtime', 'from', 'from_id', 'actor', 'actor_id'],
  ...['action', 'title', 'members', 'reply_to_message_id', 'text', 'text_entities', 'reactions'],
  ...['photo', 'file', 'file_name', 'file_size', 'photo_file_size', 'mime_type', 'contact_vcard', 'sticker_emoji'],
  // Small pictures of a file that is there itself.
  ...['thumbnail', 'thumbnail_file_size', 'contact_vcard_file_size'],
  ...['contact_information', 'location_information', 'place_name', 'address', 'poll', 'todo_list'],
  ...['forwarded_from', 'inline_bot_buttons', 'giveaway_information', 'giveaway_results', 'paid_stars_amount'],
  ...['invoice_information', 'game_title', 'game_description', 'game_link'],
]);

/** A row as a message, or why it is none. */
export function readMessage(row: Row, context: MessageContext): ReadMessage | RowProblem {
  const id = readMessageId(row.id);
  if (id === undefined) return fieldProblem('missing-id', 'a number as "id"', row.id);
  if (row.type === 'unsupported') return unsupported;
  const time = telegramTime(row.date_unixtime, row.date, context.readDate);
  if (!time) return badTime(row);
  const gathered: Gathered = { mentions: [], lost: {} };
  const written = writeMarkdown(row.text, row.text_entities, gathered);
  if (written === undefined) return badText(row.text);
  const record = newMessage({
    origin: { source: 'telegram', workspace: context.workspace, conversation: context.conversation, id },
    sortKey: makeSortKey(id),
    sentAtMs: time.atMs,
    text: '',
  });
  const findAuthor = context.isDirect ? personId : peerOf;
  record.author = findAuthor(row.from_id ?? row.actor_id) ?? asString(row.from) ?? asString(row.actor);
  addAction(record, row);
  record.text = telegramText(row, record.systemEvent, written, gathered);
  const files = listFiles(row);
  if (record.text === '' && files.length === 0) addUnknown(record, row, gathered);
  addRest(record, row, gathered, context.readDate);
  return { record, assumed: time.assumed, files };
}

/** Ids of one chat are in its order, those from before it was a supergroup are below 0: added to this, all have sixteen digits. */
const firstKey = 2_000_000_000_000_000;

export const makeSortKey = (id: string): string =>
  id.length < 16 && id[0] !== '-' ? `2${id.padStart(15, '0')}` : String(firstKey + Number(id));

const unsupported: RowProblem = {
  code: 'telegram-unsupported',
  reason: 'Telegram Desktop did not know this kind of message, and wrote nothing of it but its id',
};

const badTime = ({ date_unixtime: instant, date }: Row): RowProblem =>
  fieldProblem('bad-time', 'seconds as "date_unixtime" or a time as "date"', instant ?? date);

const badText = (text: unknown): RowProblem => ({
  code: 'telegram-bad-text',
  reason: `Expected a text or a list of pieces as "text", found ${wordFor(text)}`,
});

/** Returns the instant if there is one. Otherwise, reads the wall time in the zone that the mapping names. */
function telegramTime(instant: unknown, wallTime: unknown, readDate: TimeReader): ReadTime | undefined {
  const atMs = secondsToMs(instant);
  if (atMs !== undefined) return { atMs, nanoseconds: 0 };
  return typeof wallTime === 'string' ? readDate(wallTime) : undefined;
}

function addAction(record: NewMessage, row: Row): void {
  const action = asString(row.action) ?? (row.type === 'service' ? 'service' : undefined);
  if (action === undefined) return;
  record.systemEvent = action;
  if (!callActions.has(action)) return;
  const duration = asCount(row.duration_seconds) ?? asCount(row.duration);
  record.call = {
    startedAtMs: record.sentAtMs,
    ...(duration !== undefined && { endedAtMs: record.sentAtMs + duration * 1000 }),
  };
}

/** A kind of message that is not known is called by its name: only what says nothing is blank. */
function addUnknown(record: NewMessage, row: Row, { lost }: Gathered): void {
  const said = unknownContent(
    row,
    Object.keys(row).filter((key) => !known.has(key)),
  );
  if (said === undefined) return;
  record.text = said;
  lose(lost, 'appData');
}

function telegramText(row: Row, action: string | undefined, written: string, { lost }: Gathered): string {
  const lines: string[] = [];
  if (action !== undefined) lines.push(serviceText(row, action));
  if (row.forwarded_from !== undefined)
    lines.push(`_Forwarded from ${asString(row.forwarded_from) ?? 'a deleted account'}_`);
  if (written !== '') lines.push(written);
  else if (typeof row.sticker_emoji === 'string') lines.push(row.sticker_emoji);
  addContent(row, lines);
  const buttons = row.inline_bot_buttons === undefined ? 0 : addButtons(row, lines);
  if (buttons > 0) lose(lost, 'menus', buttons);
  return lines.length === 1 ? lines[0]! : lines.join('\n');
}

function addRest(record: NewMessage, row: Row, { mentions, lost }: Gathered, readDate: TimeReader): void {
  if (mentions.length > 0) record.mentions = mentions;
  const reactions = row.reactions === undefined ? [] : asArray(row.reactions).flatMap(readReaction);
  if (reactions.length > 0) record.reactions = reactions;
  const editedAt = row.edited_unixtime === '0' ? undefined : telegramTime(row.edited_unixtime, row.edited, readDate);
  if (editedAt) record.edited = { atMs: editedAt.atMs };
  if (hasMembers(lost)) record.lost = lost;
  for (const key in row)
    if (!known.has(key)) record.custom = { ...record.custom, [key]: row[key as keyof Row] as never };
  if (row.action === undefined && row.title !== undefined)
    record.custom = { ...record.custom, title: row.title as never };
}

function readReaction(value: unknown): Reaction[] {
  const { type, emoji, document_id: picture, count, recent } = asObject<TelegramReaction>(value) ?? {};
  const users = asArray(recent).flatMap((who) => peerOf(asObject<{ from_id: unknown }>(who)?.from_id) ?? []);
  const shown = type === 'paid' ? '⭐' : (asString(emoji) ?? pictureName(picture));
  if (shown === undefined) return [];
  const distinct = [...new Set(users)];
  return [{ emoji: shown, users: distinct, count: Math.max(asCount(count) ?? 0, distinct.length) }];
}

/** `:5368324170671202286:`, or of the picture's path `:sticker-2:`. */
function pictureName(picture: unknown): string {
  const text = typeof picture === 'number' ? String(picture) : (asString(picture) ?? '');
  const words = text.startsWith('(')
    ? ''
    : text
        .split('/')
        .at(-1)!
        .replace(/\.\w+$/, '');
  return `:${words.match(/\w+/g)?.join('-') ?? 'custom'}:`;
}

function listFiles(row: Row): NamedFile[] {
  const files: NamedFile[] = [];
  const photo = asString(row.photo);
  const file = asString(row.file);
  const card = asString(row.contact_vcard);
  if (photo !== undefined) files.push({ path: photo, ...nameWhereMissing(photo, 'photo.jpg'), kind: 'photo' });
  if (file !== undefined) {
    const kind = asString(row.media_type);
    const name = asString(row.file_name) ?? nameWhereMissing(file, kind ?? 'file').name;
    files.push({ path: file, ...(name !== undefined && { name }), mimeType: asString(row.mime_type), kind });
  }
  if (card !== undefined) files.push({ path: card, ...nameWhereMissing(card, 'contact.vcf'), mimeType: 'text/vcard' });
  return files;
}

/** Why a file is not there, by the sentence that stands for its path: always in English. */
export const whyMissing = (sentence: string): string =>
  /exceeds/i.test(sentence) ? 'too-large-for-the-export' : 'not-in-export';

/** The path of a file that was not exported is a sentence in brackets. */
const nameWhereMissing = (path: string, name: string) => (path.startsWith('(') ? { name } : {});

/** The files of a message, looked up. The size that the row says is that of a file that is not there. */
export async function readAttachments(
  files: readonly NamedFile[],
  context: MessageContext,
  row: Row,
): Promise<Attachment[]> {
  const attachments = [];
  for (const file of files) {
    const found = await context.file(file);
    const sizeBytes = asCount(file.path === row.photo ? row.photo_file_size : row.file_size);
    attachments.push(found.sizeBytes === undefined && sizeBytes !== undefined ? { ...found, sizeBytes } : found);
  }
  return attachments;
}

/** Whether the row begins a topic of a forum, and how it is called. */
export const topicOf = (row: Row): string | undefined =>
  row.action === 'topic_created' ? (asString(row.title) ?? '') : undefined;

/** Returns the message that the row answers, in the same chat. */
export const repliedTo = (row: Row): string | undefined =>
  row.reply_to_peer_id === undefined ? readMessageId(row.reply_to_message_id) : undefined;
