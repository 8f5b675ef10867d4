import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { googlevoiceCodes } from './codes.ts';
import { isMedia } from './files.ts';
import { isPageName } from './format.ts';
import { namesIn } from './names.ts';
import { type GooglevoiceOptions, googlevoiceOptionsSchema } from './options.ts';
import { isOwnerFile, ownerOf } from './owner.ts';
import { readPage } from './page-file.ts';

/** Google Voice as Google Takeout has it, as `format.ts` says. */
export const googlevoice = defineSource({
  name: 'googlevoice',
  title: 'Google Voice (Google Takeout)',
  what: 'Google Takeout of Google Voice, folder or ZIP: text messages, groups, pictures, calls and voicemails with their transcripts',
  notes: 'conversations joined by their numbers, groups, files, calls and voicemails as lines of the app',
  sortKeys: 'always',
  options: googlevoiceOptionsSchema,
  codes: googlevoiceCodes,
  probe,
  read,
});

const headBytes = 16 * 1024;
const probedMax = 6;
const marks = /class="(?:hChatLog|haudio)\b/;

const isPage = (path: string): boolean => /\.html?$/i.test(path);

async function hasMarks(input: ExportInput, path: string): Promise<boolean> {
  return marks.test(Buffer.from(await headOrNothing(input, path, headBytes)).toString('latin1'));
}

async function probe(input: ExportInput): Promise<Probe> {
  const pages = withoutClutter(await input.paths()).own.filter(isPage);
  const likely = [...pages.filter(isPageName), ...pages.filter((path) => !isPageName(path))];
  for (const path of likely.slice(0, probedMax))
    if (await hasMarks(input, path)) return { match: 'certain', because: `the classes of Google Voice in "${path}"` };
  return { match: 'no' };
}

type Kind = 'page' | 'owner';

/** Files of Takeout that hold no messages. */
const beside: readonly (readonly [path: RegExp, reason: string])[] = [
  [/(?:^|\/)archive_browser\.html$/i, "Takeout's list of its files"],
  [/(?:^|\/)Bills\.html$/i, 'Bills'],
  [/(?:^|\/)Greetings\//i, 'Greetings of the mailbox'],
];

/** Pages that were renamed are looked at, so many at most. */
const lookedMax = 100;

async function* read(
  input: ExportInput,
  options: GooglevoiceOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const paths = await input.paths();
  const renamed = new Set<string>();
  for (const path of paths.filter((one) => isPage(one) && !isPageName(one)).slice(0, lookedMax))
    if (await hasMarks(input, path)) renamed.add(path);
  const folders = new Set(paths.filter(isPageName).map(folderOf));
  const sorted = sortPaths(paths, (path) => verdictOf(path, renamed, folders));
  yield* inLists(leftOut(sorted));
  // Who "Me" is matters for every page.
  yield sorted.of('owner').map((path): Entry => ({ type: 'file', path, role: 'shared' }));
  const workspace = context.workspace ?? '';
  const inputs = context.inputs ?? [input];
  const owner = await ownerOf(inputs, options);
  const namesOf = () => namesIn(inputs);
  yield* readRowFiles({
    paths: sorted.of('page'),
    context,
    read: (path) => readPage({ input, path, workspace, owner, namesOf }),
  });
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

function verdictOf(path: string, renamed: ReadonlySet<string>, folders: ReadonlySet<string>): PathVerdict<Kind> {
  const skip = beside.find(([named]) => named.test(path))?.[1];
  if (skip !== undefined) return { skip };
  if (isPageName(path) || renamed.has(path)) return 'page';
  if (isOwnerFile(path)) return 'owner';
  return isMedia(path) && folders.has(folderOf(path)) ? { skip: 'File of a message, which names it' } : undefined;
}
