import type { ExportInput } from '../../io/input/export-input.ts';
import { inLists } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut, type PathVerdict } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { findAnswerLayout } from '../kit/rows/answer-layout.ts';
import { commonWordsForMore, SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadSource } from '../source.ts';
import { type ExportContext, type Layout, newCounts, readList, readMessages } from './answer-file.ts';
import { Directory } from './directory.ts';
import { recognisePubnub } from './format.ts';
import { OlderMessages } from './older-messages.ts';
import type { PubnubOptions } from './options.ts';

const order = ['people', 'members', 'channels'] as const;

/** An answer behind the oldest message of a channel: `{"status":200,"channels":{}}`. */
const withoutMessages = /^\s*\{[^{}[\]]{0,400}"channels"\s*:\s*\{\s*(?:"[^"\\]{0,300}"\s*:\s*\[\s*\]\s*)?\}\s*\}\s*$/;

const empty = { skip: 'An answer without messages' } as const;

/** The older History is a list: of the messages, and of the first and last timetoken. */
async function findLayout(input: ExportInput, path: string): Promise<Layout | typeof empty | undefined> {
  const head = Buffer.from(await headOrNothing(input, path, 1024)).toString('latin1');
  if (withoutMessages.test(head)) return empty;
  if (/^[^[]{0,10}\[\s*\[/.test(head)) return { kinds: new Set(['messages']), at: { layout: 'list', pattern: ['0'] } };
  return findAnswerLayout(input, path, { lists: {}, around: 'channels', kindOf: recognisePubnub });
}

export const read: ReadSource<PubnubOptions> = async function* (
  exported,
  { channels, text, author, edits, deletions },
  context,
) {
  const { input, sorted, layouts } = await arrange(exported, {
    findLayout,
    verdict(layout): PathVerdict<'messages' | (typeof order)[number]> {
      if (layout === undefined || 'skip' in layout) return layout;
      return layout.kinds.has('messages') ? 'messages' : order.find((kind) => layout.kinds.has(kind));
    },
  });
  const layoutAt = (path: string) => layouts.get(path) as Layout;
  yield* inLists(leftOut(sorted));
  const counts = newCounts();
  const older = new OlderMessages(input, sorted.of('messages'));
  const pages = new SavedPages(input, commonWordsForMore);
  const found = { input, counts, older, directory: new Directory(counts), pages };
  const wanted = { channels, text, author, types: { edits, deletions }, workspace: context.workspace ?? '' };
  const all: ExportContext = { ...found, ...wanted };
  for (const kind of order) {
    const readOne = (path: string) => readList(path, layoutAt(path), all);
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: readOne });
  }
  const readRows = (path: string) => readMessages(path, layoutAt(path), all);
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readRows });
};
