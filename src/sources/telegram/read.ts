import type { ExportInput } from '../../io/input/export-input.ts';
import { inLists } from '../kit/entries.ts';
import { type ExpectedFile, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { type FileTogether, surveyOnce } from '../kit/files/together.ts';
import type { ReadContext, ReadSource } from '../source.ts';
import { personId } from './format.ts';
import { chatsOfPages, folderOf, type PageChatsOfInput } from './page-chats.ts';
import { PageFile } from './page-file.ts';
import { readResult } from './result-file.ts';
import type { TelegramOptions } from './options.ts';

const expectedPage: ExpectedFile = {
  what: 'a page of Telegram Desktop',
  begins: /class="(?:page_wrap|page_header|message)|<title>Exported Data/,
};

export const read: ReadSource<TelegramOptions> = async function* (exported, { self, zone }, context) {
  const input = withPages(exported);
  const sorted = await sortedPaths(input);
  yield* inLists(leftOut(sorted));
  const resultOptions = { workspace: context.workspace ?? '', zone, self: personId(self) };
  yield* readRowFiles({
    paths: sorted.of('result'),
    context,
    read: (path) => readResult(input, path, resultOptions),
  });
  const { chats, entries } = await surveyChats(exported, context);
  yield* inLists(entries);
  yield* readRowFiles({
    paths: sorted.of('page'),
    context,
    read: (path) => new PageFile(input, path, resultOptions, chats.get(folderOf(path))).read(),
  });
};

const withPages = (exported: ExportInput): ExportInput =>
  expectFiles(exported, (path) => (/\.html$/i.test(path) ? expectedPage : undefined));

async function sortedPaths(input: ExportInput) {
  const paths = await input.paths();
  const isAlone = withoutClutter(paths).own.length === 1;
  const results = new Set(paths.filter((path) => isResult.test(path)).map(folderOf));
  return sortPaths(paths, (path) => {
    if (isAlone) return /\.html$/i.test(path) ? 'page' : 'result';
    return judgePath(path, results);
  });
}

/** Returns the chats of this input's pages, distinguished from those of the other inputs that are read with it. */
async function surveyChats(exported: ExportInput, { inputs = [exported] }: ReadContext): Promise<PageChatsOfInput> {
  const survey = await surveyOnce(inputs, 'telegram pages', async () => {
    const pages: FileTogether[] = [];
    for (const other of inputs) {
      const input = withPages(other);
      for (const path of (await sortedPaths(input)).of('page')) pages.push({ input, path });
    }
    return chatsOfPages(inputs, pages);
  });
  return survey.get(exported.key)!;
}

const mediaFolder =
  /(?:^|\/)(?:photos|files|video_files|voice_messages|round_video_messages|stickers|contacts|chats|profile_pictures|stories|userphotos)\//;

const isResult = /(?:^|\/)result(?: ?\(?\d+\)?)?\.json$/;

/**
 * One folder may hold several exports, each in its own.
 *
 * @param results Folders with a result.json: pages in and below them say the same once more.
 */
function judgePath(path: string, results: ReadonlySet<string>): PathVerdict<'result' | 'page'> {
  if (isResult.test(path)) return 'result';
  if (/\.html$/.test(path) && [...results].some((folder) => path.startsWith(folder))) {
    return { skip: 'The same as pages; result.json is read' };
  }
  if (/(?:^|\/)messages\d*\.html$/.test(path)) return 'page';
  if (/(?:^|\/)(?:export_results|lists\/[^/]+)\.html$/.test(path)) return { skip: 'A list of the exported data' };
  if (mediaFolder.test(path)) return { skip: 'File of a message, which names it' };
  if (/(?:^|\/)(?:css|js|images)\/[^/]+$/.test(path)) return { skip: 'Look of the pages' };
  return /^[^/]+\.json$/.test(path) ? 'result' : undefined;
}
