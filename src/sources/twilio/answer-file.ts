import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import { problemEntry, recordEntry, invalidEntry, locationInside } from '../kit/entries.ts';
import type { LocalFiles } from '../kit/files/local-files.ts';
import { asArray, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { AnswerLayout } from '../kit/rows/answer-layout.ts';
import { beginsWithLatest } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { readJsonRows } from '../kit/rows/json-rows.ts';
import { unforeseen } from '../kit/rows/row-boundary.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { addUnreadInside } from '../kit/rows/rows-inside.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { Directory } from './directory.ts';
import { inSnakeCase, type TwilioKind, recogniseTwilio, twilioLists, type TwilioMessage } from './format.ts';
import { readMessage } from './message.ts';
import type { AnswerPages } from './pages.ts';
import { isSms, readSms, type TwilioSms } from './sms.ts';

export type Layout = AnswerLayout<TwilioKind>;
type Row = Untrusted<Record<string, unknown>>;

/** State shared by all files of an export. */
export interface ExportContext {
  readonly input: ExportInput;
  readonly workspace: string;
  /** Facts from lists of people, participants and conversations. */
  readonly directory: Directory;
  readonly counts: CountedProblems;
  readonly pages: AnswerPages;
  readonly files: LocalFiles;
  /** Paths of files that were saved next to the answers, by the sid of the media. */
  readonly media: ReadonlyMap<string, string>;
}

const codes = ['profile-detail-not-migrated', 'twilio-template-text', 'twilio-not-migrated'] as const;
export const newCounts = () => new CountedProblems(...codes);

/** Takes from the lists of a file what the rows of others depend on. Faults are reported when its rows are read. */
export async function learnFrom(path: string, { at, kinds }: Layout, directory: Directory, input: ExportInput) {
  if (!kinds.has('members') && !kinds.has('people') && !kinds.has('media')) return;
  for await (const rows of readJsonRows(input.open(path), path, at)) {
    for (const found of rows) {
      try {
        const row = asObject<Row>(found.value);
        if (row) learnRow(inSnakeCase<Row>(row), found.fault ? undefined : found.parentKey, directory);
      } catch (error) {
        unforeseen(error);
      }
    }
  }
}

function learnRow(row: Row, parentKey: string | undefined, directory: Directory): void {
  const kind = kindIn(row, parentKey);
  if (kind === 'people') directory.learnPerson(row);
  else if (kind === 'members') directory.learnMember(row);
  else if (kind === 'media') directory.learnMedia(row);
  else if (kind === 'conversations')
    for (const member of [...asArray(row.participants), ...asArray(row.members)])
      directory.learnMember({ conversation_sid: row.sid, ...inSnakeCase<Row>(asObject<Row>(member) ?? {}) });
}

const kindIn = (row: Row, parentKey = ''): TwilioKind | 'messages' | undefined =>
  twilioLists[parentKey] ?? recogniseTwilio((key) => key in row) ?? kindOfEvent(row);

/** Kind of a row of an event, whose fields were renamed. */
function kindOfEvent(row: Row): TwilioKind | 'messages' | undefined {
  if (!('event_type' in row)) return undefined;
  const sid = asString(row.sid) ?? '';
  if (sid.startsWith('IM')) return 'messages';
  if (sid.startsWith('MB')) return 'members';
  return sid.startsWith('CH') ? 'conversations' : undefined;
}

const sentTime = /"date_?[sS]ent"\s{0,9}:\s{0,9}"([^"]{10,40})"/;

/** The entries of one file. */
export async function* readAnswers(
  path: string,
  layout: Layout,
  context: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const hasMessages = layout.kinds.has('messages');
  const isNewestFirst = hasMessages && (await beginsWithLatest(context.input, path, sentTime));
  const file = new AnswerFile(path, layout, isNewestFirst, context);
  if (hasMessages) await file.learn();
  const behind = new FieldsBehind();
  yield* readJsonEntries(behind.watch(context.input), path, layout.at, file);
  if (layout.at.layout === 'list') yield await context.pages.missingAround(path, behind);
}

class AnswerFile implements JsonFile {
  readonly #path: string;
  readonly #layout: Layout;
  readonly #context: ExportContext;
  /** A file of messages is read for itself. */
  readonly #counts: CountedProblems;
  readonly #directory: Directory;
  readonly #notes = new RowNotes();
  readonly #hasMessages: boolean;
  readonly #isNewestFirst: boolean;
  #row = 0;

  /** @param isNewestFirst Whether it begins with the latest text message, as answers of the API do. */
  constructor(path: string, layout: Layout, isNewestFirst: boolean, context: ExportContext) {
    this.#isNewestFirst = isNewestFirst;
    this.#path = path;
    this.#layout = layout;
    this.#context = context;
    this.#hasMessages = layout.kinds.has('messages');
    this.#counts = this.#hasMessages ? newCounts() : context.counts;
    this.#directory = this.#hasMessages ? new Directory(this.#counts, context.directory) : context.directory;
  }

  learn = (): Promise<void> => learnFrom(this.#path, this.#layout, this.#directory, this.#context.input);

  add(found: GoodRow, into: Entry[]): Promise<void> | undefined {
    const { value, parentKey, location } = found;
    const object = asObject<Row>(value);
    const row = object && inSnakeCase<Row>(object);
    const kind = row ? kindIn(row, parentKey) : twilioLists[parentKey ?? ''];
    if (kind === undefined && parentKey !== undefined) {
      addUnreadInside(found, (has) => recogniseTwilio(has) === 'messages', into);
      return undefined;
    }
    if (row === undefined || kind === undefined) {
      this.#fault('not-an-object', `Expected a row of Twilio, found ${wordFor(value)}`, location, into);
      return undefined;
    }
    if (kind === 'people') this.#directory.addPerson(row, location, into);
    else if (kind === 'members') this.#addMember(row, location, into);
    else if (kind === 'conversations') return this.#addConversation(row, location, into);
    else if (kind === 'messages') return this.#addMessage(row, location, into);
    return undefined;
  }

  /** Events come one by one: the conversation, which is described first, does not know its participants yet. */
  #addMember(row: Row, location: Location, into: Entry[]): void {
    if ('event_type' in row && !this.#layout.kinds.has('members'))
      this.#counts.add('twilio-not-migrated', 'participants of events');
    this.#directory.addMember(row, location, into);
  }

  /** A program that saved the answers may have put rows of a conversation into it. */
  async #addConversation(row: Row, location: Location, into: Entry[]): Promise<void> {
    this.#directory.addConversation(row, location, into);
    for (const [key, list] of Object.entries(row)) {
      const kind = twilioLists[key];
      if (kind === undefined) continue;
      for (const [index, value] of asArray(list).entries()) {
        const inner = { conversation_sid: row.sid, ...inSnakeCase<Row>(asObject<Row>(value) ?? {}) };
        const place = locationInside(location, `/${key}/${index}`);
        if (kind === 'messages') await this.#addMessage(inner, place, into);
        else if (kind === 'members') this.#directory.addMember(inner, place, into);
      }
    }
  }

  #addMessage(row: Untrusted<TwilioMessage>, location: Location, into: Entry[]): Promise<void> | undefined {
    this.#row += 1;
    const { workspace } = this.#context;
    const sortKey = rowSortKey(0, this.#row, this.#isNewestFirst);
    if (isSms(row)) return this.#addSms(row, sortKey, location, into);
    const { identityOf } = this.#directory;
    const read = readMessage(row, { workspace, sortKey, identityOf });
    if ('code' in read) {
      into.push(invalidEntry(read.code, read.reason, location, asString(row.conversation_sid)));
      return undefined;
    }
    if (asObject(row.delivery)) this.#counts.add('twilio-not-migrated', 'sums of delivery receipts');
    if (read.text === '' && read.custom?.template !== undefined)
      this.#notes.add('twilio-template-text', 'The text is in a template, which no answer has', location, into);
    return this.#push(read, location, into);
  }

  #addSms(row: Untrusted<TwilioSms>, sortKey: string, location: Location, into: Entry[]): Promise<void> | undefined {
    const { workspace } = this.#context;
    const read = readSms(row, { workspace, sortKey, files: this.#directory.mediaOf(row.sid) });
    if ('code' in read) return void into.push(invalidEntry(read.code, read.reason, location));
    this.#directory.addPair(read.pair, location, into);
    return this.#push(read.record, location, into);
  }

  #push(record: NewMessage, location: Location, into: Entry[]): Promise<void> | undefined {
    into.push(recordEntry(record, location));
    return record.attachments?.some(({ id = '' }) => this.#context.media.has(id)) ? this.#lookUp(record) : undefined;
  }

  async #lookUp(record: NewMessage): Promise<void> {
    const { files, media } = this.#context;
    record.attachments = await Promise.all(
      record.attachments!.map((file) => {
        const path = media.get(file.id ?? '');
        return path === undefined ? file : files.attachment({ ...file, path });
      }),
    );
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    if (fault.scope !== 'no-row') this.#fault(fault.code, fault.reason, location, into);
  }

  #fault(code: string, reason: string, location: Location, into: Entry[]): void {
    into.push(this.#hasMessages ? invalidEntry(code, reason, location) : problemEntry(code, reason, location));
  }

  end(): readonly Entry[] {
    return [...this.#counts.ended(this.#path), ...this.#notes.ended(this.#path)];
  }
}
