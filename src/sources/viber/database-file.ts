import type { Entry } from '../../model/entry.ts';
import { Described } from '../kit/described.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { AppDatabase } from '../kit/files/app-database.ts';
import { type DatabaseFile, listsOfRows } from '../kit/files/app-rows.ts';
import { BesideRows } from '../kit/rows/beside-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { numberOf } from '../kit/rows/database-row.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { Chats } from './chats.ts';
import { Edits } from './edits.ts';
import { storedFiles } from './files.ts';
import { shape, type ViberDatabase } from './format.ts';
import { notMigrated, type Place, readEvent } from './message.ts';
import type { ViberOptions } from './options.ts';
import { People } from './people.ts';
import * as queries from './queries.ts';

/**
 * The entries of a database: people, conversations, then events in the order of their numbers.
 *
 * Memory: people, chats and edits, some 500 bytes each; and a list of messages.
 */
export async function* readDatabase(file: DatabaseFile<ViberOptions>): AsyncGenerator<readonly Entry[]> {
  const db = await AppDatabase.open(file.input, file.path, shape);
  try {
    const place = await readPlace(file, db);
    const described = new Described();
    yield headEntries(db, place, described);
    yield* eventLists(db, place);
    yield endEntries(db, place, described);
  } finally {
    db.close();
  }
}

async function readPlace(
  { input, path, workspace, options }: DatabaseFile<ViberOptions>,
  db: ViberDatabase,
): Promise<Place> {
  const [contacts, numbers] = [db.rows(queries.contacts(db)), db.rows(queries.numbers(db))];
  const people = new People({ contacts, numbers, ownContact: findOwnContact(db) }, options);
  const chats = new Chats(db.rows(queries.chats(db)), db.rows(queries.members(db)), people);
  const textOf = (event: number) => db.rows(queries.textOf(event));
  const edits = new Edits(db.rows(queries.edits(db)), () => db.rows(queries.tokens(db)), textOf);
  const filesOf = await storedFiles(input, path.slice(0, path.lastIndexOf('/') + 1));
  const counts = new CountedProblems(notMigrated);
  return { path, workspace, people, chats, edits, notes: new RowNotes(), counts, filesOf };
}

/** The one contact that wrote what was sent, unless something says that it is another person. */
function findOwnContact(db: ViberDatabase): number | undefined {
  const found = [...db.rows(queries.ownContacts(db))].map(({ ContactID }) => numberOf(ContactID));
  const [contact] = found;
  if (found.length !== 1 || contact === undefined) return undefined;
  return [...db.rows(queries.foreignSigns(contact))].length === 0 ? contact : undefined;
}

function headEntries(db: ViberDatabase, place: Place, described: Described): readonly Entry[] {
  const at = { path: place.path };
  const entries: Entry[] = db.problems.map(({ code, reason }) => problemEntry(code, reason, at));
  if (db.has('Events', 'ContactID') && !place.people.isOwnKnown) {
    const senders = [...db.rows(queries.ownContacts(db))].flatMap((row) => place.people.of(row) ?? []);
    const reason = 'Nothing says which contact is your own: it stays a person beside you, also in chats of two';
    entries.push(problemEntry('viber-own-contact', reason, at, senders));
  }
  addDescriptions(place, described, entries);
  return entries;
}

/** People and conversations that are new: in older databases some appear with events. */
function addDescriptions({ path, people, chats }: Place, described: Described, into: Entry[]): void {
  for (const person of people.records()) if (described.add(person) === 'new') into.push(recordEntry(person, { path }));
  for (const { record, row } of chats.records()) {
    if (described.add(record) !== 'new') continue;
    into.push(recordEntry(record, row === undefined ? { path } : { path, pointer: `/ChatInfo/${row}` }));
  }
}

function eventLists(db: ViberDatabase, place: Place): AsyncGenerator<readonly Entry[]> {
  const reactions = new BesideRows(db.rows(queries.reactions(db)));
  return listsOfRows(db.rows(queries.events(db)), async (row, entries) => {
    const begin = entries.length;
    try {
      await readEvent(row, reactions.of(row.EventID), place, entries);
    } catch (error) {
      const location = { path: place.path, pointer: `/Events/${String(row.EventID)}` };
      invalidRow(error, { into: entries, begin, location });
    }
  });
}

function endEntries(db: ViberDatabase, place: Place, described: Described): readonly Entry[] {
  const { path, notes, counts } = place;
  const entries: Entry[] = [];
  addDescriptions(place, described, entries);
  notes.end(path, entries);
  for (const row of db.rows(queries.lostReactions(db)))
    counts.add(notMigrated, 'reactions to messages that the database does not have', Number(row.count));
  counts.end(path, entries);
  entries.push(...db.unreadColumns());
  return entries;
}
