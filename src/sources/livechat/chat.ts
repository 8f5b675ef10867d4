import { hasMembers } from '../../lib/maps/objects.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import type { Described } from '../kit/described.ts';
import { invalidEntry, partialEntry, readEntry, locationInside } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { ApiFile } from '../kit/rows/api-file.ts';
import { readInside } from '../kit/rows/row-boundary.ts';
import { readEvent } from './event.ts';
import type { LiveChatChat, LiveChatEvent, LiveChatThread } from './format.ts';
import { readAuthor, type Directory, hasDetails, isSeen, Kinds, readPerson } from './people.ts';

/** A file of events, for all rows of it. */
export interface FileContext
  extends Pick<ApiFile<unknown, Directory>, 'workspace' | 'directory' | 'people' | 'counts'> {
  readonly described: Described;
  /** The chat that the path names. */
  readonly chat: string | undefined;
  /** Events that were read. */
  eventCount: number;
}

/** Reads a chat with its threads, usually one. `location`: its own. */
export function readChat(chat: Untrusted<LiveChatChat>, location: Location, into: Entry[], file: FileContext): void {
  const id = asId(chat.id);
  const thread = asObject<LiveChatThread>(chat.thread);
  const last = lastThreadOf(chat);
  const isOdd = chat.thread !== undefined && chat.thread !== null && thread === undefined;
  const hasOthers = last !== undefined || asArray(chat.threads).length > 0;
  const isNone = thread === undefined ? !hasOthers : id === undefined && asArray(thread.events).length === 0;
  if (isOdd || isNone) {
    const reason = `Expected a chat with "id" and "thread", found ${describe(thread === undefined ? chat.thread : chat.id)}`;
    into.push(invalidEntry('missing-id', reason, location, id));
    return;
  }
  const users = new Kinds();
  for (const user of asArray(chat.users)) {
    const person = readPerson(user);
    if (person === undefined) continue;
    users.add(user);
    file.people.see(person, location, into);
    file.counts.add('livechat-not-migrated', 'details of customers', hasDetails(user) ? 1 : 0);
  }
  if (id !== undefined) describeChat(id, chat, location, into, file);
  countProperties(chat.properties, 'properties of chats', file);
  expectThread(last, location, file);
  const at = (end: string): Location => locationInside(location, `/${end}`);
  const place = { id, users, file };
  if (thread) readThread(thread, at('thread'), into, place);
  const { threads } = chat;
  if (threads !== undefined && threads !== null && !Array.isArray(threads))
    into.push(
      invalidEntry('not-an-object', `Expected a list of threads, found ${wordFor(threads)}`, at('threads'), id),
    );
  for (const [index, value] of asArray(threads).entries()) {
    const one = asObject<LiveChatThread>(value);
    const where = at(`threads/${index}`);
    if (one) readThread(one, where, into, place);
    else into.push(invalidEntry('not-an-object', `Expected a thread, found ${wordFor(value)}`, where, id));
  }
}

export function expectThread(
  id: string | undefined,
  location: Location,
  { directory }: Pick<FileContext, 'directory'>,
): void {
  directory.threads.expect(id, id ?? '', location);
}

/** The id of the last thread of a chat, where a list of chats has it. */
export const lastThreadOf = (chat: Untrusted<LiveChatChat>): string | undefined =>
  asId((asObject<{ id: string }>(chat.last_thread_summary) ?? asObject<{ id: string }>(chat.last_thread_info))?.id);

/** Reads a thread of an answer that has threads alone. */
export function readLoneThread(
  thread: Untrusted<LiveChatThread>,
  location: Location,
  into: Entry[],
  file: FileContext,
): void {
  const id = asId(thread.chat_id) ?? file.chat;
  if (id !== undefined) describeChat(id, {}, location, into, file);
  readThread(thread, location, into, { id, users: new Kinds(), file });
}

/** A list of chats takes precedence. */
function describeChat(
  id: string,
  chat: Untrusted<LiveChatChat>,
  location: Location,
  into: Entry[],
  { directory, described }: FileContext,
): void {
  if (directory.chats.has(id)) return;
  const conversation = readConversation(id, chat);
  described.describe(conversation, location, into);
}

interface ThreadPlace {
  /** Undefined if nothing says which chat it is. */
  readonly id: string | undefined;
  readonly users: Kinds;
  readonly file: FileContext;
}

function readThread(thread: Untrusted<LiveChatThread>, location: Location, into: Entry[], place: ThreadPlace): void {
  const { file, id: chat } = place;
  if (asId(thread.id) === undefined && asArray(thread.events).length === 0) {
    into.push(
      invalidEntry('missing-id', `Expected a thread with an "id", found ${describe(thread.id)}`, location, chat),
    );
    return;
  }
  file.directory.threads.see(asId(thread.id));
  for (const named of [thread.previous_thread_id, thread.next_thread_id]) expectThread(asId(named), location, file);
  countProperties(thread.properties, 'properties of threads', file);
  file.counts.add('livechat-not-migrated', 'tags', asArray(thread.tags).length);
  file.counts.add('livechat-not-migrated', 'visits of customers', asObject(thread.customer_visit) ? 1 : 0);
  const { events, restricted_access: restricted } = thread;
  if (restricted !== undefined && restricted !== null && restricted !== false) {
    const words = asString(restricted) ?? '"restricted_access"';
    into.push(partialEntry(`the events of a thread are not shown: ${words}`.slice(0, 200), location));
  } else if (events === undefined || events === null) into.push(partialEntry('a thread has no "events"', location));
  if (events !== undefined && events !== null && !Array.isArray(events)) {
    const reason = `Expected a list of events, found ${wordFor(events)}`;
    into.push(invalidEntry('not-an-object', reason, locationInside(location, '/events'), chat));
  }
  readInside(asArray(events), { into, location, under: '/events', conversation: chat }, (value, at) =>
    into.push(eventEntry(value, at, place)),
  );
}

function eventEntry(value: unknown, location: Location, { id: chat, users, file }: ThreadPlace): Entry {
  file.eventCount += 1;
  if (chat === undefined) {
    const reason =
      'Expected the id of the chat: "chat_id" in the thread, or a name of the file with an id of list_chats';
    return invalidEntry('livechat-no-chat', reason, location);
  }
  const row = asObject<LiveChatEvent>(value);
  if (row === undefined)
    return invalidEntry('not-an-object', `Expected an event, found ${wordFor(value)}`, location, chat);
  const isAuthor = row.author_id === undefined || row.author_id === null || typeof row.author_id !== 'object';
  if (!isAuthor) {
    const reason = `Expected "author_id" to be an id, found ${wordFor(row.author_id)}`;
    return invalidEntry('row-not-understood', reason, location, chat);
  }
  const author = readAuthor(row.author_id, users, file.directory);
  const read = readEvent(row, { workspace: file.workspace, chat, number: file.eventCount, author });
  return readEntry(read, location, chat);
}

const countProperties = (value: unknown, what: string, { counts }: FileContext): void =>
  counts.add('livechat-not-migrated', what, hasMembers(asObject<object>(value) ?? {}) ? 1 : 0);

/** A chat has the name of its customer. Agents who are hidden from the customer are no members. */
export function readConversation(id: string, { users }: Untrusted<LiveChatChat>): ConversationRecord {
  const seen = asArray(users)
    .filter(isSeen)
    .flatMap((user) => readPerson(user) ?? []);
  const customer = seen.find((person) => person.id.startsWith('customer:'));
  return {
    kind: 'conversation',
    id,
    type: 'private',
    name: customer?.name ?? id,
    members: [...new Set(seen.map((person) => person.id))],
  };
}
