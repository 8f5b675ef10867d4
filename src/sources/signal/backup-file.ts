import { hasMembers } from '../../lib/maps/objects.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import type { GoodRow, JsonFile } from '../kit/rows/json-entries.ts';
import { asArray, asObject, asString, describe, wordFor } from '../kit/narrow.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { type ContentContext, contents, isUnsent, readReactions } from './content.ts';
import { type NamedPointer, storedFiles } from './files.ts';
import { type Fields, asFields, messageId, msOf, ownValue } from './format.ts';
import type { Place } from './options.ts';
import { Recipients } from './recipients.ts';
import { readUpdate } from './updates.ts';

const kinds = Object.keys(contents);
/** Lines that are no part of any chat. */
const others: Readonly<Record<string, string>> = {
  stickerPack: 'packs of stickers',
  adHocCall: 'calls by link',
  notificationProfile: 'profiles of notifications',
  chatFolder: 'folders of chats',
};

/** `main.jsonl`, which stands for itself. */
export class BackupFile implements JsonFile {
  readonly #input: ExportInput;
  readonly #path: string;
  readonly #workspace: string;
  readonly #counts = new CountedProblems('signal-not-migrated', 'profile-detail-not-migrated');
  readonly #recipients: Recipients;
  readonly #identity = new RowIdentity();
  #file: ReturnType<typeof storedFiles> | undefined;
  /** When the export was made, by its first line. */
  #exportedAtMs: number | undefined;

  constructor({ input, path, workspace, options }: Place) {
    this.#input = input;
    this.#path = path;
    this.#workspace = workspace;
    this.#recipients = new Recipients(this.#counts, options.me);
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    const frame = asObject<Fields>(value);
    this.#exportedAtMs ??= msOf(frame?.backupTimeMs);
    const item = asObject<Fields>(frame?.chatItem);
    if (item) return this.#addItem(item, location, into);
    if (frame) this.#addOther(frame, location, into);
    else into.push(invalidEntry('not-an-object', `Expected a line of the export, found ${wordFor(value)}`, location));
    return undefined;
  }

  end(): readonly Entry[] {
    return this.#counts.ended(this.#path);
  }

  #addOther(frame: Fields, location: Location, into: Entry[]): void {
    const [account, recipient, chat] = [frame.account, frame.recipient, frame.chat].map((part) =>
      asObject<Fields>(part),
    );
    const other = Object.keys(frame)
      .map((key) => ownValue(others, key))
      .find(Boolean);
    if (account) this.#recipients.addAccount(account, location, into);
    else if (recipient) this.#recipients.add(recipient, location, into);
    else if (chat) this.#recipients.addChat(chat, location, into);
    else if (other !== undefined) this.#counts.add('signal-not-migrated', other);
    else if (frame.backupTimeMs === undefined) into.push(unknownLine(frame, location));
  }

  #addItem(item: Fields, location: Location, into: Entry[]): Promise<void> | undefined {
    const conversation = this.#recipients.conversationOf(item.chatId);
    if (conversation === undefined) {
      into.push(
        invalidEntry('signal-no-chat', `Expected a chat as "chatId", found ${describe(item.chatId)}`, location),
      );
      return undefined;
    }
    const [first] = asArray(item.revisions);
    const edited = msOf(item.dateSent);
    const sentAtMs = msOf(asFields(first).dateSent) ?? edited;
    if (sentAtMs === undefined) {
      const reason = `Expected milliseconds as "dateSent", found ${describe(item.dateSent)}`;
      into.push(invalidEntry('signal-bad-time', reason, location, conversation));
      return undefined;
    }
    const author = this.#recipients.personOf(item.authorId);
    const record = newMessage({
      origin: { source: 'signal', workspace: this.#workspace, conversation, id: messageId(sentAtMs, author) },
      sortKey: rowSortKey(0, location.line!),
      sentAtMs,
      text: '',
    });
    if (first !== undefined && edited !== undefined) record.edited = { atMs: edited };
    addMarks(item, record);
    if (this.#exportedAtMs !== undefined) record.version = { exportedAtMs: this.#exportedAtMs };
    if (item.outgoing !== undefined) {
      const marks = asArray(asFields(item.outgoing).sendStatus).map(asFields);
      this.#counts.add('signal-not-migrated', 'marks of delivery and reading', marks.length);
      // { "recipientId": "3", "timestamp": "…", "failed": { "reason": "NETWORK" } }
      if (isUnsent(marks.map((mark) => Object.keys(mark).find((key) => typeof mark[key] === 'object') ?? '')))
        record.systemEvent = 'failed';
    }
    if (item.updateMessage !== undefined) {
      this.#addUpdate(item, record, author, location, into);
      return undefined;
    }
    if (author !== undefined) record.author = author;
    return this.#addContent(item, record, location, into);
  }

  #addUpdate(item: Fields, record: NewMessage, by: string | undefined, location: Location, into: Entry[]): void {
    const { byAccount } = this.#recipients;
    const author = this.#recipients.nameOf(by) ?? 'Somebody';
    const update = readUpdate(item.updateMessage, record.sentAtMs, { byAccount, author });
    if (update === undefined) {
      into.push(unknownItem(item, location, record.origin.conversation));
      return;
    }
    const cells = [record.origin.conversation, String(record.sentAtMs), by, update.event];
    record.origin = { ...record.origin, id: this.#identity.idOf(cells) };
    record.text = update.text;
    if (update.call) {
      record.call = update.call;
      if (by !== undefined) record.author = by;
    } else {
      record.systemEvent = update.event;
      if (by !== undefined) record.custom = { ...record.custom, by };
      if (update.details) record.custom = { ...record.custom, ...update.details };
    }
    into.push(recordEntry(record, location));
  }

  #addContent(item: Fields, record: NewMessage, location: Location, into: Entry[]): Promise<void> | undefined {
    const kind = item.standardMessage !== undefined ? 'standardMessage' : kinds.find((key) => item[key] !== undefined);
    const fields = kind === undefined ? undefined : asObject<Fields>(item[kind]);
    if (kind === undefined || !fields) {
      into.push(unknownItem(item, location, record.origin.conversation));
      return undefined;
    }
    const context: ContentContext = {
      mentions: [],
      lost: {},
      personOf: this.#recipients.byAccount,
      recipient: this.#recipients.personOf,
    };
    const { lines, files } = contents[kind]!(fields, record, context);
    record.text = lines.length === 1 ? lines[0]! : lines.filter((line) => line !== '').join('\n');
    const reactions = readReactions(fields.reactions, ({ authorId }) => this.#recipients.personOf(authorId));
    if (reactions.length > 0) record.reactions = reactions;
    if (context.mentions.length > 0) record.mentions = context.mentions;
    if (hasMembers(context.lost)) record.lost = context.lost;
    into.push(recordEntry(record, location));
    return files.length === 0 ? undefined : this.#addFiles(record, files);
  }

  async #addFiles(record: NewMessage, files: readonly NamedPointer[]): Promise<void> {
    this.#file ??= storedFiles(this.#input, this.#path.slice(0, this.#path.lastIndexOf('/') + 1));
    const find = await this.#file;
    record.attachments = await Promise.all(files.map((file) => find(file)));
  }
}

function addMarks(item: Fields, record: NewMessage): void {
  if (asObject(item.pinDetails)) record.isPinned = true;
  const vanishes = asString(item.expiresInMs);
  if (item.sms === true) record.custom = { sms: true };
  if (vanishes !== undefined) record.custom = { ...record.custom, expiresInMs: vanishes };
}

const known = new Set<string>([
  'chatId',
  'authorId',
  'dateSent',
  'incoming',
  'outgoing',
  'directionless',
  'revisions',
  'sms',
]);

function unknownItem(item: object, location: Location, conversation: string): Entry {
  const keys = Object.keys(item).filter((key) => !known.has(key));
  const found =
    keys.length === 0
      ? 'nothing'
      : keys
          .slice(0, 3)
          .map((key) => describe(key))
          .join(', ');
  return invalidEntry(
    'signal-unknown-item',
    `Expected the content of the message, found ${found}`,
    location,
    conversation,
  );
}

const unknownLine = (frame: object, location: Location): Entry => {
  const [key] = Object.keys(frame);
  return problemEntry(
    'signal-unknown-line',
    `Expected a message, a person or a chat, found ${describe(key)}`,
    location,
  );
};
