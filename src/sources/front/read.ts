import type { Entry } from '../../model/entry.ts';
import { inLists, partialEntry } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut, type PathVerdict } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import type { ReadSource } from '../source.ts';
import { type Layout, findLayout, type RowKind } from './layout.ts';
import { Directory, RowsFile, kindOfRow, type Row } from './rows.ts';
import type { FrontOptions } from './options.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import { asArray, asObject } from '../kit/narrow.ts';
import { readFirst } from '../kit/rows/first-pass.ts';

/** Copies of files that the export template saves next to messages. */
const savedFile = /(?:^|\/)attachments\/msg_\w+\//;

function verdict(layout: Layout | undefined, path: string): PathVerdict<RowKind> {
  if (savedFile.test(path)) return { skip: 'Copy of a file; messages name it' };
  const role = layout?.role;
  if (role === 'events') return { skip: 'Events of conversations, such as assignments: for teammates' };
  return role === 'others' ? { skip: 'Inboxes, tags or other settings, or an answer without rows' } : role;
}

export const read: ReadSource<FrontOptions> = async function* (exported, { sentToOthers }, context) {
  const { input, sorted, layouts } = await arrange(exported, {
    findLayout: async (files, path) => (savedFile.test(path) ? undefined : findLayout(files, path)),
    verdict,
  });
  yield* inLists(leftOut(sorted));
  yield missingPages(layouts);
  const directory = new Directory(sentToOthers === 'visible');
  const workspace = context.workspace ?? '';
  const readOne = (path: string) => {
    const layout = layouts.get(path)!;
    const codes = ['profile-detail-not-migrated', 'front-not-migrated', 'front-sent-to-others'];
    const facts = { path, layout, workspace, directory, hasMessages: layout.role === 'messages', codes };
    return readJsonEntries(input, path, layout.at, new RowsFile(facts));
  };
  for (const kind of ['contacts', 'teammates', 'conversations'] as const)
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: readOne });
  // A conversation may be in any of them, also in one that is not wanted.
  const mixed = sorted.of('messages').some(context.wants) ? sorted.of('messages') : [];
  for (const path of mixed) {
    const { at, hasAnswers } = layouts.get(path)!;
    await addConversationsIn(input, { path, at, hasAnswers, signal: context.signal }, directory);
  }
  const readRows = (path: string) => directory.lastMessages.reading(readOne(path));
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readRows });
  if (sorted.of('messages').every(context.wants)) yield directory.lastMessages.missing();
};

/** Lists of which no page is the last one. Pages of one list differ in the last number of their paths alone. */
function missingPages(layouts: ReadonlyMap<string, Layout>): readonly Entry[] {
  const lists = Map.groupBy(layouts, ([path, { role, conversation }]) =>
    [role, conversation, path.replace(/\d+(?=\D*$)/, '#')].join(' '),
  );
  const reason = '"_pagination" has a "next": more follows, and no page of the export is the last one';
  return [...lists.values()]
    .filter((ofList) => ofList.every(([, { saysMore }]) => saysMore))
    .map((ofList) => partialEntry(reason, { path: ofList.at(-1)![0] }));
}

interface MessageFile extends Pick<Layout, 'at' | 'hasAnswers'> {
  readonly path: string;
  readonly signal: AbortSignal;
}

const pattern = /"id"\s*:\s*"cnv_|"status"\s*:/;

/** Adds the conversations in a file of messages to the directory: one that was deleted, or its recipient, may be behind its messages. */
async function addConversationsIn(
  input: ExportInput,
  { hasAnswers, ...file }: MessageFile,
  directory: Directory,
): Promise<void> {
  const addRow = (value: unknown, location: Location) => {
    const row = asObject<Row>(value) as Row | undefined;
    if (row !== undefined && kindOfRow(row) === 'conversation') directory.add(row, location);
  };
  await readFirst(input, { ...file, pattern }, ({ value, location }) => {
    if (!hasAnswers) addRow(value, location);
    else for (const row of asArray(asObject<{ _results: unknown }>(value)?._results)) addRow(row, location);
  });
}
