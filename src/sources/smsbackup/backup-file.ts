import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { alikeEntry, isFullList, problemEntry, invalidEntry } from '../kit/entries.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { normaliseAddress } from './format.ts';
import { blindCopies, notSent, type Place, readMessage } from './message.ts';
import type { SmsbackupOptions } from './options.ts';
import { findOwnAddress, People } from './people.ts';
import { BackupRows } from './rows.ts';

/** A backup to read. */
export interface BackupFile {
  readonly input: ExportInput;
  readonly path: string;
  readonly workspace: string;
  readonly options: SmsbackupOptions;
  readonly signal: AbortSignal;
}

/**
 * The entries of a backup, which is read twice: first for the phone's own numbers.
 *
 * Memory: a chunk of the file and a message; people and conversations, some 300 bytes each.
 */
export async function* readBackup(file: BackupFile): AsyncGenerator<readonly Entry[]> {
  const { path, workspace, options } = file;
  const people = new People(await ownAddresses(file), options.me || 'Me');
  const counts = new CountedProblems(notSent, blindCopies);
  const place: Place = { path, workspace, options, people, counts, identity: new RowIdentity(), notes: new RowNotes() };
  const found = new BackupRows();
  let count = 0;
  for await (const rows of rowLists(file, found)) {
    let entries: Entry[] = [];
    for (const row of rows) {
      const begin = entries.length;
      try {
        readMessage(row, ++count, place, entries);
      } catch (error) {
        invalidRow(error, { into: entries, begin, location: { path, line: row.line } });
      }
      if (!isFullList(entries)) continue;
      yield entries;
      entries = [];
    }
    yield entries;
  }
  yield endEntries(place, found, count);
}

/** Rows as they become whole, a list for each chunk of the file. */
async function* rowLists({ input, path }: BackupFile, found: BackupRows) {
  for await (const chunk of input.open(path)) {
    found.push(chunk);
    const rows = found.take();
    if (rows.length > 0) yield rows;
  }
}

async function ownAddresses(file: BackupFile): Promise<ReadonlySet<string>> {
  const own = new Set(file.options.own.map(normaliseAddress));
  for await (const rows of rowLists(file, new BackupRows())) {
    file.signal.throwIfAborted();
    for (const row of rows) {
      const address = findOwnAddress(row);
      if (address !== undefined) own.add(address);
    }
  }
  return own;
}

function endEntries({ path, people, counts, notes }: Place, found: BackupRows, count: number): readonly Entry[] {
  const entries: Entry[] = [];
  notes.end(path, entries);
  counts.end(path, entries);
  for (const ids of people.alike()) entries.push(alikeEntry('smsbackup-same-number', ids, { path }));
  const said = Number(found.head?.get('count') ?? count);
  if (found.isWhole && said !== count) {
    const reason = `The first line counts ${said} messages, the file has ${count}`;
    entries.push(problemEntry('smsbackup-count', reason, { path }));
  }
  if (found.isWhole) return entries;
  const reason = found.head
    ? `The file ends before "</smses>"${found.isInRow ? ', inside of a message' : ''}`
    : 'Expected a backup of SMS Backup & Restore, found no "<smses>"';
  entries.push(invalidEntry('smsbackup-cut-off', reason, { path }));
  return entries;
}
