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
import { viberCodes } from './codes.ts';
import { readDatabase } from './database-file.ts';
import { shape } from './format.ts';
import { type ViberOptions, viberOptionsSchema } from './options.ts';

/** The database of Viber for computers, as `format.ts` says. */
export const viber = defineSource({
  name: 'viber',
  title: 'Viber (viber.db)',
  what: 'the database of Viber for computers (`viber.db`), decrypted where the app encrypts it, with the files next to it',
  notes:
    'pictures, stickers, places and contacts, reactions, edits and deleted messages, pins and calls as lines of the app',
  sortKeys: 'always',
  options: viberOptionsSchema,
  codes: viberCodes,
  probe,
  rowsAt: (input, _, locations, bytesMax = Number.POSITIVE_INFINITY) =>
    appRowsAt(input, locations, { shape, messages: 'Events', shown: eventTables, bytesMax }),
  read,
});

/** An event, and what was said with it. */
const eventTables = [
  ['Events', 'EventID'],
  ['Messages', 'EventID'],
] as const;

const files: DatabaseFiles<string> = {
  named: /(?:^|\/)viber\.db$/i,
  marks: ['ChatRelation', 'ChatInfo', 'Events'],
  shape,
};

async function probe(input: ExportInput): Promise<Probe> {
  const path = await firstDatabase(input, files);
  return path === undefined ? { match: 'no' } : { match: 'certain', because: `the tables of Viber in "${path}"` };
}

async function* read(
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
