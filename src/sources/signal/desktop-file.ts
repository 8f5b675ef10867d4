import { hasMembers } from '../../lib/maps/objects.ts';
import type { Entry } from '../../model/entry.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { Seen } from '../kit/described.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import type { GoodRow, JsonFile } from '../kit/rows/json-entries.ts';
import { quoted } from '../kit/text/markdown.ts';
import { asArray, asCount, asObject, asString, asWord, describe, wordFor } from '../kit/narrow.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { contactText, isUnsent, kindOfFile, readReactions } from './content.ts';
import { type Fields, asFields, msOf, self, uuidOf } from './format.ts';
import type { Place } from './options.ts';
import { type Gathered, writeMarkdown } from './text.ts';

/** `Ann Kai (+4670…).json`: how sigtop calls the file of a chat. */
const named = /(?:^|\/)([^/]{1,200}?) ?\([^/()]{4,60}\)\.json$/;

/** Fields of event rows, kept unchanged. */
const details = [
  'expireTimer',
  'expirationTimerUpdate',
  'profileChange',
  'groupV2Change',
  'verifiedChanged',
  'verified',
  'key_changed',
  'changedId',
  'callHistoryDetails',
];

/** Messages of Desktop's database, which stand for themselves. */
export class DesktopFile implements JsonFile {
  readonly #path: string;
  readonly #workspace: string;
  readonly #me: string;
  readonly #conversations = new Seen();
  readonly #people = new Seen();
  readonly #identity = new RowIdentity();
  #rows = 0;

  constructor({ path, workspace, options }: Place) {
    this.#path = path;
    this.#workspace = workspace;
    this.#me = options.me || 'Me';
  }

  add({ value, location }: GoodRow, into: Entry[]): undefined {
    const row = asObject<Fields>(value);
    const conversation = asString(row?.conversationId);
    if (!row) into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
    else if (conversation === undefined) {
      into.push(
        invalidEntry('signal-no-chat', `Expected "conversationId", found ${describe(row.conversationId)}`, location),
      );
    } else this.#addRow(row, conversation, location, into);
  }

  end(): readonly Entry[] {
    return [];
  }

  #addRow(row: Fields, conversation: string, location: GoodRow['location'], into: Entry[]): void {
    const sentAtMs = msOf(row.sent_at) ?? msOf(row.timestamp) ?? msOf(row.received_at_ms);
    if (sentAtMs === undefined) {
      const reason = `Expected milliseconds as "sent_at", found ${describe(row.sent_at)}`;
      into.push(invalidEntry('signal-bad-time', reason, location, conversation));
      return;
    }
    if (this.#conversations.add(conversation)) {
      const name = named.exec(this.#path)?.[1] ?? conversation;
      into.push(recordEntry({ kind: 'conversation', id: conversation, type: 'private', name, members: [] }, location));
    }
    const author = readAuthor(row);
    const gathered: Gathered = { mentions: [], lost: {}, personOf: (aci) => ({ id: aci, name: undefined }) };
    const record = newMessage({
      origin: {
        source: 'signal',
        workspace: this.#workspace,
        conversation,
        id: this.#idOf(row, conversation, sentAtMs, author),
      },
      sortKey: rowSortKey(0, ++this.#rows),
      sentAtMs,
      text: '',
    });
    const isSaid = row.type === 'incoming' || row.type === 'outgoing';
    if (author === self && this.#people.add(self))
      into.push(recordEntry({ kind: 'user', id: self, name: this.#me }, location));
    if (author !== undefined && (isSaid || row.type === 'call-history')) record.author = author;
    if (row.type === 'call-history') addCall(row, record);
    else if (!isSaid) record.systemEvent = asString(row.type) ?? 'unknown';
    else if (
      isUnsent(Object.values(asFields(row.sendStateByConversationId)).map((state) => asWord(asFields(state).status)))
    )
      record.systemEvent = 'failed';
    addContent(row, record, gathered);
    this.#addMarks(row, record, gathered);
    into.push(recordEntry(record, location));
  }

  /** Others quote a message by when it was sent. */
  #idOf(row: Fields, conversation: string, sentAtMs: number, author: string | undefined): string {
    const isSaid = row.type === 'incoming' || row.type === 'outgoing';
    const own = asString(row.id);
    if (!isSaid && own !== undefined) return own;
    const made = this.#identity.idOf([
      conversation,
      String(sentAtMs),
      isSaid ? undefined : `${asWord(row.type)} ${author}`,
    ]);
    const count = made.split('-')[1];
    return `${sentAtMs}${count === undefined ? '' : `-${count}`}`;
  }

  #addMarks(row: Fields, record: NewMessage, { mentions, lost }: Gathered): void {
    const editedAtMs = msOf(row.editMessageTimestamp);
    if (asArray(row.editHistory).length > 0) record.edited = editedAtMs === undefined ? {} : { atMs: editedAtMs };
    if (row.deletedForEveryone === true) record.isDeleted = true;
    // A reaction refers to its author by an entry of the address book, and nothing describes that entry.
    const reactions = readReactions(row.reactions, () => undefined);
    if (reactions.length > 0) record.reactions = reactions;
    if (mentions.length > 0) record.mentions = mentions;
    if (asArray(row.preview).length > 0) lost.previews = asArray(row.preview).length;
    if (hasMembers(lost)) record.lost = lost;
    for (const key of details)
      if (row[key] !== undefined && row[key] !== null) record.custom = { ...record.custom, [key]: row[key] as never };
  }
}

function readAuthor(row: Fields): string | undefined {
  if (row.type === 'outgoing') return self;
  return uuidOf(row.sourceServiceId) ?? uuidOf(row.sourceUuid) ?? asString(row.source);
}

function addContent(row: Fields, record: NewMessage, gathered: Gathered): void {
  const lines: string[] = [];
  const quote = asFields(row.quote);
  const target = msOf(quote.id);
  if (target !== undefined) record.quoteOf = String(target);
  else if (asString(quote.text) !== undefined) lines.push(`${quoted(asString(quote.text)!)}\n`);
  lines.push(writeMarkdown(asString(row.body) ?? '', row.bodyRanges, gathered));
  for (const contact of asArray(row.contact)) lines.push(contactText(contact));
  const sticker = asObject<Fields>(row.sticker);
  const files = asArray(row.attachments).map((value) => readAttachment(value));
  if (sticker) {
    lines.push(asString(sticker.emoji) ?? '');
    files.push(readAttachment(sticker.data, 'sticker'));
  }
  if (row.isViewOnce === true && files.length === 0) files.push({ name: 'view once', unavailable: 'not-in-export' });
  if (files.length > 0) record.attachments = files;
  record.text = lines.filter((line) => line !== '').join('\n');
  if (record.text !== '') return;
  if (record.systemEvent !== undefined) record.text = record.systemEvent.replaceAll('-', ' ');
  else if (record.call) record.text = 'Call';
}

/** The files themselves are exported otherwise, without a way back from the message. */
function readAttachment(value: unknown, sticker?: string): Attachment {
  const { fileName, contentType, size, flags } = asFields(value);
  const kind = sticker ?? kindOfFile(flags, contentType);
  const sizeBytes = asCount(size);
  return {
    name: asString(fileName) ?? kind,
    kind,
    mimeType: asString(contentType),
    ...(sizeBytes !== undefined && { sizeBytes }),
    unavailable: 'not-in-export',
  };
}

/** Until 2023 the row said what kind of call it was; now a table of its own does. */
function addCall(row: Fields, record: NewMessage): void {
  const { endedTime, acceptedTime } = asFields(row.callHistoryDetails);
  const endedAtMs = msOf(endedTime);
  record.call = { startedAtMs: msOf(acceptedTime) ?? record.sentAtMs, ...(endedAtMs !== undefined && { endedAtMs }) };
}
