import { inLists } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut, type PathVerdict } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import { type PageField, SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadSource } from '../source.ts';
import { type Layout, findLayout, type Role } from './layout.ts';
import { Directory } from './people.ts';
import { EventsFile, SummariesFile } from './rows.ts';

const verdict = (layout: Layout | undefined): PathVerdict<Exclude<Role, 'version 2'>> =>
  layout?.role === 'version 2'
    ? { chat: 'Chats of the REST API of version 2 are not read: fetch list_archives' }
    : layout?.role;

export const read: ReadSource = async function* (exported, _options, context) {
  const { input, sorted, layouts } = await arrange(exported, { findLayout, verdict });
  yield* inLists(leftOut(sorted));
  const directory = new Directory();
  const pages = new SavedPages(input, wordsForMore);
  const workspace = context.workspace ?? '';
  const readFile = (path: string, File: typeof EventsFile | typeof SummariesFile) => {
    const layout = layouts.get(path)!;
    const hasMessages = File === EventsFile;
    const file = new File({ path, layout, workspace, directory, hasMessages, codes: ['livechat-not-migrated'] });
    // Threads name those before and after them: a page of them that is missing is noticed by that.
    return layout.hasThreadsAlone ? readJsonEntries(input, path, layout.at, file) : pages.read(path, layout.at, file);
  };
  yield* readSharedFiles({ paths: sorted.of('summaries'), context, read: (path) => readFile(path, SummariesFile) });
  const { threads } = directory;
  const readEvents = (path: string) => threads.reading(readFile(path, EventsFile));
  yield* readRowFiles({ paths: sorted.of('events'), context, read: readEvents });
  if (sorted.of('events').every(context.wants)) yield threads.missing();
};

const wordsForMore = (field: PageField): string | undefined => {
  const next = field('next_page_id');
  return typeof next === 'string' && next !== '' ? '"next_page_id" is there' : undefined;
};
