import { readCsvRows } from '../../io/csv/csv-rows.ts';
import { utf8Chunks } from '../../io/text-encoding.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { problemEntry, recordEntry, rejectEntry } from '../kit/entries.ts';
import type { Marks } from '../kit/marks.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import type { PathVerdict } from '../kit/files/paths.ts';
import { wrapperOf } from '../kit/files/paths.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import type { ExportContext } from './message-file.ts';
import { messageOf } from './message.ts';

/**
 * The tables that Rocket.Chat imports, without heads: `users.csv` (username, e-mail, name), `channels.csv` (name, creator, public or
 * private, members with `;` between), `<channel>/messages.csv` (username, milliseconds, text), `directmessages/….csv` (from, to,
 * milliseconds, text). `CsvImporter.ts` in `apps/meteor/app/importer-csv/server` (2026-11).
 */
const dialect = { delimiter: ',', quote: '"', escapedBy: '"', lineEnd: 'lf' } as const;

/** Rooms that people made for two, in a folder of this name. */
const directs = /^directmessages\/.*\.csv$/i;
const facts = /^(?:users|channels)\.csv$/i;

export const isTable = (path: string): boolean => /\.csv$/i.test(path);

export const tableMarks: Marks = {
  files: /\/[^/]+\/[^/]+\.csv$/i,
  beside: [/(?:^|\/)channels\.csv$/i, /(?:^|\/)users\.csv$/i],
  text: [/^(?:\xef\xbb\xbf|\ufeff)?"?[\w.-]{1,100}"?,(?:"?[\w.-]{1,100}"?,)?"?\d{12,14}"?,/],
  shows: 'a name and milliseconds, beside "users.csv" and "channels.csv"',
};

/** Which paths are tables of such an export, by the folder that holds "channels.csv". */
export function tablesIn(paths: readonly string[]): (path: string) => PathVerdict<'table' | 'facts'> {
  const wrapper = wrapperOf(paths, (path) => facts.test(path));
  const isExport = wrapper !== undefined && paths.some((path) => facts.test(path.slice(wrapper.length)));
  return (path) => {
    if (!isExport || !path.startsWith(wrapper)) return undefined;
    const inside = path.slice(wrapper.length);
    if (facts.test(inside)) return 'facts';
    if (inside === 'contacts.csv') return { skip: 'Contacts of a help desk; they wrote no messages' };
    return isTable(inside) && inside.includes('/') ? 'table' : undefined;
  };
}

async function* rowsOf(path: string, { input }: ExportContext) {
  for await (const rows of readCsvRows(utf8Chunks(input.open(path), 'utf-8'), dialect))
    yield rows.map((row) => ({ ...row, location: { path, line: row.line } }));
}

/** People and channels. A username is the id: tables have no other. */
export async function* readTableFacts(path: string, context: ExportContext): AsyncGenerator<readonly Entry[]> {
  const isOfUsers = /users\.csv$/i.test(path);
  for await (const rows of rowsOf(path, context)) {
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
      } else into.push(recordEntry(channelOf(row.cells), location));
    }
    yield into;
  }
}

function channelOf(cells: readonly string[]): ConversationRecord {
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
  const identity = new RowIdentity();
  const notes = new RowNotes();
  const described = new Set<string>();
  let number = 0;
  for await (const rows of rowsOf(path, context)) {
    const into: Entry[] = [];
    for (const row of rows) {
      const { location } = row;
      number += 1;
      const cells = row.fault ? [] : row.cells;
      if (row.fault || cells.length < (isDirect ? 4 : 3)) {
        const reason = row.fault?.reason ?? `Expected ${isDirect ? 'four' : 'three'} fields, found ${cells.length}`;
        into.push(rejectEntry('rocketchat-bad-row', reason, location));
        continue;
      }
      const [from, to, ts, msg] = isDirect ? cells : [cells[0], undefined, cells[1], cells[2]];
      const members = [...new Set([from!, to ?? from!])].sort();
      const rid = isDirect ? members.join(',') : parts.at(-2)!;
      if (isDirect && !described.has(rid)) {
        described.add(rid);
        into.push(recordEntry({ kind: 'conversation', id: rid, type: 'direct', name: '', members }, location));
      }
      const id = identity.idOf([rid, from, ts, msg]);
      const time = /^\d{1,15}$/.test(ts!.trim()) ? Number(ts) : ts;
      const read = messageOf(
        { _id: id, rid, ts: time, msg, u: { _id: from } },
        {
          workspace: context.workspace,
          sortKey: rowSortKey(0, number),
          see: () => from || undefined,
          nameOf: context.directory.nameOf,
          idOfUsername: context.directory.idOfUsername,
          roomName: () => rid,
          note: ({ code, reason }) => notes.add(code, reason, location, into),
        },
      );
      into.push('code' in read ? rejectEntry(read.code, read.reason, location, rid) : recordEntry(read, location));
    }
    yield into;
  }
}
