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
import type { ViberOptions } from './options.ts';
import { files, shape } from './format.ts';

/** An event, and what was said with it. */
const eventTables = [
  ['Events', 'EventID'],
  ['Messages', 'EventID'],
] as const;

export async function* read(
  input: ExportInput,
  options: ViberOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const databases = await databasesIn(input, files);
  const sorted = sortPaths(await input.paths(), (path) => verdictOf(path, databases));
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
) => appRowsAt(input, locations, { shape, messages: 'Events', shown: eventTables, bytesMax });

/** Files that the app keeps next to its database. */
const beside: readonly (readonly [path: RegExp, reason: string])[] = [
  [/(?:^|\/)ViberDownloads\//i, 'File of a message, which names it'],
  [/(?:^|\/)(?:Avatars|Backgrounds|Thumbnails|StickersCache|Temporary)\//i, 'Pictures of the app'],
  [/(?:^|\/)(?:config|data)\.db(?:-wal|-shm)?$/i, 'Settings of the app'],
];

function verdictOf(path: string, databases: ReadonlySet<string>): PathVerdict<DatabaseKind> {
  const verdict = databaseVerdict(path, databases);
  if (verdict !== undefined) return verdict;
  const skip = beside.find(([named]) => named.test(path))?.[1];
  return skip === undefined ? undefined : { skip };
}
