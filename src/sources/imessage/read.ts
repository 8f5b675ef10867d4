import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { type DatabaseKind, databasesIn, databaseVerdict } from '../kit/files/app-database-files.ts';
import { appRowsAt } from '../kit/files/app-rows.ts';
import { leftOut, type PathVerdict, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadContext } from '../source.ts';
import { readDatabase } from './database-file.ts';
import type { ImessageOptions } from './options.ts';
import { files, shape } from './format.ts';

export async function* read(
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

export const rowsAt = (
  input: ExportInput,
  _: object,
  locations: readonly Location[],
  bytesMax = Number.POSITIVE_INFINITY,
) => appRowsAt(input, locations, { shape, messages: 'message', shown: [['message', 'ROWID']], bytesMax });

function verdictOf(path: string, databases: ReadonlySet<string>): PathVerdict<DatabaseKind> {
  const verdict = databaseVerdict(path, databases);
  if (verdict !== undefined) return verdict;
  const base = /^(.*\/|)Attachments\//.exec(path)?.[1];
  const isBeside = base !== undefined && [...databases].some((database) => isIn(database, base));
  return isBeside ? { skip: 'File of a message, which names it' } : undefined;
}

const isIn = (path: string, folder: string): boolean => path.slice(0, path.lastIndexOf('/') + 1) === folder;
