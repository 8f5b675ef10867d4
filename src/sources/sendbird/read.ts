import { inLists } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { expectedByName, expectedText } from '../kit/files/expected-files.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { commonWordsForMore, SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadSource } from '../source.ts';
import { Directory } from './directory.ts';
import { type ExportContext, newCounts, readList, readMessages } from './files.ts';
import { timesIn } from './format.ts';
import { readLayout } from './layout.ts';
import type { SendbirdOptions } from './options.ts';

const rowsNamed = /\.(?:json|jsonl|ndjson|csv)$/i;

export const read: ReadSource<SendbirdOptions> = async function* (exported, { zone }, context) {
  const { input, sorted, layouts } = await arrange(exported, {
    findLayout: readLayout,
    verdict: (layout) => layout?.kind,
    mayHold: (path) => rowsNamed.test(path),
    expected: (path) => expectedByName(path) ?? (rowsNamed.test(path) ? expectedText : undefined),
  });
  yield* inLists(leftOut(sorted));
  const counts = newCounts();
  const times = timesIn(zone);
  const directory = new Directory(counts, times);
  const pages = new SavedPages(input, commonWordsForMore);
  const all: ExportContext = { input, pages, workspace: context.workspace ?? '', times, directory, counts };
  for (const kind of ['people', 'members', 'channels'] as const)
    yield* readSharedFiles({
      paths: sorted.of(kind),
      context,
      read: (path) => readList(path, layouts.get(path)!, all),
    });
  yield directory.othersWithMembers(sorted.of('members'));
  const { lastMessages } = directory;
  yield* readRowFiles({
    paths: sorted.of('messages'),
    context,
    read: (path) => lastMessages.reading(readMessages(path, layouts.get(path)!, all)),
  });
  if (sorted.of('messages').every(context.wants)) yield lastMessages.missing();
};
