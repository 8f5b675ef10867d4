import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { commonWordsForMore, SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadSource } from '../source.ts';
import { type Layout, findLayout } from './layout.ts';
import { Originals } from './originals.ts';
import { Directory, ListFile, MessagesFile } from './rows.ts';

export const read: ReadSource = async function* (exported, _options, context) {
  const { input, sorted, layouts } = await arrange(exported, { findLayout, verdict: (layout) => layout?.kind });
  yield* inLists(leftOut(sorted));
  const directory = new Directory(new Originals(input, sorted.of('originals')));
  const pages = pagesIn(input, layouts);
  const workspace = context.workspace ?? '';
  const readFile = async function* (path: string, File: typeof ListFile | typeof MessagesFile) {
    const layout = layouts.get(path)!;
    const hasMessages = File === MessagesFile;
    const file = new File({ path, layout, workspace, directory, hasMessages, codes: ['hubspot-not-migrated'] });
    yield* pages(layout.thread).read(path, layout.at, file);
  };
  for (const kind of ['actors', 'threads', 'originals'] as const) {
    const readList = (path: string) => readFile(path, ListFile);
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: readList });
  }
  const { lastMessages, originals } = directory;
  const readRows = (path: string) => lastMessages.reading(readFile(path, MessagesFile));
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readRows });
  if (!sorted.of('messages').every(context.wants)) return;
  yield lastMessages.missing();
  if (lastMessages.isWhole) yield originals.unused().map(unusedOriginal);
};

/**
 * Pages of the messages of one thread, and of all other lists: answers for two threads may differ in a number of their paths alone. A file that
 * cannot be read may be a page of any thread.
 */
function pagesIn(input: ExportInput, layouts: ReadonlyMap<string, Layout>): (thread: string | undefined) => SavedPages {
  const byThread = Map.groupBy(layouts.keys(), (path) => layouts.get(path)!.thread);
  const known = new Map<string | undefined, SavedPages>();
  return (thread) => {
    const paths = async () => [...(byThread.get(thread) ?? []), ...((thread && byThread.get(undefined)) || [])];
    const pages = known.get(thread) ?? new SavedPages({ ...input, paths }, commonWordsForMore);
    known.set(thread, pages);
    return pages;
  };
}

const unusedOriginal = (path: string): Entry => {
  const reason = 'The path names no message whose text is not whole';
  return { type: 'problem', code: 'hubspot-not-migrated', reason, location: { path } };
};
