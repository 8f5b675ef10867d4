import type { ExportInput } from '../../io/input/export-input.ts';
import { readsAsJsonLines } from '../../io/input/lines-of-json.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { inLists, problemEntry } from '../kit/entries.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { arrange } from '../kit/files/arrange.ts';
import { type ExpectedFile, expectedByName, expectedText } from '../kit/files/expected-files.ts';
import { leftOut, type PathVerdict, withoutClutter } from '../kit/files/paths.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { Answers } from './answers.ts';
import { Directory } from './directory.ts';
import { isNamedCollection, type Kind, type Layout, readLayout } from './layout.ts';
import { type ExportContext, readMessages } from './message-file.ts';
import { isTable, readTable, readTableFacts, type TableKind, tablesIn } from './table.ts';

const json = /\.(?:json|jsonl|ndjson)$/i;

/** Files that mongodump writes next to its collections. */
const besideDump = /\.metadata\.json(?:\.gz)?$|(?:^|\/)prelude\.json(?:\.gz)?$/;

/** Content of files that the server keeps in its database. */
const gridFs = /(?:^|\/)rocketchat_\w+\.(?:chunks|files)\.(?:json|jsonl|bson(?:\.gz)?)$/i;

const uploaded = /(?:^|\/)(?:file-upload|assets|ufs)\//;

const withoutMessages = /(?:^|\/)(?:rocketchat_[^/]*|ufsTokens|instances|meteor_[^/]*)\.(?:json|jsonl|bson(?:\.gz)?)$/i;

/** Collections of a dump are known by their names: some are large, and hold no text. */
const mayHoldRows = (path: string): boolean => (readsAsJsonLines(path) ? isNamedCollection(path) : json.test(path));

const isNoRows = (path: string): boolean => uploaded.test(path) || besideDump.test(path) || isTable(path);

function verdictByPath(path: string): PathVerdict<never> {
  if (uploaded.test(path)) return { skip: 'A file that was sent; messages name it' };
  if (besideDump.test(path)) return { skip: 'Indexes of a collection, or the head of a dump' };
  if (gridFs.test(path))
    return { skip: 'Content of files (GridFS), which is not migrated: take it from the server, or its file store' };
  return withoutMessages.test(path) ? { skip: 'A collection that holds no messages' } : undefined;
}

/** `mongoexport` writes nothing for a collection that is empty. */
function expected(path: string): ExpectedFile | undefined {
  if (isTable(path)) return expectedText;
  const file = expectedByName(path);
  return file && { ...file, mayBeEmpty: isNamedCollection(path) };
}

export const read: ReadSource = async function* (exported, _options, context) {
  const tables = tablesIn(withoutClutter(await exported.paths()).own);
  const { input, sorted, layouts } = await arrange<Layout, Kind | TableKind>(exported, {
    findLayout: async (files, path) => (isNoRows(path) ? undefined : readLayout(files, path)),
    verdict: (layout, path) => layout?.kind ?? tables(path) ?? verdictByPath(path),
    mayHold: mayHoldRows,
    expected,
  });
  yield* inLists(leftOut(sorted));
  const answers = await Answers.of(input, layouts);
  const counts = new CountedProblems('profile-detail-not-migrated', 'rocketchat-not-migrated');
  const directory = new Directory(counts);
  const shared = {
    people: (value: unknown, at: Location, into: Entry[]) => directory.addPerson(value, at, into),
    memberships: (value: unknown) => directory.addSubscription(value),
    rooms: (value: unknown, at: Location, into: Entry[]) => directory.addRoom(value, at, into),
  };
  for (const kind of ['people', 'memberships', 'rooms'] as const) {
    const readOne = (path: string) =>
      readShared(input, path, layouts.get(path)!, { add: shared[kind], counts, answers });
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: readOne });
  }
  const files = await localFiles(input, folderAround(await input.paths()));
  const all: ExportContext = { input, workspace: context.workspace ?? '', directory, files, answers };
  for (const kind of ['table-of-people', 'table-of-rooms'] as const)
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: (path) => readTableFacts(path, all) });
  const { lastMessages } = directory;
  const readRows = (path: string) => lastMessages.reading(readMessages(path, layouts.get(path)!, all));
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readRows });
  if (sorted.of('messages').every(context.wants)) yield lastMessages.missing();
  yield* readRowFiles({ paths: sorted.of('table'), context, read: (path) => readTable(path, all) });
};

/** State for reading files of people and rooms. */
interface SharedReading {
  add(value: unknown, location: Location, into: Entry[]): void;
  readonly counts: CountedProblems;
  readonly answers: Answers;
}

async function* readShared(
  input: ExportInput,
  path: string,
  { at }: Layout,
  { add, counts, answers }: SharedReading,
): AsyncGenerator<readonly Entry[]> {
  const behind = new FieldsBehind();
  yield* readJsonEntries(behind.watch(input), path, at, {
    add: ({ value, location }, into) => void add(value, location, into),
    addFault: ({ fault, location }, into) => void into.push(problemEntry(fault.code, fault.reason, location)),
    end: () => [...answers.missingFrom(path, behind), ...counts.ended(path)],
  });
}

/** Returns the folder that contains `file-upload`, with its slash. */
const folderAround = (paths: readonly string[]): string =>
  paths.map((path) => /^((?:[^/]+\/)*?)file-upload\//.exec(path)?.[1]).find((found) => found !== undefined) ?? '';
