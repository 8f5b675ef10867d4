import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { Described } from '../kit/described.ts';
import { invalidEntry, problemEntry, recordEntry } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { type AnswerWords, AnswersInRows } from '../kit/rows/answers-in-rows.ts';
import { ApiFile } from '../kit/rows/api-file.ts';
import type { GoodRow } from '../kit/rows/json-entries.ts';
import { expectThread, readConversation, type FileContext, lastThreadOf, readChat, readLoneThread } from './chat.ts';
import type { LiveChatChat, LiveChatThread } from './format.ts';
import { type Layout, lists, rowKeys } from './layout.ts';
import { type Directory, hasDetails } from './people.ts';

const answers = {
  lists,
  ofRows: rowKeys,
  more: 'next_page_id',
  saysMore: ({ next_page_id: next }) => asString(next) !== undefined,
} as const satisfies AnswerWords;

const isLoneThread = (row: Untrusted<LiveChatChat & LiveChatThread>): boolean =>
  row.thread === undefined && row.users === undefined && row.threads === undefined && lastThreadOf(row) === undefined;

/** Chats or threads with their events. */
export class EventsFile extends ApiFile<Layout, Directory> implements FileContext {
  readonly described = new Described();
  readonly chat = this.directory.chatIn(this.path);
  eventCount = 0;
  readonly #answers = new AnswersInRows(answers);

  add(found: GoodRow, into: Entry[]): undefined {
    for (const [value, location] of this.#answers.listRows(found)) {
      const row = asObject<LiveChatChat & LiveChatThread>(value);
      if (row === undefined)
        into.push(invalidEntry('not-an-object', `Expected a chat or thread, found ${wordFor(value)}`, location));
      else if (isLoneThread(row)) readLoneThread(row, location, into, this);
      else readChat(row, location, into, this);
    }
  }

  override end(): readonly Entry[] {
    return [...this.#answers.missing(this.path), ...super.end()];
  }
}

/** A list of chats, each with its people and its last thread alone. */
export class SummariesFile extends ApiFile<Layout, Directory> {
  readonly #answers = new AnswersInRows(answers);

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
    expectThread(lastThreadOf(chat), location, this);
  }
}
