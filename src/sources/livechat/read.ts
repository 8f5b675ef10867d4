import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut, type PathVerdict } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import { type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { type PageField, SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadContext } from '../source.ts';
import { FileContext } from './chat.ts';
import { type Layout, layoutOf, type Role } from './layout.ts';
import { Directory } from './people.ts';
import { EventsFile, SummariesFile } from './rows.ts';
import { Threads } from './threads.ts';

const verdict = (layout: Layout | undefined): PathVerdict<Exclude<Role, 'version 2'>> =>
  layout?.role === 'version 2'
    ? { chat: 'Chats of the REST API of version 2 are not read: fetch list_archives' }
    : layout?.role;

export async function* read(
  exported: ExportInput,
  _options: object,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const { input, sorted, layouts } = await arrange(exported, { layoutOf, verdict });
  yield* inLists(leftOut(sorted));
  const directory = new Directory();
  const threads = new Threads();
  const pages = new SavedPages(input, wordsForMore);
  const newCounts = () => new CountedProblems('livechat-not-migrated');
  const readFile = async function* (path: string, file: JsonFile) {
    const { at, hasThreadsAlone } = layouts.get(path)!;
    const behind = new FieldsBehind();
    yield* readJsonEntries(behind.watch(input), path, at, file);
    // Threads name those before and after them: a page of them that is missing is noticed by that.
    if (at.layout === 'list' && !hasThreadsAlone) yield await pages.missingAfter(path, behind);
  };
  yield* readSharedFiles({
    paths: sorted.of('summaries'),
    context,
    read: (path) => readFile(path, new SummariesFile(path, directory, threads, newCounts())),
  });
  const workspace = context.workspace ?? '';
  const readEvents = async function* (path: string) {
    const shared = { workspace, directory, threads, counts: newCounts(), chat: directory.chatIn(path) };
    try {
      yield* readFile(path, new EventsFile(path, new FileContext(shared)));
    } catch (error) {
      threads.isCutOff = true;
      throw error;
    }
  };
  yield* readRowFiles({ paths: sorted.of('events'), context, read: readEvents });
  if (sorted.of('events').every(context.wants)) yield threads.missing();
}

const wordsForMore = (field: PageField): string | undefined => {
  const next = field('next_page_id');
  return typeof next === 'string' && next !== '' ? '"next_page_id" is there' : undefined;
};
