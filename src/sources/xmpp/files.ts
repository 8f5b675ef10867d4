import type { ExportInput } from '../../io/input/export-input.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import { headOrNothing, headText } from '../kit/files/file-bytes.ts';
import type { ExpectedFile } from '../kit/files/expected-files.ts';
import { isSqlite } from '../kit/files/sqlite-file.ts';
import { type ProsodyList, prosodyList } from './rows/prosody-file.ts';
import { mayBeServerDatabase } from './rows/server-database.ts';
import { type CsvHead, csvHead } from './rows/table-file.ts';

/** How a file is read. */
export type FileKind =
  | { readonly kind: 'xep-0227' }
  | { readonly kind: 'prosody'; readonly list: ProsodyList | undefined }
  | { readonly kind: 'table'; readonly head: CsvHead }
  | { readonly kind: 'database' };

const headBytes = 64 * 1024;
/** The tables of ejabberd, some 60, are described in the first pages. */
const databaseHeadBytes = 1024 * 1024;

const pie = /urn:xmpp:pie:0|tigase:xep-0227:|http:\/\/www\.xmpp\.org\/extensions\/xep-0227\.html#ns/;
const roots: ReadonlySet<string> = new Set([
  'server-data',
  'host',
  'user',
  'archive',
  'offline-messages',
  'muc',
  'room',
]);
const items = /^\s*item\s*\(/;
/** A stanza in the first items. */
const stanza = /(?:\["name"\]|\bname)\s*=\s*"(?:message|presence)"/;
const namedDatabase = /(?:^|\/)(?:ejabberd\.(?:db|sqlite)|prosody\.sqlite)$/i;
const namedTable = /archive[^/]*\.(?:csv|tsv)$/i;

/** Returns the kind of a file by its beginning; undefined for a file that no server wrote. */
export async function recognise(input: ExportInput, path: string): Promise<FileKind | undefined> {
  const bytes = await headOrNothing(input, path, headBytes);
  if (isSqlite(bytes))
    return mayBeServerDatabase(await headOrNothing(input, path, databaseHeadBytes)) || namedDatabase.test(path)
      ? { kind: 'database' }
      : undefined;
  const text = Buffer.from(bytes).toString('utf8');
  if (items.test(text)) return stanza.test(text) ? { kind: 'prosody', list: prosodyList(path) } : undefined;
  const root = findRoot(text);
  // The elements of rooms say nothing of XEP-0227, the archive inside does.
  const isOfRooms = root?.name === 'muc' || root?.name === 'room';
  if (root && roots.has(root.name) && pie.test(isOfRooms ? text : root.attributes)) return { kind: 'xep-0227' };
  const head = csvHead(text);
  return head && { kind: 'table', head };
}

const unread: CsvHead = { kind: 'ejabberd', delimiter: ',' };

/** Returns the kind of a file by its name, for a file whose beginning is damaged: it may have held messages. */
export function namedKind(path: string, isAlone: boolean): FileKind | undefined {
  const list = prosodyList(path);
  if (/\.list$/i.test(path) && (list !== undefined || isAlone)) return { kind: 'prosody', list };
  if (namedTable.test(path) || (isAlone && /\.(?:csv|tsv)$/i.test(path))) return { kind: 'table', head: unread };
  if (namedDatabase.test(path) || (isAlone && /\.(?:db|sqlite3?)$/i.test(path))) return { kind: 'database' };
  return isAlone || /\.xml$/i.test(path) ? { kind: 'xep-0227' } : undefined;
}

/** XML of another kind is no file of a server, whatever it is called. */
export async function isOtherXml(input: ExportInput, path: string): Promise<boolean> {
  const text = await headText(input, path, headBytes);
  const name = findRoot(text)?.name;
  return name !== undefined && !roots.has(name) && !/^html$/i.test(name);
}

/** Begin and end of everything that may come before the first element. */
const before: readonly (readonly [begin: string, end: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!', '>'],
];
const element = /^<(?:[\w.-]+:)?([\w.-]+)([^>]*)/;

/** The first element, step by step: one pattern for all of it would look at each comment again and again. */
function findRoot(text: string): { readonly name: string; readonly attributes: string } | undefined {
  let left = text.replace(/^\ufeff/, '').trimStart();
  for (let part = before.find(([begin]) => left.startsWith(begin)); part; ) {
    const end = left.indexOf(part[1]);
    if (end === -1) return undefined;
    left = left.slice(end + part[1].length).trimStart();
    part = before.find(([begin]) => left.startsWith(begin));
  }
  const [, name, attributes = ''] = element.exec(left) ?? [];
  return name === undefined ? undefined : { name, attributes };
}

export const expectedFiles: Readonly<Record<FileKind['kind'], ExpectedFile>> = {
  'xep-0227': {
    what: 'XML as XEP-0227 has it',
    begins: /<(?:[\w.-]+:)?(?:server-data|host|user|archive|offline-messages|muc|room)[\s>/]/,
  },
  prosody: { what: 'items of Prosody', begins: items },
  table: {
    what: 'a table with the columns of ejabberd or Prosody',
    begins: /^\ufeff?[^\r\n]*\b(?:bare_peer|peer|store)\b/,
  },
  database: { what: 'a SQLite database', begins: /^SQLite format 3/ },
};

export const findCandidates = (paths: readonly string[]): readonly string[] => {
  const { own } = withoutClutter(paths);
  return own.length === 1 ? own : own.filter((path) => mayBe.test(path));
};

const mayBe = /\.(?:xml|list|csv|tsv|db|sqlite3?)$/i;
