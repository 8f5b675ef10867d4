import { decoded } from '../../lib/text/decoded.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, partialEntry } from '../kit/entries.ts';
import { expectFiles } from '../kit/files/expected-files.ts';
import { isOnDisk } from '../kit/files/on-disk.ts';
import { leftOut, type PathVerdict, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { surveyOnce } from '../kit/files/together.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { unforeseen } from '../kit/rows/row-boundary.ts';
import type { ReadSource } from '../source.ts';
import type { RowsAt, ShownRow } from '../table-source.ts';
import { expectedFiles, type FileKind, isOtherXml, recognise, namedKind } from './files.ts';
import { Directory } from './message/people.ts';
import { Rooms } from './message/rooms.ts';
import { mayBeInRoom, noteRoom, placeStanza } from './message/where.ts';
import { prosodyRows } from './rows/prosody-file.ts';
import type { Row } from './rows/row.ts';
import { sqliteRows, sqliteRowsAt } from './rows/server-database.ts';
import { csvRows } from './rows/table-file.ts';
import { xep0227Rows } from './rows/xep-0227-file.ts';
import { counted, readStanzas, stanzasIn } from './stanza-file.ts';
import { findCandidates } from './files.ts';

/** The row files of an export, by path. */
async function kindsIn(input: ExportInput): Promise<ReadonlyMap<string, FileKind>> {
  const candidates = findCandidates(await input.paths());
  const isAlone = candidates.length === 1;
  const kinds = new Map<string, FileKind>();
  for (const path of candidates) {
    const found = await recognise(input, path);
    const named = found ?? namedKind(path, isAlone);
    if (named && (found || named.kind !== 'xep-0227' || !(await isOtherXml(input, path)))) kinds.set(path, named);
  }
  return kinds;
}

type Verdict = 'rows' | 'log';

function judgePath(path: string, kinds: ReadonlyMap<string, FileKind>): PathVerdict<Verdict> {
  if (kinds.has(path)) return 'rows';
  if (kinds.get(path.replace(/-(?:wal|shm)$/, ''))?.kind === 'database') return 'log';
  if (![...kinds.values()].some(({ kind }) => kind === 'prosody')) return undefined;
  if (/\.dat$/.test(path)) return { skip: 'Accounts, contact lists and settings of Prosody' };
  if (/\.lidx$/.test(path)) return { skip: 'Index of a list of Prosody' };
  return /\.list$/.test(path) ? { skip: 'List of Prosody without messages' } : undefined;
}

export const read: ReadSource = async function* (exported, _options, context) {
  const paths = await exported.paths();
  const kinds = await kindsIn(exported);
  const sorted = sortPaths(paths, (path) => judgePath(path, kinds));
  yield* inLists(leftOut(sorted));
  // A change in the log changes every row.
  yield sorted.of('log').map((path): Entry => ({ type: 'file', path, role: 'shared' }));
  const input = expectFiles(exported, (path) => {
    const kind = kinds.get(path);
    return kind && expectedFiles[kind.kind];
  });
  const hosts = roomHosts(kinds);
  const tables = [...kinds.values()].filter(({ kind }) => kind === 'table' || kind === 'database').length;
  const readOne = async function* (path: string): AsyncGenerator<readonly Entry[]> {
    const shared =
      hosts.size > 0 || tables > 1 ? await readRooms(context.inputs ?? [exported], context.signal) : undefined;
    const file = new ServerFile({ input, path, kind: kinds.get(path)!, paths: new Set(paths) });
    const rooms = new Rooms(hosts, shared);
    const { directory, counts } = file;
    const content = { directory, counts, rows: () => file.rows(), around: () => file.around() };
    yield* readStanzas({ path, workspace: context.workspace ?? '', rooms, ...content });
  };
  yield* readRowFiles({ paths: sorted.of('rows'), context, read: readOne });
};

/** Rows of the other files are pieces of text. */
export const rowsAt: RowsAt = async (input, _, locations, bytesMax = Number.POSITIVE_INFINITY) => {
  const found = new Map<string, ShownRow>();
  for (const [path, ofPath] of Map.groupBy(locations, (location) => location.path)) {
    if ((await recognise(input, path))?.kind !== 'database') continue;
    if (!(await isOnDisk(input, path)) && (await input.stat(path)).sizeBytes > bytesMax) continue;
    for (const [place, row] of await sqliteRowsAt(input, path, ofPath)) found.set(place, row);
  }
  return found;
};

/** Prosody keeps rooms at hosts of their own. */
function roomHosts(kinds: ReadonlyMap<string, FileKind>): ReadonlySet<string> {
  const lists = [...kinds.values()].flatMap((kind) => (kind.kind === 'prosody' && kind.list ? [kind.list] : []));
  return new Set(lists.filter(({ store }) => store === 'muc_log').map(({ host }) => host));
}

/** Rooms and nicks of all files that hold rooms: private messages inside of rooms are in other files. */
function readRooms(inputs: readonly ExportInput[], signal: AbortSignal): Promise<Rooms> {
  return surveyOnce(inputs, 'xmpp rooms', async () => {
    const files: { readonly input: ExportInput; readonly kinds: ReadonlyMap<string, FileKind> }[] = [];
    for (const input of inputs) files.push({ input, kinds: await kindsIn(input) });
    const rooms = new Rooms(new Set(files.flatMap(({ kinds }) => [...roomHosts(kinds)])));
    for (const { input, kinds } of files) {
      for (const [path, kind] of kinds) {
        // It holds what a person has: rooms are not in this format.
        if (kind.kind !== 'xep-0227')
          await noteRooms(new ServerFile({ input, path, kind, paths: new Set() }), rooms, signal);
      }
    }
    return rooms;
  });
}

/** A file that cannot be read says so when it is read itself. */
async function noteRooms(file: ServerFile, rooms: Rooms, signal: AbortSignal): Promise<void> {
  try {
    for await (const rows of file.rows()) {
      signal.throwIfAborted();
      for (const row of rows) noteRoomsIn(row, rooms);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}

function noteRoomsIn(row: Row, rooms: Rooms): void {
  if (!row.room && row.written !== undefined && !mayBeInRoom(row.written, rooms)) return;
  try {
    for (const stanza of stanzasIn(row)) {
      const where = placeStanza(stanza, rooms);
      if ('conversation' in where) noteRoom(rooms, stanza, where);
    }
  } catch (error) {
    unforeseen(error);
  }
}

interface FilePlace {
  readonly input: ExportInput;
  readonly path: string;
  readonly kind: FileKind;
  readonly paths: ReadonlySet<string>;
}

/** The rows of one file, and what is around them. */
class ServerFile {
  readonly directory = new Directory();
  readonly counts = new CountedProblems(...counted);
  readonly #place: FilePlace;
  /** Files that are named and missing, by their paths. */
  readonly #missing = new Map<string, number>();
  readonly #columns = new Map<string, number>();

  constructor(place: FilePlace) {
    this.#place = place;
  }

  rows(): AsyncIterable<readonly Row[]> {
    const { input, path, kind } = this.#place;
    this.#columns.clear();
    const other = (what: string) => this.counts.add('xmpp-not-migrated', what);
    const column = (name: string) => void this.#columns.set(name, (this.#columns.get(name) ?? 0) + 1);
    if (kind.kind === 'prosody') return prosodyRows(input, path, kind.list);
    if (kind.kind === 'table') return csvRows(input, path, kind.head, { other, column });
    if (kind.kind === 'database') return sqliteRows(input, path, { other, column });
    const name = (jid: string, own: string) => this.directory.name(jid, own);
    return xep0227Rows(input, path, { name, other, include: (href, line) => this.#include(href, line) });
  }

  around(): readonly Entry[] {
    const { path } = this.#place;
    const missing = [...this.#missing].map(([href, line]) =>
      partialEntry(`The file includes "${href.slice(0, 200)}", which is not in the export`, { path, line }),
    );
    const columns = [...this.#columns].map(([column, count]): Entry => {
      const reason = `${JSON.stringify(column.slice(0, 80))} has a value in ${count} ${count === 1 ? 'row' : 'rows'}`;
      return { type: 'problem', code: 'column-not-migrated', reason, location: { path }, count, column };
    });
    return [...missing, ...columns];
  }

  /** The file is read by itself, if it is there. */
  #include(href: string, line: number): void {
    const { path, paths } = this.#place;
    const steps = path.split('/').slice(0, -1);
    for (const step of decoded(href).split('/')) {
      if (step === '..') steps.pop();
      else if (step !== '.' && step !== '') steps.push(step);
    }
    const isRelative = !/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(href);
    if (!isRelative || !paths.has(steps.join('/'))) this.#missing.set(href, line);
  }
}
