import type { ExportInput } from '../../io/input/export-input.ts';
import { countOf } from '../../lib/text/count.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { UserRecord } from '../../model/records.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { Described } from '../kit/described.ts';
import { partialEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { isOfChat, reasonForPlace, UnreadChatLists } from '../kit/rows/chat-rows.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import type { GoodRow } from '../kit/rows/json-entries.ts';
import { type FoundRow, readJsonRows } from '../kit/rows/json-rows.ts';
import { localFiles, type LocalFiles } from '../kit/files/local-files.ts';
import { asObject, asString, asWord, wordFor } from '../kit/narrow.ts';
import { invalidRow, unforeseen } from '../kit/rows/row-boundary.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { compareWithRow } from '../kit/rows/compare-with-row.ts';
import { idOf } from './event-id.ts';
import { FilesBeside } from './files.ts';
import { contentOf, type Event, type MatrixEvent, redactedBy, eventTime } from './format.ts';
import { type Layout, lists, stateLists, synapsePath } from './layout.ts';
import { type EventPlace, readMessage } from './message.ts';
import { Relations } from './relations.ts';
import { type Role, roleOf } from './roles.ts';
import { Directory, directsIn } from './rooms.ts';
import { isAbout } from './system.ts';
import { ThreadCounts } from './threads.ts';

/** matrix-archive writes a list behind another into the same file. */
const eventsOptions = { takesArraysBehind: true };

/** State shared by all files of an export. */
export interface ExportContext {
  readonly input: ExportInput;
  readonly workspace: string;
  /** The room of files that do not say it. */
  readonly room: string | undefined;
  /** Start tokens of `/messages` answers, as the server writes them. */
  readonly begins: ReadonlySet<string>;
  /** Facts from files of state and of accounts. */
  readonly directory: Directory;
}

const newCounts = () => new CountedProblems('matrix-earlier-version', 'matrix-no-message', 'matrix-not-migrated');

/** Up to here the rows of a file are kept for the second pass, which is as fast as reading them once. */
const keptBytesMax = 8 * 1024 * 1024;

/** The entries of a file of events, which stands for itself: what they say of each other is gathered in a first pass. */
export async function* readEvents(
  path: string,
  layout: Layout,
  context: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const { input } = context;
  const file = await EventFile.open(path, layout, context);
  let byteCount = 0;
  async function* counted() {
    for await (const chunk of input.open(path)) {
      byteCount += chunk.length;
      yield chunk;
    }
  }
  const kept: (readonly FoundRow[])[] = [];
  const behind = new FieldsBehind();
  const unread = new UnreadChatLists();
  const options = { ...eventsOptions, unread };
  for await (const rows of readJsonRows(behind.watch({ open: counted }).open(path), path, layout.at, options)) {
    for (const row of rows) noteRow(file, row);
    if (byteCount <= keptBytesMax) kept.push(rows);
    else kept.length = 0;
  }
  const again = () => readJsonRows(input.open(path), path, layout.at, eventsOptions);
  await file.noteAccount(layout.isSync);
  yield file.begin();
  for await (const rows of byteCount <= keptBytesMax ? kept : again()) {
    const into: Entry[] = [];
    for (const row of rows) {
      const begin = into.length;
      try {
        const waiting = file.add(row, into);
        if (waiting) await waiting;
        compareWithRow(row.value, row.location, into, begin);
      } catch (error) {
        invalidRow(error, { into, begin, location: row.location });
      }
    }
    yield into;
  }
  yield [...unread.take(path), ...file.end(), ...file.partial(behind)];
}

/** An event that cannot be understood is an invalid row in the second pass, if it is one of the timeline. */
function noteRow(file: EventFile, row: FoundRow): void {
  try {
    file.note(row);
  } catch (error) {
    unforeseen(error);
  }
}

/** An event with its role, and the room it was sent to. */
interface Placed {
  readonly event: Event;
  readonly role: Role;
  readonly room: string | undefined;
  /** Whether it is state that was valid at that time, and no row of the timeline. */
  readonly isState: boolean;
}

class EventFile {
  readonly #path: string;
  readonly #layout: Layout;
  readonly #context: ExportContext;
  readonly #counts = newCounts();
  readonly #threads = new ThreadCounts();
  /** Rooms whose timeline is cut. */
  readonly #limited: string[] = [];
  #answer: ReadonlyMap<string, unknown> | undefined;
  /** People by the names of their messages, and those of the row at hand. */
  readonly #described = new Described();
  readonly #people: UserRecord[] = [];
  readonly #relations = new Relations(this.#counts);
  readonly #directory: Directory;
  readonly #folderRoom: string | undefined;
  readonly #place: { -readonly [Key in keyof EventPlace]: EventPlace[Key] };
  readonly #beside: FilesBeside;
  readonly #files: LocalFiles;
  /** Whether later rows are older, by how many. */
  #falling = 0;
  #lastMs = 0;
  #row = 0;
  #hasHeader = false;

  static async open(path: string, layout: Layout, context: ExportContext): Promise<EventFile> {
    const base = path.slice(0, path.lastIndexOf('/') + 1);
    const beside = new FilesBeside(await context.input.paths(), base);
    return new EventFile(path, layout, context, beside, await localFiles(context.input, base));
  }

  constructor(path: string, layout: Layout, context: ExportContext, beside: FilesBeside, files: LocalFiles) {
    this.#path = path;
    this.#layout = layout;
    this.#context = context;
    this.#directory = new Directory(context.directory);
    this.#folderRoom = synapsePath(path)?.room;
    this.#beside = beside;
    this.#files = files;
    const noEvent = { room: undefined, id: undefined, sortKey: '' };
    this.#place = {
      workspace: context.workspace,
      relations: this.#relations,
      ...noEvent,
      nameOf: (id) => this.#directory.nameOf(id),
      isDirect: (room) => this.#directory.room(room).isDirect,
      describe: (person) => {
        if (this.#described.add(person) !== 'same') this.#people.push(person);
      },
      isPinned: (room, id) => this.#directory.room(room).pinned.has(id),
      count: (what) => this.#counts.add('matrix-not-migrated', what),
    };
  }

  /** Returns the event in a row; undefined if it is not an event, or belongs to a list that is not read. */
  #placeOf(row: FoundRow): Placed | undefined {
    if (row.fault) return undefined;
    const { value, location, parentKey } = row;
    const event = asObject<MatrixEvent>(value);
    if (event === undefined) return undefined;
    const sync = this.#layout.isSync ? syncPlace(location) : undefined;
    const list = sync?.list ?? parentKey;
    const isState = list !== undefined && stateLists.has(list);
    if (list !== undefined && !isState && !lists.has(list)) return undefined;
    const room = asString(event.room_id) ?? sync?.room ?? this.#context.room ?? this.#folderRoom;
    return { event, role: roleOf(event), room, isState };
  }

  #idOf({ event, room }: Placed): string | undefined {
    const own = asString(event.event_id);
    return own ?? idOf(event, room === undefined ? undefined : this.#directory.room(room).version);
  }

  /** First pass. */
  note(row: FoundRow): void {
    const placed = this.#placeOf(row);
    if (row.fault || placed === undefined) return;
    const { event, role, room, isState } = placed;
    if (role === 'state' && room !== undefined) this.#directory.noteState(event, room);
    if (typeof event.sender === 'string' && event.sender !== '') this.#directory.see(event.sender);
    if (role === 'state') for (const id of isAbout(event)) this.#directory.see(id);
    if (isState) return;
    this.#threads.note(event, this.#idOf(placed));
    if (role !== 'message' && role !== 'state') this.#relations.note(event, role, this.#idOf(placed));
    const atMs = eventTime(event);
    if (atMs !== undefined) this.#falling += Math.sign(this.#lastMs - atMs) * Number(this.#lastMs > 0);
    this.#lastMs = atMs ?? this.#lastMs;
    if (this.#layout.isAnswer) this.#answer ??= row.surroundings?.[0];
    const header =
      this.#hasHeader || this.#layout.at.layout !== 'list'
        ? undefined
        : row.surroundings?.find((around) => around.has('exported_by'));
    if (header !== undefined && room !== undefined) {
      this.#hasHeader = true;
      this.#directory.noteHeader(room, header);
    }
  }

  /** Notes which rooms are for two people. In an answer of `/sync`, this is next to the rooms. */
  async noteAccount(isSync: boolean): Promise<void> {
    if (!isSync) return;
    const at = { layout: 'list', pattern: ['account_data', 'events'] } as const;
    for await (const rows of readJsonRows(this.#context.input.open(this.#path), this.#path, at, eventsOptions)) {
      for (const { value } of rows) this.#directory.noteDirects(directsIn(value) ?? {});
    }
    const timelines = { layout: 'list', pattern: ['rooms', '*', '*'] } as const;
    for await (const rows of readJsonRows(this.#context.input.open(this.#path), this.#path, timelines)) {
      for (const { key, parentKey, value } of rows as readonly GoodRow[]) {
        const timeline = key === 'timeline' ? asObject<{ limited: boolean; prev_batch: string }>(value) : undefined;
        if (timeline?.limited === true) this.#limited.push(parentKey ?? '');
      }
    }
  }

  begin(): Entry[] {
    return [...this.#directory.records()].map((record) => recordEntry(record, { path: this.#path }));
  }

  /** Second pass. */
  add(row: FoundRow, into: Entry[]): Promise<void> | undefined {
    const { location, fault } = row;
    if (fault) {
      // An answer without rooms is one in which nothing happened.
      const isNothing = this.#layout.isSync && fault.code === 'json-no-list' && this.#row === 0;
      if (fault.scope !== 'no-row' && !isNothing) into.push(invalidEntry(fault.code, fault.reason, location));
      return undefined;
    }
    const value = asObject<MatrixEvent>(row.value);
    if (value?.type === undefined) {
      const found = value === undefined ? wordFor(row.value) : 'an object without "type"';
      if (row.parentKey === undefined || lists.has(row.parentKey))
        into.push(invalidEntry('not-an-object', `Expected an event, found ${found}`, location));
      return undefined;
    }
    const placed = this.#placeOf(row);
    if (placed === undefined && !this.#layout.isSync && isOfChat(Object.keys(value)))
      into.push(invalidEntry('not-an-object', reasonForPlace(location.pointer ?? ''), location));
    else if (placed === undefined) this.#countPersonal(location);
    if (placed === undefined || placed.isState) return undefined;
    this.#row += 1;
    const { event, role, room } = placed;
    if (role !== 'message' && role !== 'state') {
      this.#skip(placed);
      return undefined;
    }
    this.#place.id = this.#idOf(placed);
    this.#place.room = room;
    this.#place.sortKey = rowSortKey(0, this.#row, this.#isNewestFirst);
    const read = readMessage(event, role, this.#place);
    if ('code' in read) {
      into.push(invalidEntry(read.code, read.reason, location, room));
      return undefined;
    }
    for (const person of this.#people.splice(0)) into.push(recordEntry(person, location));
    into.push(recordEntry(read, location));
    return read.attachments?.length === 1 && !this.#beside.isEmpty ? this.#lookUp(read, event) : undefined;
  }

  /** Counts settings and current activity of people next to the events of a room. */
  #countPersonal(location: Location): void {
    const list = this.#layout.isSync ? syncPlace(location).list : '';
    if (list.endsWith('_state'))
      this.#counts.add('matrix-not-migrated', 'invitations into rooms, and requests to join');
    if (list === 'ephemeral' || list === 'account_data')
      this.#counts.add('matrix-not-migrated', 'read positions and other marks of people');
  }

  get #isNewestFirst(): boolean {
    return this.#falling === 0 ? this.#layout.isAnswer : this.#falling > 0;
  }

  /** Handles an event that is not a row of its own: the event that it belongs to reports it, or it is counted. */
  #skip(placed: Placed): void {
    const { event, role } = placed;
    const id = this.#idOf(placed);
    const isDeleted = id !== undefined && this.#relations.isDeleted(id);
    if (role === 'position') this.#counts.add('matrix-not-migrated', 'positions of live locations');
    else if (role === 'other')
      this.#counts.add('matrix-no-message', `events of the type "${asWord(event.type).slice(0, 80)}"`);
    else if (role === 'redaction' ? redactedBy(event) === undefined : Object.keys(contentOf(event)).length === 0)
      this.#counts.add('matrix-not-migrated', 'events that were deleted, and were no messages');
    else if (isDeleted && role !== 'edit')
      this.#counts.add('matrix-not-migrated', 'reactions and votes that were removed');
  }

  async #lookUp(record: NewMessage, event: Event): Promise<void> {
    const content = contentOf(event);
    const kind = event.type === 'm.sticker' ? 'm.sticker' : asWord(content.msgtype);
    const path = this.#beside.find(kind, content, record.sentAtMs);
    const [file] = record.attachments!;
    if (path === undefined || file === undefined) return;
    const { id, name, mimeType } = file;
    record.attachments = [await this.#files.attachment({ path, id, name, mimeType, kind })];
  }

  /**
   * Reports data that the file itself marks as missing.
   *
   * @param behind Fields after its events.
   */
  *partial(behind: FieldsBehind): Generator<Entry> {
    const location = { path: this.#path };
    const end = asString(this.#answer?.get('end') ?? behind.get('end'));
    if (this.#layout.isAnswer && end !== undefined && this.#row > 0 && !this.#context.begins.has(end))
      yield partialEntry(`"end" is "${end.slice(0, 80)}": the server has more, and no file begins there`, location);
    for (const room of this.#limited)
      yield partialEntry(`"limited" is true: the timeline of ${room.slice(0, 80)} has more before it`, location);
    const { threads, missing } = this.#threads.missing();
    if (missing > 0)
      yield partialEntry(
        `"m.thread" counts ${missing} more answers in ${countOf(threads, 'thread')}`,
        location,
        missing,
      );
  }

  end(): readonly Entry[] {
    const into: Entry[] = [];
    this.#relations.end(this.#path, into);
    this.#counts.end(this.#path, into);
    return into;
  }
}

/** Splits `/rooms/join/!r:example.com/timeline/events/3`. Entries of `ephemeral` or of an account are not events of the room. */
function syncPlace({ pointer = '' }: Location): { readonly room: string; readonly list: string } {
  const [, , , room = '', list = ''] = pointer.split('/');
  return { room: room.replaceAll('~1', '/').replaceAll('~0', '~'), list };
}
