import type { ExportInput } from '../../../io/input/export-input.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { NewMessage } from '../../../model/new-message.ts';
import type { ReadContext } from '../../source.ts';
import { inLists, invalidEntry, locationInside, problemEntry, readEntry, type RowProblem } from '../entries.ts';
import { arrange } from '../files/arrange.ts';
import { headOrNothing } from '../files/file-bytes.ts';
import { leftOut, type PathVerdict } from '../files/paths.ts';
import { readRowFiles, readSharedFiles } from '../files/read-files.ts';
import type { LastMessages } from '../last-messages.ts';
import { asArray, asObject, wordFor } from '../narrow.ts';
import { type AnswerLayout, type AnswerRows, findAnswerLayout } from './answer-layout.ts';
import type { CountedProblems } from './counted-problems.ts';
import { FieldsBehind } from './fields-behind.ts';
import { addInvalidRow, addProblemRow, type GoodRow, type JsonFile, readJsonEntries } from './json-entries.ts';
import { rowSortKey } from './row-identity.ts';
import { reasonForPlace } from './chat-rows.ts';
import { readInside } from './row-boundary.ts';
import { addUnreadInside } from './rows-inside.ts';

/** A row of an answer, before anybody looked at it. */
export type AnswerRow = Readonly<Record<string, unknown>>;

/** How saved answers of a service with lists of people, conversations and messages are read. */
export interface AnswerService<Kind extends string> {
  /** The key of the lists in answers, whatever is in them; or what is in the list of each key, that of messages first. */
  readonly list: string | Readonly<Record<string, Kind | 'messages'>>;
  /** The contents of a file, if the keys of its rows do not say it. A path with a reason is left out. */
  findLayout?(input: ExportInput, path: string): Promise<AnswerLayout<Kind> | LeftOutAnswer | undefined>;
  readonly kindOf: AnswerRows<Kind>['kindOf'];
  /** Why a file that is no answer, but known, means nothing: the schemas next to an export. */
  skipped?(path: string): string | undefined;
  /** Kinds of lists in the order in which they are read. */
  readonly order: readonly Kind[];
  /** Counts of what lists have and is not migrated; `newCounts` makes those of one file of messages. */
  readonly counts: CountedProblems;
  newCounts(): CountedProblems;
  /** Last messages, from lists of conversations. */
  readonly lastMessages: LastMessages;
  /** Time of a message in the text of a file, a number or ISO 8601 in its first group: shows whether a file begins with the latest one. Not for messages that their ids order. */
  readonly time?: RegExp;
  addListed(kind: Kind, row: AnswerRow, location: Location, into: Entry[]): void;
  /** @param sortKey The position of the row. @param around The row that it is inside of. */
  readMessage(row: AnswerRow, sortKey: string, counts: CountedProblems, around?: AnswerRow): NewMessage | RowProblem;
  /** The id by which `lastMessages` expects it, and its conversation. */
  idOf(row: AnswerRow): string | undefined;
  conversationOf(row: AnswerRow): string | undefined;
  /** For one file of messages: adds the people and the conversation that a row describes, before its message. */
  newDescriber?(counts: CountedProblems): (row: AnswerRow, location: Location, into: Entry[]) => void;
  /** The list of messages inside of rows of other kinds, which a describer sees before their messages. */
  readonly inside?: string;
  /** Says what is missing behind a page of a list, once its rows were read. */
  missingAfter?(input: ExportInput, path: string, behind: FieldsBehind): Promise<readonly Entry[]>;
  /** Says what else is missing, once all files of messages were read to their end. */
  missing?(): readonly Entry[];
}

/** A file that is no answer with rows: known and ignored, or one that should have had messages (`chat`). */
export type LeftOutAnswer = { readonly skip: string } | { readonly chat: string };

/** Reads lists first, then messages. Every path gets its `file` entry. */
export async function* readAnswers<Kind extends string>(
  exported: ExportInput,
  context: ReadContext,
  service: AnswerService<Kind>,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const findByLists = (input: ExportInput, path: string) =>
    findAnswerLayout(input, path, { lists: named(service), kindOf: service.kindOf });
  const { input, layouts, sorted } = await arrange(exported, {
    findLayout: service.findLayout ?? findByLists,
    verdict(layout, path): PathVerdict<Kind | 'messages'> {
      const skip = service.skipped?.(path);
      if (skip !== undefined) return { skip };
      if (layout === undefined || !('at' in layout)) return layout;
      return layout.kinds.has('messages') ? 'messages' : service.order.find((kind) => layout.kinds.has(kind));
    },
  });
  yield* inLists(leftOut(sorted));
  const readPage = async function* (path: string, file: JsonFile) {
    const behind = service.missingAfter && new FieldsBehind();
    const { at } = layouts.get(path) as AnswerLayout<Kind>;
    yield* readJsonEntries(behind?.watch(input) ?? input, path, at, file);
    if (behind) yield await service.missingAfter!(input, path, behind);
  };
  for (const kind of service.order) {
    const readList = (path: string) => readPage(path, new ListFile(path, kind, service));
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: readList });
  }
  const { lastMessages } = service;
  const readMessages = async function* (path: string) {
    const isNewestFirst = service.time !== undefined && (await beginsWithLatest(input, path, service.time));
    yield* readPage(path, new MessageFile(path, isNewestFirst, service));
  };
  const readRows = (path: string) => lastMessages.reading(readMessages(path));
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readRows });
  if (!sorted.of('messages').every(context.wants)) return;
  yield lastMessages.missing();
  if (service.missing && lastMessages.isWhole) yield service.missing();
}

const headBytes = 64 * 1024;

/** Whether the first of the times that `time` finds at the beginning of a file is later than the last. */
export async function beginsWithLatest(input: ExportInput, path: string, time: RegExp): Promise<boolean> {
  const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('latin1');
  const times = [...head.matchAll(new RegExp(time, 'g'))].map(([, at]) =>
    /^\d+$/.test(at!) ? Number(at) : Date.parse(at!),
  );
  return times.length > 1 && times[0]! > times.at(-1)!;
}

type Lists<Kind extends string> = Pick<AnswerService<Kind>, 'list' | 'kindOf'>;

const named = <Kind extends string>({ list }: Lists<Kind>): Readonly<Record<string, Kind | 'messages'>> =>
  typeof list === 'string' ? {} : list;

const listOf = ({ list }: Lists<string>): string => (typeof list === 'string' ? list : (Object.keys(list)[0] ?? ''));

const isRowOf = ({ list }: Lists<string>, { parentKey }: GoodRow): boolean =>
  parentKey === undefined || (typeof list === 'string' ? parentKey === list : Object.hasOwn(list, parentKey));

/** The key of a list says what its rows are; without one their own keys do. */
function kindIn<Kind extends string>(
  service: Lists<Kind>,
  row: AnswerRow,
  parentKey = '',
): Kind | 'messages' | undefined {
  const lists = named(service);
  const own = service.kindOf((key) => key in row);
  return own !== 'messages' && Object.hasOwn(lists, parentKey) ? lists[parentKey] : own;
}

const addInside = (service: Lists<string>, found: GoodRow, into: Entry[]): void =>
  addUnreadInside(found, (has) => service.kindOf(has) === 'messages', into);

class ListFile<Kind extends string> implements JsonFile {
  readonly #path: string;
  readonly #kind: Kind;
  readonly #service: AnswerService<Kind>;

  constructor(path: string, kind: Kind, service: AnswerService<Kind>) {
    this.#path = path;
    this.#kind = kind;
    this.#service = service;
  }

  add(found: GoodRow, into: Entry[]): undefined {
    const { value, location, parentKey } = found;
    const row = asObject<AnswerRow>(value) as AnswerRow | undefined;
    const known = row && kindIn(this.#service, row, parentKey);
    if (known === 'messages') {
      into.push(invalidEntry('not-an-object', reasonForPlace(location.pointer ?? ''), location));
      return;
    }
    addInside(this.#service, found, into);
    const isRow = known !== undefined || isRowOf(this.#service, found);
    if (row !== undefined && isRow) this.#service.addListed(known ?? this.#kind, row, location, into);
    else if (isRow) into.push(problemEntry('not-an-object', `Expected a row, found ${wordFor(value)}`, location));
  }

  readonly addFault = addProblemRow;

  end(): readonly Entry[] {
    return this.#service.counts.ended(this.#path);
  }
}

class MessageFile<Kind extends string> implements JsonFile {
  readonly #path: string;
  readonly #isNewestFirst: boolean;
  readonly #service: AnswerService<Kind>;
  readonly #counts: CountedProblems;
  readonly #describe: ReturnType<NonNullable<AnswerService<Kind>['newDescriber']>> | undefined;
  /** Keys of lists next to the messages. */
  readonly #unread = new Set<string>();
  readonly #list: string;
  #row = 0;

  constructor(path: string, isNewestFirst: boolean, service: AnswerService<Kind>) {
    this.#path = path;
    this.#isNewestFirst = isNewestFirst;
    this.#service = service;
    this.#counts = service.newCounts();
    this.#describe = service.newDescriber?.(this.#counts);
    this.#list = listOf(service);
  }

  add(found: GoodRow, into: Entry[]): undefined {
    const { value, location, parentKey } = found;
    if (parentKey !== undefined && parentKey !== this.#list) {
      const row = asObject<AnswerRow>(value);
      const kind = row && this.#service.kindOf((key) => key in row);
      if (kind === 'messages') {
        const reason = `Expected messages in the list "${this.#list}", found one in "${parentKey}"`;
        into.push(invalidEntry('not-an-object', reason, location));
        return;
      }
      if (kind !== undefined || isRowOf(this.#service, found)) this.#unread.add(parentKey);
      addInside(this.#service, found, into);
      return;
    }
    const { inside, kindOf } = this.#service;
    const row = inside === undefined ? undefined : (asObject<AnswerRow>(value) as AnswerRow | undefined);
    const kind = row && kindOf((key) => key in row);
    if (inside === undefined || kind === undefined || kind === 'messages')
      return this.#addMessage(value, location, into);
    const { [inside]: list, ...others } = row!;
    addInside(this.#service, { ...found, value: others }, into);
    this.#describe?.(row!, location, into);
    if (list !== undefined && list !== null && !Array.isArray(list)) {
      const reason = `Expected a list of messages, found ${wordFor(list)}`;
      into.push(invalidEntry('not-an-object', reason, locationInside(location, `/${inside}`)));
    }
    const place = { into, location, under: `/${inside}` };
    readInside(asArray(list), place, (one, at) => this.#addMessage(one, at, into, row));
  }

  #addMessage(value: unknown, location: Location, into: Entry[], around?: AnswerRow): undefined {
    this.#row += 1;
    const row = asObject<AnswerRow>(value) as AnswerRow | undefined;
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
      return;
    }
    this.#service.lastMessages.see(this.#service.idOf(row));
    this.#describe?.(row, location, into);
    const sortKey = rowSortKey(0, this.#row, this.#isNewestFirst);
    const read = this.#service.readMessage(row, sortKey, this.#counts, around);
    into.push(readEntry(read, location, this.#service.conversationOf(row)));
  }

  readonly addFault = addInvalidRow;

  end(): readonly Entry[] {
    const into: Entry[] = [];
    this.#counts.end(this.#path, into);
    for (const key of this.#unread)
      into.push(
        problemEntry('column-not-migrated', `The list "${key}" is next to messages, and not read`, {
          path: this.#path,
        }),
      );
    return into;
  }
}
