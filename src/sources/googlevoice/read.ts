import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { leftOut, type PathVerdict, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { isMedia } from './files.ts';
import { isPageName } from './format.ts';
import { namesIn } from './names.ts';
import type { GooglevoiceOptions } from './options.ts';
import { isOwnerFile, findOwner } from './owner.ts';
import { readPage } from './page-file.ts';
import { hasMarks, isPage } from './files.ts';

type Kind = 'page' | 'owner';

/** Files of Takeout that hold no messages. */
const beside: readonly (readonly [path: RegExp, reason: string])[] = [
  [/(?:^|\/)archive_browser\.html$/i, "Takeout's list of its files"],
  [/(?:^|\/)Bills\.html$/i, 'Bills'],
  [/(?:^|\/)Greetings\//i, 'Greetings of the mailbox'],
];

/** Pages that were renamed are looked at, so many at most. */
const lookedMax = 100;

export const read: ReadSource<GooglevoiceOptions> = async function* (input, options, context) {
  const paths = await input.paths();
  const renamed = new Set<string>();
  for (const path of paths.filter((one) => isPage(one) && !isPageName(one)).slice(0, lookedMax))
    if (await hasMarks(input, path)) renamed.add(path);
  const folders = new Set(paths.filter(isPageName).map(folderOf));
  const sorted = sortPaths(paths, (path) => judgePath(path, renamed, folders));
  yield* inLists(leftOut(sorted));
  // Who "Me" is matters for every page.
  yield sorted.of('owner').map((path): Entry => ({ type: 'file', path, role: 'shared' }));
  const workspace = context.workspace ?? '';
  const inputs = context.inputs ?? [input];
  const owner = await findOwner(inputs, options);
  const namesOf = () => namesIn(inputs);
  yield* readRowFiles({
    paths: sorted.of('page'),
    context,
    read: (path) => readPage({ input, path, workspace, owner, namesOf }),
  });
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

function judgePath(path: string, renamed: ReadonlySet<string>, folders: ReadonlySet<string>): PathVerdict<Kind> {
  const skip = beside.find(([named]) => named.test(path))?.[1];
  if (skip !== undefined) return { skip };
  if (isPageName(path) || renamed.has(path)) return 'page';
  if (isOwnerFile(path)) return 'owner';
  return isMedia(path) && folders.has(folderOf(path)) ? { skip: 'File of a message, which names it' } : undefined;
}
