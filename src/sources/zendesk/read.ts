import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, partialEntry } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut, type PathVerdict } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { commonWordsForMore, type PageField, SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadSource } from '../source.ts';
import { type Layout, findLayout } from './layout.ts';
import { Directory, RowsFile } from './rows.ts';

const verdict = (layout: Layout | undefined): PathVerdict<'rows' | 'shared'> =>
  layout?.role === 'side conversations'
    ? { skip: 'Messages of agents to others, next to a ticket: never sent' }
    : layout?.role;

export const read: ReadSource = async function* (exported, _options, context) {
  const { input, sorted, layouts } = await arrange(exported, { findLayout, verdict });
  yield* inLists(leftOut(sorted));
  const directory = new Directory();
  const pages = pagesIn(input, layouts);
  const workspace = context.workspace ?? '';
  const readOne = async function* (path: string) {
    const layout = layouts.get(path)!;
    const codes = ['profile-detail-not-migrated', 'zendesk-not-migrated', 'zendesk-messages-elsewhere'];
    const file = new RowsFile({ path, layout, workspace, directory, hasMessages: layout.role === 'rows', codes });
    yield* pages(layout.ticket).read(path, layout.at, file);
  };
  yield* readSharedFiles({ paths: sorted.of('shared'), context, read: readOne });
  yield* readRowFiles({ paths: sorted.of('rows'), context, read: readOne });
  if (sorted.of('rows').every(context.wants)) yield ticketsWithoutComments(directory.tickets, layouts);
};

/** Pages of the comments of one ticket, and of all other lists: answers for two tickets may differ in a number of their paths alone. */
function pagesIn(input: ExportInput, layouts: ReadonlyMap<string, Layout>): (ticket: string | undefined) => SavedPages {
  const others = new SavedPages(input, wordsForMore);
  const byTicket = Map.groupBy(layouts.keys(), (path) => layouts.get(path)!.ticket);
  return (ticket) => {
    if (ticket === undefined) return others;
    const paths = async () => byTicket.get(ticket) ?? [];
    return new SavedPages({ ...input, paths }, wordsForMore);
  };
}

/** Exports of what changed always have the address of a next page: they say at its end that it is the end. */
const wordsForMore = (field: PageField): string | undefined => {
  const isEnd = field('end_of_stream');
  if (isEnd === true) return undefined;
  return isEnd === false ? '"end_of_stream" is false' : commonWordsForMore(field);
};

/** Answers for tickets have no comments: those of each ticket are asked for by themselves. */
function ticketsWithoutComments(tickets: ReadonlySet<string>, layouts: ReadonlyMap<string, Layout>): readonly Entry[] {
  const answered = new Set([...layouts.values()].map(({ ticket }) => ticket));
  const missing = [...tickets].filter((id) => !answered.has(id));
  if (missing.length === 0) return [];
  const path = [...layouts].find(([, { role }]) => role === 'shared')![0];
  return [partialEntry(`comments of tickets are missing, such as those of ${missing[0]}`, { path }, missing.length)];
}
