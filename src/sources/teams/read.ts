import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, problemEntry } from '../kit/entries.ts';
import { type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { Directory } from './directory.ts';
import { Fields } from './format.ts';
import { describeHolders } from './nested.ts';
import { type Kind, readLayout, sharedKinds } from './layout.ts';
import { findMedia, readPersonalFile } from './personal.ts';
import { unfinishedLists } from './pages.ts';
import { readRowFile } from './row-file.ts';

export const read: ReadSource = async function* (all, _options, context) {
  const input = expectFiles(all, expectedByName);
  const { sorted, at } = await readLayout(input);
  yield* inLists(leftOut(sorted));
  const unfinished = await unfinishedLists(
    input,
    [...sharedKinds, 'rows' as const].flatMap((kind) => sorted.of(kind)),
  );
  const directory = new Directory();
  directory.noteReplyFiles(sorted.of('rows'));
  for (const kind of sharedKinds)
    yield* readSharedFiles({
      paths: sorted.of(kind),
      context,
      read: (path) => withUnfinished(unfinished.get(path), readShared(input, path, { at: at(path), kind, directory })),
    });
  const workspace = context.workspace ?? '';
  const { lastMessages } = directory;
  const readRows = (path: string) =>
    lastMessages.reading(readRowFile(input, path, { at: at(path), directory, workspace }));
  yield* readRowFiles({
    paths: sorted.of('rows'),
    context,
    read: (path) => withUnfinished(unfinished.get(path), readRows(path)),
  });
  const readNested = (path: string) =>
    readNestedFile(input, path, { at: at(path), directory: new Directory(directory), workspace });
  yield* readRowFiles({
    paths: sorted.of('nested'),
    context,
    read: (path) => lastMessages.reading(readNested(path)),
  });
  if ([...sorted.of('rows'), ...sorted.of('nested')].every(context.wants)) yield lastMessages.missing();
  const personal = sorted.of('personal');
  if (personal.length === 0) return;
  const media = await findMedia(input);
  yield* readRowFiles({
    paths: personal,
    context,
    read: (path) => readPersonalFile(input, path, { workspace, media }),
  });
};

async function* withUnfinished(
  entry: Entry | undefined,
  entries: AsyncIterable<readonly Entry[]>,
): AsyncGenerator<readonly Entry[]> {
  yield* entries;
  if (entry) yield [entry];
}

/** Chats with their messages in them: described before anything of them is read. */
async function* readNestedFile(
  input: ExportInput,
  path: string,
  context: Parameters<typeof readRowFile>[2],
): AsyncGenerator<readonly Entry[]> {
  yield* describeHolders(input, path, context);
  yield* readRowFile(input, path, { ...context, isNested: true });
}

async function* readShared(
  input: ExportInput,
  path: string,
  {
    at,
    kind,
    directory,
  }: { at: JsonRowsAt; kind: Exclude<Kind, 'rows' | 'nested' | 'personal'>; directory: Directory },
): AsyncGenerator<readonly Entry[]> {
  for await (const rows of readJsonRows(input.open(path), path, at)) {
    const into: Entry[] = [];
    for (const { location, value, fault } of rows) {
      const begin = into.length;
      try {
        if (fault) into.push(problemEntry(fault.code, fault.reason, location));
        else directory.add(kind, new Fields(value), location, into);
      } catch (error) {
        leaveOutRow(error, { into, begin, location });
      }
    }
    yield into;
  }
}
