import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { invalidEntry, partialEntry, problemEntry, recordEntry } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, kindOf, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { BadRow, GoodRow, JsonFile } from '../kit/rows/json-entries.ts';
import { conversationOf, type FileContext, readChat, readLoneThread } from './chat.ts';
import type { LiveChatChat, LiveChatThread } from './format.ts';
import { lists } from './layout.ts';
import { type Directory, hasDetails } from './people.ts';
import type { Threads } from './threads.ts';

/** Answers as rows of a file: one on each line, or in a list. */
class Answers {
  #count = 0;
  #openCount = 0;

  /** The rows of an answer with their locations, or the row itself if it is none. */
  rowsOf({ value, location }: GoodRow): readonly (readonly [value: unknown, location: Location])[] {
    const answer = asObject<Record<string, unknown>>(value) as Readonly<Record<string, unknown>> | undefined;
    const key = lists.find((list) => Array.isArray(answer?.[list]));
    if (answer === undefined || key === undefined) return [[value, location]];
    this.#count += 1;
    if (asString(answer.next_page_id) !== undefined) this.#openCount += 1;
    return asArray(answer[key]).map((row, index) => [
      row,
      { ...location, pointer: `${location.pointer ?? ''}/${key}/${index}` },
    ]);
  }

  missing(path: string): readonly Entry[] {
    const isOpen = this.#count > 0 && this.#openCount === this.#count;
    return isOpen
      ? [partialEntry('each answer has "next_page_id": more follows, and none is the last one', { path })]
      : [];
  }
}

/** Chats or threads with their events. */
export class EventsFile implements JsonFile {
  readonly #path: string;
  readonly #context: FileContext;
  readonly #answers = new Answers();

  constructor(path: string, context: FileContext) {
    this.#path = path;
    this.#context = context;
  }

  add(found: GoodRow, into: Entry[]): undefined {
    for (const [value, location] of this.#answers.rowsOf(found)) {
      const row = asObject<LiveChatChat & LiveChatThread>(value);
      if (row === undefined)
        into.push(invalidEntry('not-an-object', `Expected a chat or thread, found ${kindOf(value)}`, location));
      else if (row.thread === undefined && row.users === undefined) readLoneThread(row, location, into, this.#context);
      else readChat(row, location, into, this.#context);
    }
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    if (fault.scope === 'rest') this.#context.threads.isCutOff = true;
    if (fault.scope !== 'no-row') into.push(invalidEntry(fault.code, fault.reason, location));
  }

  end(): readonly Entry[] {
    const into: Entry[] = [...this.#answers.missing(this.#path)];
    this.#context.counts.end(this.#path, into);
    return into;
  }
}

/** A list of chats, each with its people and its last thread alone. */
export class SummariesFile implements JsonFile {
  readonly #path: string;
  readonly #directory: Directory;
  readonly #threads: Threads;
  readonly #counts: CountedProblems;
  readonly #answers = new Answers();

  constructor(path: string, directory: Directory, threads: Threads, counts: CountedProblems) {
    this.#path = path;
    this.#directory = directory;
    this.#threads = threads;
    this.#counts = counts;
  }

  add(found: GoodRow, into: Entry[]): undefined {
    for (const [value, location] of this.#answers.rowsOf(found)) this.#addChat(asObject(value) ?? {}, location, into);
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    if (fault.scope !== 'no-row') into.push(problemEntry(fault.code, fault.reason, location));
  }

  end(): readonly Entry[] {
    const into: Entry[] = [...this.#answers.missing(this.#path)];
    this.#counts.end(this.#path, into);
    return into;
  }

  #addChat(chat: Untrusted<LiveChatChat>, location: Location, into: Entry[]): void {
    const id = asId(chat.id);
    if (id === undefined) {
      const reason = `Expected a chat with an "id", found ${kindOf(chat.id)}`;
      into.push(problemEntry('conversation-without-id', reason, location));
      return;
    }
    this.#directory.chats.add(id);
    for (const user of asArray(chat.users)) {
      this.#directory.add(user, location, into);
      this.#counts.add('livechat-not-migrated', 'details of customers', hasDetails(user) ? 1 : 0);
    }
    into.push(recordEntry(conversationOf(id, chat), location));
    const last = asObject<{ id: string }>(chat.last_thread_summary) ?? asObject<{ id: string }>(chat.last_thread_info);
    this.#threads.expect(last?.id, location);
  }
}
