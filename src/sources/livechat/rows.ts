import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { Described } from '../kit/described.ts';
import { invalidEntry, partialEntry, problemEntry, recordEntry, locationInside } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { ApiFile } from '../kit/rows/api-file.ts';
import type { BadRow, GoodRow } from '../kit/rows/json-entries.ts';
import { readConversation, type FileContext, lastThreadOf, readChat, readLoneThread } from './chat.ts';
import type { LiveChatChat, LiveChatThread } from './format.ts';
import { isRow, type Layout, lists } from './layout.ts';
import { type Directory, hasDetails } from './people.ts';

const isList = (key: string): boolean => lists.some((list) => list === key);

/** Answers as rows of a file: one on each line, or in a list. */
class Answers {
  #count = 0;
  #openCount = 0;

  /** The rows of an answer with their locations, or the row itself if it is none. */
  listRows({ value, location, parentKey }: GoodRow): readonly (readonly [value: unknown, location: Location])[] {
    // In an answer that is the file: another field.
    if (parentKey !== undefined && !isList(parentKey)) return [];
    const answer = asObject<Record<string, unknown>>(value) as Readonly<Record<string, unknown>> | undefined;
    if (answer === undefined || isRow((key) => key in answer)) return [[value, location]];
    const given = lists.filter((list) => Array.isArray(answer[list]));
    if (given.length === 0) return [[value, location]];
    this.#count += 1;
    if (asString(answer.next_page_id) !== undefined) this.#openCount += 1;
    return given.flatMap((key) =>
      asArray(answer[key]).map((row, index) => [row, locationInside(location, `/${key}/${index}`)] as const),
    );
  }

  missing(path: string): readonly Entry[] {
    const isOpen = this.#count > 0 && this.#openCount === this.#count;
    return isOpen
      ? [partialEntry('each answer has "next_page_id": more follows, and none is the last one', { path })]
      : [];
  }
}

const isLoneThread = (row: Untrusted<LiveChatChat & LiveChatThread>): boolean =>
  row.thread === undefined && row.users === undefined && row.threads === undefined && lastThreadOf(row) === undefined;

/** Chats or threads with their events. */
export class EventsFile extends ApiFile<Layout, Directory> implements FileContext {
  readonly threads = this.directory.threads;
  readonly described = new Described();
  readonly chat = this.directory.chatIn(this.path);
  eventCount = 0;
  readonly #answers = new Answers();

  add(found: GoodRow, into: Entry[]): undefined {
    for (const [value, location] of this.#answers.listRows(found)) {
      const row = asObject<LiveChatChat & LiveChatThread>(value);
      if (row === undefined)
        into.push(invalidEntry('not-an-object', `Expected a chat or thread, found ${wordFor(value)}`, location));
      else if (isLoneThread(row)) readLoneThread(row, location, into, this);
      else readChat(row, location, into, this);
    }
  }

  override addFault(row: BadRow, into: Entry[]): void {
    if (row.fault.scope === 'rest') this.threads.isCutOff = true;
    super.addFault(row, into);
  }

  override end(): readonly Entry[] {
    return [...this.#answers.missing(this.path), ...super.end()];
  }
}

/** A list of chats, each with its people and its last thread alone. */
export class SummariesFile extends ApiFile<Layout, Directory> {
  readonly #answers = new Answers();

  add(found: GoodRow, into: Entry[]): undefined {
    for (const [value, location] of this.#answers.listRows(found)) this.#addChat(asObject(value) ?? {}, location, into);
  }

  override end(): readonly Entry[] {
    return [...this.#answers.missing(this.path), ...super.end()];
  }

  #addChat(chat: Untrusted<LiveChatChat>, location: Location, into: Entry[]): void {
    const id = asId(chat.id);
    if (id === undefined) {
      const reason = `Expected a chat with an "id", found ${wordFor(chat.id)}`;
      into.push(problemEntry('conversation-without-id', reason, location));
      return;
    }
    this.directory.chats.add(id);
    for (const user of asArray(chat.users)) {
      this.directory.add(user, location, into);
      this.counts.add('livechat-not-migrated', 'details of customers', hasDetails(user) ? 1 : 0);
    }
    into.push(recordEntry(readConversation(id, chat), location));
    this.directory.threads.expect(lastThreadOf(chat), location);
  }
}
