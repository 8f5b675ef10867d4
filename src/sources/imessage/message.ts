import { hasMembers } from '../../lib/maps/objects.ts';
import type { Entry } from '../../model/entry.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import { asString, describe } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { RowNotes } from '../kit/rows/row-notes.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { type Body, type Gathered, writeMarkdown, plainBody, readBody } from './body.ts';
import type { Chats } from './chats.ts';
import { type Edits, readEdits } from './edits.ts';
import { readEvent } from './events.ts';
import { isOfApp } from './files.ts';
import { type DatabaseRow as Row, isSet, numberOf } from '../kit/rows/database-row.ts';
import { bytesOf, self, readTime } from './format.ts';
import type { ImessageOptions } from './options.ts';
import type { People } from './people.ts';
import { reactionsNow } from './reactions.ts';

/** What a row needs to be read. */
export interface Place {
  readonly path: string;
  readonly workspace: string;
  readonly options: ImessageOptions;
  readonly people: People;
  readonly chats: Chats;
  readonly notes: RowNotes;
  readonly counts: CountedProblems;
  fileOf(row: Row): Promise<Attachment>;
}

/** A row, and the rows of others that belong to it. */
export interface MessageRow {
  readonly row: Row;
  /** Where it is: a chat of which it is a message, or was until it was deleted. */
  readonly conversation: string;
  readonly isGroup: boolean;
  readonly isDeleted: boolean;
  readonly files: readonly Row[];
  readonly reactions: readonly Row[];
}

export const notMigrated = 'imessage-not-migrated';

/** Kinds of rows that are messages of their own; of the others none is known. */
const [sticker, placedSticker] = [1000, 2007];
const plainKinds: ReadonlySet<number> = new Set([0, 2, 3, sticker, placedSticker]);

export async function readMessage(found: MessageRow, place: Place, into: Entry[]): Promise<void> {
  const { row, conversation } = found;
  const location = { path: place.path, pointer: `/message/${row.rowid}` };
  const reject = (code: string, reason: string) => into.push(invalidEntry(code, reason, location, conversation));
  const id = asString(row.guid);
  const time = readTime(row.date);
  if (id === undefined) return void reject('missing-id', 'Expected a guid, found none');
  if (!time) return void reject('imessage-bad-time', `Expected a time as "date", found ${describe(String(row.date))}`);
  const author = readAuthor(found, place.people);
  const notSent = explainNotSent(row);
  if (notSent !== undefined && place.options.notSent === 'skip')
    return void place.counts.add(notMigrated, `messages that were ${notSent}`);
  const record = newMessage({
    origin: { source: 'imessage', workspace: place.workspace, conversation, id },
    sortKey: rowSortKey(time.nanoseconds, numberOf(row.rowid) ?? 0),
    sentAtMs: time.atMs,
    text: '',
  });
  const edits = readEdits(bytesOf(row.message_summary_info));
  const body = findBody(row, edits);
  if (typeof body === 'string') return void reject('imessage-bad-text', body);
  const gathered: Gathered = { mentions: [], lost: {}, personOf: place.people.ofAddress };
  addWho(record, row, author, place.people);
  await addContent(record, { found, body, gathered, place });
  if (record.text === '' && record.attachments === undefined && !plainKinds.has(kindOf(row)))
    return void reject('imessage-unknown-kind', `Found the kind ${kindOf(row)} as "associated_message_type"`);
  addMarks(record, found, edits, place);
  addFlags(record, row, (code, reason) => place.notes.add(code, reason, location, into));
  addReactions(record, found, place);
  if (gathered.mentions.length > 0) record.mentions = gathered.mentions;
  if (hasMembers(gathered.lost)) record.lost = gathered.lost;
  into.push(recordEntry(record, location));
}

/** In a conversation of two whoever is not oneself is the other. */
function readAuthor({ row, conversation, isGroup }: MessageRow, people: People): string | undefined {
  if (isSet(row.is_from_me)) return self;
  return people.ofHandle(row.handle_id) ?? (isGroup ? undefined : conversation);
}

/** Says why others do not have a message of one's own. `is_sent` is 0 for events, too, and an older database lacks it. */
function explainNotSent(row: Row): string | undefined {
  if (!isSet(row.is_from_me)) return undefined;
  if (isSet(row.error)) return 'not delivered';
  if (isSet(row.item_type) || numberOf(row.is_sent) !== 0 || isSet(row.date_delivered)) return undefined;
  return isSet(row.schedule_type) ? 'to be sent later' : 'not sent yet';
}

const kindOf = (row: Row): number => numberOf(row.associated_message_type) ?? 0;

/** @returns why it cannot be read, as text. */
function findBody(row: Row, edits: Edits): Body | string {
  if (isSet(row.isTooLarge)) return 'The text is larger than any message';
  const text = asString(row.text);
  const archive = bytesOf(row.attributedBody);
  try {
    if (archive !== undefined) return readBody(archive);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (text === undefined) return `Cannot read "attributedBody": ${error.message}`;
  }
  if (text !== undefined) return plainBody(text);
  return edits.latest.flatMap((part, index) => (index === 0 ? part : [...plainBody('\n'), ...part]));
}

function addWho(record: NewMessage, row: Row, author: string | undefined, people: People): void {
  const event = readEvent(row, author, people);
  if (!event) {
    if (author !== undefined) record.author = author;
    return;
  }
  record.systemEvent = event.event;
  record.text = event.text;
  if (author !== undefined) addCustom(record, { by: author });
}

interface Content {
  readonly found: MessageRow;
  readonly body: Body;
  readonly gathered: Gathered;
  readonly place: Place;
}

async function addContent(record: NewMessage, { found, body, gathered, place }: Content): Promise<void> {
  const { row, files } = found;
  const app = asString(row.balloon_bundle_id)?.split(':').at(-1);
  const words = writeMarkdown(body, gathered);
  const text = app === undefined ? words : words.replaceAll('\ufffd', '').trim();
  const subject = asString(row.subject);
  const lines = [record.text, subject === undefined ? '' : `**${subject}**`, text].filter((line) => line !== '');
  record.text = lines.join('\n');
  if (record.text !== '' || plainKinds.has(kindOf(row)))
    addApp(record, { app, hasPayload: isSet(row.payload_data), gathered });
  const attachments: Attachment[] = [];
  for (const file of files) if (!isOfApp(file)) attachments.push(await place.fileOf(file));
  if (attachments.length > 0) record.attachments = attachments;
}

const previews = 'com.apple.messages.URLBalloonProvider';

const apps: Readonly<Record<string, string>> = {
  'com.apple.Handwriting.HandwritingProvider': 'Handwritten message',
  'com.apple.DigitalTouchBalloonProvider': 'Digital Touch',
  'com.apple.PassbookUIService.PeerPaymentMessagesExtension': 'Apple Pay',
  'com.apple.ActivityMessagesApp.MessagesExtension': 'Fitness',
  'com.apple.mobileslideshow.PhotosMessagesApp': 'Photos',
  'com.apple.SafetyMonitorApp.SafetyMonitorMessages': 'Check In',
  'com.apple.findmy.FindMyMessagesApp': 'Find My',
  'com.apple.messages.Polls': 'Poll',
};

interface AppPart {
  readonly app: string | undefined;
  readonly hasPayload: boolean;
  readonly gathered: Gathered;
}

/** The drawings, games and payments of apps are in archives of their own. */
function addApp(record: NewMessage, { app, hasPayload, gathered }: AppPart): void {
  if (app === undefined || app === previews) {
    if (hasPayload) gathered.lost.previews = 1;
    return;
  }
  gathered.lost.appData = 1;
  addCustom(record, { app });
  if (record.text === '') record.text = Object.hasOwn(apps, app) ? apps[app]! : `Message of the app ${app}`;
}

function addMarks(record: NewMessage, found: MessageRow, edits: Edits, { counts }: Place): void {
  const { row } = found;
  const target = targetOf(row);
  const thread = asString(row.thread_originator_guid);
  if (thread !== undefined) record.quoteOf = thread;
  else if (target !== undefined) record.quoteOf = target;
  if (found.isDeleted || edits.isUnsent) record.isDeleted = true;
  else if (isSet(row.date_edited)) {
    const editedAtMs = readTime(row.date_edited)?.atMs;
    record.edited = editedAtMs === undefined ? {} : { atMs: editedAtMs };
  }
  if (edits.unsentCount > 0 && !edits.isUnsent) addCustom(record, { unsentParts: edits.unsentCount });
  counts.add(notMigrated, 'earlier versions of edited messages', edits.earlierCount);
  if (isSet(row.date_read)) counts.add(notMigrated, 'times at which messages were read');
  if (isSet(row.date_delivered)) counts.add(notMigrated, 'times at which messages were delivered');
}

/** Ids are 36 characters; what is before them says which part is meant. */
function targetOf(row: Row): string | undefined {
  const named = asString(row.associated_message_guid);
  return named === undefined || named === '' ? undefined : (/^(?:p:\d+\/|bp:)?(.+)$/s.exec(named)?.[1] ?? undefined);
}

function addFlags(record: NewMessage, row: Row, note: (code: string, reason: string) => void): void {
  const service = asString(row.service);
  const effect = asString(row.expressive_send_style_id)?.split('.').at(-1);
  if (service !== undefined && service !== 'iMessage') addCustom(record, { service });
  if (effect !== undefined) addCustom(record, { effect });
  if (!plainKinds.has(kindOf(row))) addCustom(record, { associatedType: kindOf(row) });
  if (isSet(row.is_spam)) {
    addCustom(record, { spam: true });
    note('imessage-spam', 'The message is marked as spam');
  }
  if (isSet(row.is_corrupt)) {
    addCustom(record, { corrupt: true });
    note('imessage-corrupt', 'The message is marked as corrupt');
  }
  const notSent = explainNotSent(row);
  if (notSent === undefined) return;
  addCustom(record, isSet(row.error) ? { error: numberOf(row.error) ?? 1 } : { unsent: notSent });
  note('imessage-not-sent', `The message was ${notSent}${isSet(row.error) ? `: error ${String(row.error)}` : ''}`);
}

function addReactions(record: NewMessage, found: MessageRow, { people, counts }: Place): void {
  const { reactions: rows, isGroup, conversation, row } = found;
  const editedMs = readTime(row.date_edited)?.atMs ?? 0;
  const retractedMs = readTime(row.date_retracted)?.atMs ?? 0;
  const other = isGroup ? undefined : conversation;
  const now = reactionsNow(rows, (handle) => people.ofHandle(handle) ?? other);
  if (now.reactions.length > 0) record.reactions = [...now.reactions];
  counts.add(notMigrated, 'reactions without their emoji', now.unknownCount);
  counts.add(notMigrated, 'votes in polls', now.voteCount);
  const markedAtMs = Math.max(now.lastMs, editedMs, retractedMs);
  if (markedAtMs > 0) record.version = { markedAtMs };
}

function addCustom(record: NewMessage, facts: NonNullable<MessageRecord['custom']>): void {
  record.custom = { ...record.custom, ...facts };
}
