import type { Entry } from '../../model/entry.ts';
import { inLists, partialEntry } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut, type PathVerdict } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import type { ReadSource } from '../source.ts';
import { type Layout, findLayout, conversationOf } from './layout.ts';
import { Directory, RowsFile } from './rows.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { asArray, asObject } from '../kit/narrow.ts';
import { readFirst } from '../kit/rows/first-pass.ts';

const known = {
  empty: { skip: 'An answer without rows' },
  others: { skip: 'Mailboxes, tags, teams or other settings: no conversations' },
} as const;

function verdict(layout?: Layout): PathVerdict<'conversations' | 'threads' | 'people' | 'lists'> {
  const role = layout?.role;
  return role === 'empty' || role === 'others' ? known[role] : role;
}

export const read: ReadSource = async function* (exported, _options, context) {
  const { input, sorted, layouts } = await arrange(exported, { findLayout, verdict });
  yield* inLists(leftOut(sorted));
  yield missingPages(layouts);
  const directory = new Directory(answeredIn(layouts));
  const workspace = context.workspace ?? '';
  const readOne = (path: string) => {
    const layout = layouts.get(path)!;
    const hasMessages = layout.role === 'threads' || layout.role === 'conversations';
    const codes = ['profile-detail-not-migrated', 'helpscout-not-migrated'];
    const file = new RowsFile({ path, layout, workspace, directory, hasMessages, codes });
    return readJsonEntries(input, path, layout.at, file);
  };
  for (const kind of ['people', 'lists'] as const)
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: readOne });
  const paths = [...sorted.of('conversations'), ...sorted.of('threads')];
  // A conversation may be in any of them, also in one that is not wanted.
  const first = sorted.of('threads').some(context.wants) ? paths : [];
  for (const path of first) {
    const { at, bare } = layouts.get(path)!;
    await addDeletedIn(input, { path, at, bare, signal: context.signal }, directory);
  }
  yield* readRowFiles({ paths, context, read: readOne });
  yield withoutThreads(directory, layouts);
};

/** Conversations whose threads, or the answer that there are none, have a file. */
const answeredIn = (layouts: ReadonlyMap<string, Layout>): ReadonlySet<string> =>
  new Set(
    [...layouts.values()].flatMap((layout) => {
      const conversation = layout.role === 'threads' || layout.role === 'empty' ? conversationOf(layout) : undefined;
      return conversation === undefined ? [] : [conversation];
    }),
  );

/** Lists without `embed=threads` have no threads: those of each conversation are asked for by themselves. */
function withoutThreads({ listed, answered }: Directory, layouts: ReadonlyMap<string, Layout>): readonly Entry[] {
  const missing = [...listed].filter((id) => !answered.has(id));
  const path = [...layouts].find(([, { role }]) => role === 'lists')?.[0];
  if (missing.length === 0 || path === undefined) return [];
  return [
    partialEntry(`threads of conversations are missing, such as those of ${missing[0]}`, { path }, missing.length),
  ];
}

interface ThreadFile extends Pick<Layout, 'at' | 'bare'> {
  readonly path: string;
  readonly signal: AbortSignal;
}

const pattern = /"state"\s*:\s*"deleted"/;

/** Adds the deleted conversations in a file with threads to the directory: further threads of them may be in another file. */
async function addDeletedIn(input: ExportInput, { bare, ...file }: ThreadFile, directory: Directory): Promise<void> {
  await readFirst(input, { ...file, pattern }, ({ value, parentKey }) => {
    if (bare === 'answers') {
      const lists = asObject<{ conversations: unknown }>(asObject<{ _embedded: unknown }>(value)?._embedded);
      for (const row of asArray(lists?.conversations)) directory.addDeleted(row);
    } else if ((bare ?? parentKey) === 'conversations') directory.addDeleted(value);
  });
}

/**
 * Pages of lists that are in no file. Pages of the threads of one conversation are one list; others are one if their paths differ in the last
 * number alone. A file that does not say which page it is may be the one that is missing.
 */
function missingPages(layouts: ReadonlyMap<string, Layout>): readonly Entry[] {
  const lists = Map.groupBy(
    layouts,
    ([path, layout]) =>
      (layout.role === 'threads' ? conversationOf(layout) : undefined) ?? path.replace(/\d+(?=\D*$)/, '#'),
  );
  return [...lists.values()].flatMap((ofList) => {
    if (ofList.some(([, { pages }]) => pages.length === 0)) return [];
    const pages = ofList.flatMap(([, layout]) => layout.pages);
    const total = pages.reduce((most, { totalPages }) => Math.max(most, totalPages), 0);
    const given = new Set(pages.map(({ number }) => number)).size;
    const [path] = ofList.at(-1)!;
    return given >= total
      ? []
      : [partialEntry(`"totalPages" is ${total}, and ${given} of its pages are given`, { path }, total - given)];
  });
}
