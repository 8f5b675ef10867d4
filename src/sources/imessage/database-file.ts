import type { Entry } from '../../model/entry.ts';
import { alikeEntry, problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { AppDatabase } from '../kit/files/app-database.ts';
import { type DatabaseFile, listsOfRows } from '../kit/files/app-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { BesideRows } from '../kit/rows/beside-rows.ts';
import { Chats } from './chats.ts';
import { storedFiles } from './files.ts';
import type { DatabaseRow as Row } from '../kit/rows/database-row.ts';
import { type MessagesDatabase, shape } from './format.ts';
import { type MessageRow, notMigrated, type Place, readMessage } from './message.ts';
import type { ImessageOptions } from './options.ts';
import { People } from './people.ts';
import * as queries from './queries.ts';

/**
 * The entries of a database: people, conversations, then messages in the order of their numbers.
 *
 * Memory: people and chats, some 500 bytes each; and a list of messages.
 */
export async function* readDatabase(file: DatabaseFile<ImessageOptions>): AsyncGenerator<readonly Entry[]> {
  const db = await AppDatabase.open(file.input, file.path, shape);
  try {
    const place = await readPlace(file, db);
    yield headEntries(db, place);
    yield* messageLists(db, place);
    yield endEntries(db, place);
  } finally {
    db.close();
  }
}

async function readPlace(
  { input, path, workspace, options }: DatabaseFile<ImessageOptions>,
  db: MessagesDatabase,
): Promise<Place> {
  const people = new People(db.rows(queries.handles(db)), options.me || 'Me');
  const chats = new Chats(db.rows(queries.chats(db)), db.rows(queries.members(db)), people);
  const fileOf = await storedFiles(input, path.slice(0, path.lastIndexOf('/') + 1));
  const counts = new CountedProblems(notMigrated);
  return { path, workspace, options, people, chats, notes: new RowNotes(), counts, fileOf };
}

function headEntries(db: MessagesDatabase, { path, people, chats }: Place): readonly Entry[] {
  const at = { path };
  const entries: Entry[] = db.problems.map(({ code, reason }) => problemEntry(code, reason, at));
  const missing = queries.optionalTables.filter((table) => !db.has(table));
  if (missing.length > 0)
    entries.push(problemEntry('imessage-no-table', `The database has no ${missing.join(', ')}`, at));
  for (const person of people.records()) entries.push(recordEntry(person, at));
  for (const { record, row } of chats.records()) entries.push(recordEntry(record, { path, pointer: `/chat/${row}` }));
  const named = (code: string, groups: readonly (readonly string[])[]) => {
    for (const ids of groups) entries.push(alikeEntry(code, ids, at));
  };
  named('imessage-merged-addresses', people.merged());
  named('imessage-same-number', people.alike());
  named('imessage-same-members', chats.alike());
  return entries;
}

function messageLists(db: MessagesDatabase, place: Place): AsyncGenerator<readonly Entry[]> {
  const files = new BesideRows(db.rows(queries.files(db)));
  const reactions = new BesideRows(db.rows(queries.reactions(db)));
  /** A message may be in several chats of one conversation. */
  let last = { row: undefined as unknown, conversations: new Set<string>() };
  return listsOfRows(db.rows(queries.messages(db)), async (row, entries) => {
    if (last.row !== row.rowid) last = { row: row.rowid, conversations: new Set() };
    const beside = { files: files.of(row.rowid), reactions: reactions.of(row.rowid) };
    await addRow({ row, ...beside }, last.conversations, place, entries);
  });
}

async function addRow(
  found: Pick<MessageRow, 'row' | 'files' | 'reactions'>,
  conversations: Set<string>,
  place: Place,
  into: Entry[],
): Promise<void> {
  const { row } = found;
  const location = { path: place.path, pointer: `/message/${row.rowid}` };
  const begin = into.length;
  const chat = place.chats.ofChat(row.chat_id) ?? place.chats.ofChat(row.deleted_chat_id);
  if (!chat) {
    if (conversations.size === 0) into.push(invalidEntry('imessage-no-chat', 'The message is in no chat', location));
    return;
  }
  if (conversations.has(chat.id)) return;
  conversations.add(chat.id);
  const isDeleted = place.chats.ofChat(row.chat_id) === undefined;
  try {
    await readMessage({ ...found, conversation: chat.id, isGroup: chat.isGroup, isDeleted }, place, into);
  } catch (error) {
    invalidRow(error, { into, begin, location, conversation: chat.id });
  }
}

function endEntries(db: MessagesDatabase, { path, notes, counts }: Place): readonly Entry[] {
  const entries: Entry[] = [];
  notes.end(path, entries);
  for (const row of db.rows(queries.lostReactions(db)) as Iterable<Row>)
    counts.add(
      notMigrated,
      'reactions to messages, and votes in polls, that the database does not have',
      Number(row.count),
    );
  counts.end(path, entries);
  entries.push(...db.unreadColumns());
  return entries;
}
