import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry } from '../kit/entries.ts';
import { asArray, asId, asObject, wordFor } from '../kit/narrow.ts';
import { type AnswerLayout, type AnswerRows, findAnswerLayout } from '../kit/rows/answer-layout.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { addProblemRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { readStreamRow, readUserRow } from './answer-row.ts';
import type { Directory } from './directory.ts';
import type { ZulipChannel, ZulipMember } from './format.ts';
import { tableName } from './message-file.ts';

/** Lists of answers that messages refer to, in the order in which they are read. */
export const answerKinds = ['users', 'subscribers', 'streams'] as const;
type AnswerKind = (typeof answerKinds)[number];
export type ZulipAnswerLayout = AnswerLayout<AnswerKind>;

/** How rows of answers are recognised. */
export const answerRows: AnswerRows<AnswerKind> = {
  lists: { messages: 'messages', members: 'users', streams: 'streams', subscribers: 'subscribers' },
  kindOf(has) {
    if (has('sender_id') && has('display_recipient')) return 'messages';
    if (has('user_id') && has('full_name')) return 'users';
    return has('stream_id') && has('invite_only') ? 'streams' : undefined;
  },
};

/** Where rows are in an answer of the API; undefined for any other file. */
export const zulipAnswerIn = (input: ExportInput, path: string): Promise<ZulipAnswerLayout | undefined> =>
  findAnswerLayout(input, path, answerRows);

/** `subscribers-5.json`: an answer with subscribers does not say of which stream they are. */
const subscribersOf = /(?:^|\/)subscribers-(\d{1,20})\.json$/;

/** People, subscribers and streams. */
export const readAnsweredList = (
  input: ExportInput,
  path: string,
  at: JsonRowsAt,
  facts: { readonly directory: Directory; readonly counts: CountedProblems },
): AsyncGenerator<readonly Entry[]> => readJsonEntries(input, path, at, new AnsweredList(path, facts));

class AnsweredList implements JsonFile {
  readonly #path: string;
  readonly #directory: Directory;
  readonly #counts: CountedProblems;
  readonly #notes = new RowNotes();
  readonly #stream: string | undefined;

  constructor(path: string, { directory, counts }: Parameters<typeof readAnsweredList>[3]) {
    this.#path = path;
    this.#directory = directory;
    this.#counts = counts;
    this.#stream = subscribersOf.exec(path)?.[1];
  }

  add({ value, parentKey, location }: GoodRow, into: Entry[]): undefined {
    if (parentKey === 'subscribers') this.#addSubscriber(this.#stream, value, location, into);
    else if (parentKey === undefined || Object.hasOwn(answerRows.lists, parentKey) || parentKey === 'subscriptions')
      this.#addRow(value, location, into);
    else this.#counts.add('zulip-not-migrated', `rows of ${tableName(parentKey)}`);
  }

  #addRow(value: unknown, location: Location, into: Entry[]): void {
    const row = asObject<ZulipMember & ZulipChannel>(value);
    if (row === undefined)
      return void into.push(problemEntry('not-an-object', `Expected a row, found ${wordFor(value)}`, location));
    if (row.stream_id === undefined) return void this.#directory.addPerson(readUserRow(row), false, location, into);
    const id = asId(row.stream_id);
    if (id === undefined)
      return void into.push(problemEntry('conversation-without-id', 'A stream without "stream_id"', location));
    if (Array.isArray(row.subscribers)) this.#directory.addSubscribers(id, []);
    for (const one of asArray(row.subscribers)) this.#addSubscriber(id, one, location, into);
    if (row.is_muted === true) this.#counts.add('zulip-not-migrated', 'streams that a user muted');
    if (row.pin_to_top === true) this.#counts.add('zulip-not-migrated', 'streams that a user pinned');
    this.#directory.addAnsweredStream({ ...readStreamRow(row), id }, location, into);
  }

  #addSubscriber(stream: string | undefined, value: unknown, location: Location, into: Entry[]): void {
    if (stream !== undefined && typeof value === 'number') {
      this.#directory.addSubscribers(stream, [value]);
      return;
    }
    const reason =
      stream === undefined
        ? 'Expected a file named subscribers-<id of the stream>.json: the answer does not say of which stream these people are'
        : `Expected the id of a subscriber, found ${wordFor(value)}`;
    this.#notes.add('zulip-bad-row', reason, location, into);
  }

  readonly addFault = addProblemRow;

  end(): readonly Entry[] {
    // An empty list says that no one is subscribed.
    if (this.#stream !== undefined) this.#directory.addSubscribers(this.#stream, []);
    return [...this.#counts.ended(this.#path), ...this.#notes.ended(this.#path)];
  }
}
