import { readCsvRows } from '../../io/csv/csv-rows.ts';
import { utf8Chunks } from '../../io/text-encoding.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { problemEntry, recordEntry, invalidEntry, readEntry } from '../kit/entries.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import type { PathVerdict } from '../kit/files/paths.ts';
import { findWrapper } from '../kit/files/paths.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import type { ExportContext } from './message-file.ts';
import { readMessage } from './message.ts';

/**
 * The tables that Rocket.Chat imports, without heads: `users.csv` (username, e-mail, name), `channels.csv` (name, creator, public or
 * private, members with `;` between), `<channel>/messages.csv` (username, milliseconds, text), `directmessages/….csv` (from, to,
 * milliseconds, text). `CsvImporter.ts` in `apps/meteor/app/importer-csv/server` (2026-11).
 */
const dialect = { delimiter: ',', quote: '"', escapedBy: '"', lineEnd: 'lf' } as const;

/** Rooms that people made for two, in a folder of this name. */
const directs = /^directmessages\/.*\.csv$/i;
const people = /^users\.csv$/i;
const rooms = /^channels\.csv$/i;
const isOfFacts = (inside: string) => people.test(inside) || rooms.test(inside);

export const isTable = (path: string): boolean => /\.csv$/i.test(path);

/** People are read before rooms, whose members they are. */
export type TableKind = 'table' | 'table-of-people' | 'table-of-rooms';

/** Which paths are tables of such an export, by the folder that holds "channels.csv". */
export function tablesIn(paths: readonly string[]): (path: string) => PathVerdict<TableKind> {
  const wrapper = findWrapper(paths, isOfFacts);
  const isExport = wrapper !== undefined && paths.some((path) => isOfFacts(path.slice(wrapper.length)));
  return (path) => {
    if (!isExport || !path.startsWith(wrapper)) return undefined;
    const inside = path.slice(wrapper.length);
    if (people.test(inside)) return 'table-of-people';
    if (rooms.test(inside)) return 'table-of-rooms';
    if (inside === 'contacts.csv') return { skip: 'Contacts of a help desk; they wrote no messages' };
    return isTable(inside) && inside.includes('/') ? 'table' : undefined;
  };
}

async function* readRows(path: string, { input }: ExportContext) {
  for await (const rows of readCsvRows(utf8Chunks(input.open(path), 'utf-8'), dialect))
    yield rows.map((row) => ({ ...row, location: { path, line: row.line } }));
}

/** People and channels. A username is the id: tables have no other. */
export async function* readTableFacts(path: string, context: ExportContext): AsyncGenerator<readonly Entry[]> {
  const isOfUsers = /users\.csv$/i.test(path);
  for await (const rows of readRows(path, context)) {
    const into: Entry[] = [];
    for (const row of rows) {
      const { location } = row;
      if (row.fault || !row.cells[0]?.trim()) {
        const reason = row.fault?.reason ?? 'Expected a name in the first field, found nothing';
        into.push(problemEntry('rocketchat-bad-row', reason, location));
      } else if (isOfUsers) {
        const [username = '', address, name] = row.cells.map((cell) => cell.trim());
        const person = { _id: username, username, name, roles: [], emails: [{ address }] };
        context.directory.addPerson(person, location, into);
      } else into.push(recordEntry(readChannelRow(row.cells), location));
    }
    yield into;
  }
}

function readChannelRow(cells: readonly string[]): ConversationRecord {
  const [name = '', creator, type, members = ''] = cells.map((cell) => cell.trim());
  return {
    kind: 'conversation',
    id: name,
    type: type?.toLowerCase() === 'private' ? 'private' : 'public',
    name,
    ...(creator && { creator }),
    members: [...new Set(members.split(';').map((member) => member.trim()))].filter(Boolean),
  };
}

/** The rows of a channel, or of direct messages. */
export async function* readTable(path: string, context: ExportContext): AsyncGenerator<readonly Entry[]> {
  const parts = path.split('/');
  const isDirect = directs.test(parts.slice(-2).join('/'));
  const table = new Table(isDirect, parts.at(-2)!, context);
  let number = 0;
  for await (const rows of readRows(path, context)) {
    const into: Entry[] = [];
    for (const row of rows) {
      const { location } = row;
      number += 1;
      const cells = row.fault ? [] : row.cells;
      // A field more may say that the row is not for everybody.
      if (row.fault || cells.length !== (isDirect ? 4 : 3)) {
        const reason = row.fault?.reason ?? `Expected ${isDirect ? 'four' : 'three'} fields, found ${cells.length}`;
        into.push(invalidEntry('rocketchat-bad-row', reason, location));
        continue;
      }
      const begin = into.length;
      try {
        table.add(cells, { number, location }, into);
      } catch (error) {
        invalidRow(error, { into, begin, location });
      }
    }
    yield into;
  }
}

/** The messages of one table. */
class Table {
  readonly #identity = new RowIdentity();
  readonly #notes = new RowNotes();
  readonly #described = new Set<string>();
  readonly #isDirect: boolean;
  readonly #folder: string;
  readonly #context: ExportContext;

  constructor(isDirect: boolean, folder: string, context: ExportContext) {
    this.#isDirect = isDirect;
    this.#folder = folder;
    this.#context = context;
  }

  add(cells: readonly string[], { number, location }: { number: number; location: Location }, into: Entry[]): void {
    const [from, to, ts, msg] = this.#isDirect ? cells : [cells[0], undefined, cells[1], cells[2]];
    const members = [...new Set([from!, to ?? from!])].sort();
    const rid = this.#isDirect ? members.join(',') : this.#folder;
    if (this.#isDirect && !this.#described.has(rid)) {
      this.#described.add(rid);
      into.push(recordEntry({ kind: 'conversation', id: rid, type: 'direct', name: '', members }, location));
    }
    const id = this.#identity.idOf([rid, from, ts, msg]);
    const time = /^\d{1,15}$/.test(ts!.trim()) ? Number(ts) : ts;
    const { workspace, directory } = this.#context;
    const read = readMessage(
      { _id: id, rid, ts: time, msg, u: { _id: from } },
      {
        workspace,
        sortKey: rowSortKey(0, number),
        see: () => from || undefined,
        nameOf: directory.nameOf,
        idOfUsername: directory.idOfUsername,
        roomName: () => rid,
        isDirect: () => this.#isDirect,
        note: ({ code, reason }) => this.#notes.add(code, reason, location, into),
      },
    );
    into.push(readEntry(read, location, rid));
  }
}
