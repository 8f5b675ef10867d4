import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import { fieldProblem, invalidEntry, recordEntry } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import { addInvalidRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { unforeseen } from '../kit/rows/row-boundary.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import type { AnswerPages } from './answer-pages.ts';
import { answerRows } from './answer-lists.ts';
import { answerOf, type answerReading, hasBadReactions, listPeople } from './answer-row.ts';
import { makeGroup } from './conversations.ts';
import { type Directory, readUser } from './directory.ts';
import type { ZulipAnswer } from './format.ts';
import { type ExportContext, tableName } from './message-file.ts';
import { decoded } from '../../lib/text/decoded.ts';
import { nameOfUpload, type NamedUpload, readMessage, type RowPlace } from './message.ts';
import type { MessageRows } from './topics.ts';

/** The address of the organisation, as the first message has it that one of its people wrote; undefined if it has none. */
export async function workspaceIn(
  input: ExportInput,
  files: readonly MessageRows[],
  directory: Directory,
): Promise<string | undefined> {
  for (const { path, at } of files) {
    try {
      for await (const found of readJsonRows(input.open(path), path, at))
        for (const { value } of found) {
          const { sender_id: sender, sender_realm_str: realm } = asObject<ZulipAnswer>(value) ?? {};
          const id = asId(sender);
          if (id !== undefined && typeof realm === 'string' && directory.nameOf(id) !== undefined)
            return asString(realm);
        }
    } catch (error) {
      // A file that cannot be read is reported when its messages are.
      if (!(error instanceof SourceError)) unforeseen(error);
    }
  }
  return undefined;
}

export interface AnswerContext extends Omit<ExportContext, 'reactions' | 'uploads'> {
  readonly reading: ReturnType<typeof answerReading>;
  readonly pages: AnswerPages;
}

/** Messages of an answer, each file by itself. */
export async function* readAnsweredMessages(
  path: string,
  at: JsonRowsAt,
  context: AnswerContext,
): AsyncGenerator<readonly Entry[]> {
  const behind = new FieldsBehind();
  yield* readJsonEntries(behind.watch(context.input), path, at, new AnsweredMessages(path, context));
  if (at.layout === 'list') yield await context.pages.missingAfter(path, behind);
}

class AnsweredMessages implements JsonFile {
  readonly #path: string;
  readonly #context: AnswerContext;
  readonly #notes = new RowNotes();
  readonly #counts = new CountedProblems('zulip-not-migrated');
  /** Private conversations and people outside of the list of people that were described. */
  readonly #described = new Set<string>();
  readonly #place: RowPlace;
  #location: Location = { path: '' };
  #into: Entry[] = [];

  constructor(path: string, context: AnswerContext) {
    const { workspace, directory, reading, topics } = context;
    this.#path = path;
    this.#context = context;
    const note: RowPlace['note'] = ({ code, reason }) => this.#notes.add(code, reason, this.#location, this.#into);
    this.#place = { workspace, directory, reading, topics, note };
  }

  add({ value, parentKey, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    if (parentKey !== undefined && parentKey !== 'messages') {
      const found = asObject<Record<string, unknown>>(value) ?? {};
      const name = tableName(parentKey);
      if (answerRows.kindOf((key) => key in found) !== 'messages')
        this.#counts.add('zulip-not-migrated', `rows of ${name}`);
      else
        into.push(invalidEntry('not-an-object', `Expected messages in "messages", found one in "${name}"`, location));
      return undefined;
    }
    [this.#location, this.#into] = [location, into];
    const row = this.#context.reading.toRow(value);
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
      return undefined;
    }
    const answer = answerOf(row);
    const read = readMessage(row, this.#place);
    if ('code' in read || typeof answer.content !== 'string') {
      const { code, reason } =
        'code' in read ? read : fieldProblem('zulip-no-text', 'text in "content"', answer.content);
      into.push(invalidEntry(code, reason, location));
      return undefined;
    }
    this.#count(answer);
    this.#describe(answer, read.record, into);
    into.push(recordEntry(read.record, location));
    return read.uploads.length > 0 ? this.#attach(read.record, read.uploads) : undefined;
  }

  #count({ flags, client, submessages, reactions, subject }: Untrusted<ZulipAnswer>): void {
    const lose = (what: string, by = 1) => this.#counts.add('zulip-not-migrated', what, by);
    const marks = asArray(flags);
    if (marks.includes('read')) lose('read marks');
    if (marks.includes('starred')) lose('stars');
    if (asString(client) !== undefined) lose('programs that messages were sent with');
    lose('votes of polls, ticks of lists and other data of apps', asArray(submessages).length);
    const bad = (reason: string) => this.#place.note({ code: 'zulip-bad-row', reason });
    if (hasBadReactions(reactions)) bad('A reaction lacks its emoji or who gave it');
    if (subject !== undefined && typeof subject !== 'string') bad(`Expected a topic, found ${wordFor(subject)}`);
  }

  /** Describes what nothing else does: people who are in no list, and private conversations. */
  #describe(answer: Untrusted<ZulipAnswer>, record: NewMessage, into: Entry[]): void {
    const { directory } = this.#context;
    const location = this.#location;
    const { author, origin } = record;
    if (author !== undefined && directory.nameOf(author) === undefined && this.#isNew(`person ${author}`)) {
      const [full_name, email] = [answer.sender_full_name, answer.sender_email];
      const user = readUser({ id: author, full_name, email }, record.systemEvent !== undefined);
      if (user) into.push(recordEntry(user, location));
    }
    const people = listPeople(answer);
    if (people !== undefined && this.#isNew(origin.conversation))
      into.push(recordEntry(makeGroup(origin.conversation, [...people]), location));
  }

  #isNew(key: string): boolean {
    const isNew = !this.#described.has(key);
    this.#described.add(key);
    return isNew;
  }

  async #attach(record: NewMessage, uploads: readonly NamedUpload[]): Promise<void> {
    const { files } = this.#context;
    record.attachments = await Promise.all(
      uploads.map(({ path, label }) =>
        files.attachment({
          path: `uploads/${decoded(path)}`,
          name: label || nameOfUpload(path),
          id: `/user_uploads/${path}`,
        }),
      ),
    );
  }

  readonly addFault = addInvalidRow;

  end(): readonly Entry[] {
    return [...this.#counts.ended(this.#path), ...this.#notes.ended(this.#path)];
  }
}
