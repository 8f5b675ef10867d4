import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import {
  type DatabaseFiles,
  type DatabaseKind,
  databasesIn,
  databaseVerdict,
  firstDatabase,
} from '../kit/files/app-database-files.ts';
import { appRowsAt } from '../kit/files/app-rows.ts';
import { leftOut, type PathVerdict, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { imessageCodes } from './codes.ts';
import { readDatabase } from './database-file.ts';
import { shape } from './format.ts';
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
  rowsAt: (input, _, locations, bytesMax = Number.POSITIVE_INFINITY) =>
    appRowsAt(input, locations, { shape, messages: 'message', shown: [['message', 'ROWID']], bytesMax }),
  read,
});

const files: DatabaseFiles<string> = {
  // As Apple calls it: on a Mac, on a phone, in a backup of a phone, where names are hashes.
  named: /(?:^|\/)(?:chat\.db|sms\.db|3d0d7e5fb2ce288813306e4d4636395e047a3d28)$/i,
  marks: ['chat_message_join', 'handle'],
  shape,
};

async function probe(input: ExportInput): Promise<Probe> {
  const path = await firstDatabase(input, files);
  return path === undefined ? { match: 'no' } : { match: 'certain', because: `the tables of Messages in "${path}"` };
}

async function* read(
  input: ExportInput,
  options: ImessageOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const paths = await input.paths();
  const databases = await databasesIn(input, files);
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

function verdictOf(path: string, databases: ReadonlySet<string>): PathVerdict<DatabaseKind> {
  const verdict = databaseVerdict(path, databases);
  if (verdict !== undefined) return verdict;
  const base = /^(.*\/|)Attachments\//.exec(path)?.[1];
  const isBeside = base !== undefined && [...databases].some((database) => isIn(database, base));
  return isBeside ? { skip: 'File of a message, which names it' } : undefined;
}

const isIn = (path: string, folder: string): boolean => path.slice(0, path.lastIndexOf('/') + 1) === folder;
