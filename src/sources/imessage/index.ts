import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { isSqlite } from '../kit/files/sqlite-file.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { imessageCodes } from './codes.ts';
import { readDatabase } from './database-file.ts';
import { MessagesDatabase } from './open-database.ts';
import { type ImessageOptions, imessageOptionsSchema } from './options.ts';

/** The database of Messages, as `format.ts` says. */
export const imessage = defineSource({
  name: 'imessage',
  title: 'iMessage (chat.db, sms.db)',
  what: 'the database of Messages of macOS (`chat.db`) and of an iPhone or its backup (`sms.db`), with the files next to it',
  notes: 'texts in archives of Apple, reactions, edits and unsent messages, several addresses of one person, files',
  sortKeys: 'always',
  options: imessageOptionsSchema,
  codes: imessageCodes,
  probe,
  read,
});

const headBytes = 64 * 1024;
const probedMax = 8;

/** As Apple calls it: on a Mac, on a phone, in a backup of a phone, where names are hashes. */
const named = /(?:^|\/)(?:chat\.db|sms\.db|3d0d7e5fb2ce288813306e4d4636395e047a3d28)$/i;
const mayBe = /\.(?:db|sqlite3?)$/i;
/** The tables' names are in the first pages of most files. */
const marks = ['chat_message_join', 'handle'];

const candidatesOf = (paths: readonly string[]): readonly string[] =>
  paths.length === 1 ? paths : paths.filter((path) => named.test(path) || mayBe.test(path));

async function probe(input: ExportInput): Promise<Probe> {
  const { own } = withoutClutter(await input.paths());
  for (const path of candidatesOf(own).slice(0, probedMax))
    if (await isOfMessages(input, path)) return { match: 'certain', because: `the tables of Messages in "${path}"` };
  return { match: 'no' };
}

async function isOfMessages(input: ExportInput, path: string): Promise<boolean> {
  const head = await headOrNothing(input, path, headBytes);
  if (!isSqlite(head)) return false;
  const text = Buffer.from(head).toString('latin1');
  return marks.every((mark) => text.includes(mark)) || (named.test(path) && opens(input, path));
}

async function opens(input: ExportInput, path: string): Promise<boolean> {
  try {
    (await MessagesDatabase.open(input, path)).close();
    return true;
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}

type Kind = 'database' | 'log';

async function* read(
  input: ExportInput,
  options: ImessageOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const paths = await input.paths();
  const databases = await databasesIn(input, paths);
  const sorted = sortPaths(paths, (path) => verdictOf(path, databases));
  yield* inLists(leftOut(sorted));
  // A change in the log changes every row.
  yield sorted.of('log').map((path): Entry => ({ type: 'file', path, role: 'shared' }));
  const workspace = context.workspace ?? '';
  yield* readRowFiles({
    paths: sorted.of('database'),
    context,
    read: (path) => readDatabase({ input, path, workspace, options }),
  });
}

/** One of such a name that holds something else may have held messages: reading it says what was found. */
async function databasesIn(input: ExportInput, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const candidates = candidatesOf(withoutClutter(paths).own);
  for (const path of candidates)
    if (named.test(path) || candidates.length === 1 || (await isOfMessages(input, path))) found.add(path);
  return found;
}

function verdictOf(path: string, databases: ReadonlySet<string>): PathVerdict<Kind> {
  if (databases.has(path)) return 'database';
  if (databases.has(path.replace(/-(?:wal|shm)$/, ''))) return 'log';
  const base = /^(.*\/|)Attachments\//.exec(path)?.[1];
  const isBeside = base !== undefined && [...databases].some((database) => isIn(database, base));
  return isBeside ? { skip: 'File of a message, which names it' } : undefined;
}

const isIn = (path: string, folder: string): boolean => path.slice(0, path.lastIndexOf('/') + 1) === folder;
