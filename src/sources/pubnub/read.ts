import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { answerLayoutOf } from '../kit/rows/answer-layout.ts';
import { commonWordsForMore, SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadContext } from '../source.ts';
import { type ExportContext, type Layout, newCounts, readList, readMessages } from './answer-file.ts';
import { Directory } from './directory.ts';
import { pubnubKindOf } from './format.ts';
import { OlderMessages } from './older-messages.ts';
import type { PubnubOptions } from './options.ts';

const json = /\.(?:json|jsonl|ndjson)$/i;

const order = ['people', 'members', 'channels'] as const;

/** An answer behind the oldest message of a channel: `{"status":200,"channels":{}}`. */
const withoutMessages = /^\s*\{[^{}[\]]{0,400}"channels"\s*:\s*\{\s*(?:"[^"\\]{0,300}"\s*:\s*\[\s*\]\s*)?\}\s*\}\s*$/;

/** The older History is a list: of the messages, and of the first and last timetoken. */
async function layoutOf(input: ExportInput, path: string): Promise<Layout | 'empty' | undefined> {
  const head = Buffer.from(await headOrNothing(input, path, 1024)).toString('latin1');
  if (withoutMessages.test(head)) return 'empty';
  if (/^[^[]{0,10}\[\s*\[/.test(head)) return { kinds: new Set(['messages']), at: { layout: 'list', pattern: ['0'] } };
  return answerLayoutOf(input, path, { lists: {}, around: 'channels', kindOf: pubnubKindOf });
}

export async function* read(
  exported: ExportInput,
  { channels, text, author, edits, deletions }: PubnubOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(exported, expectedByName);
  const paths = await input.paths();
  const { own } = withoutClutter(paths);
  const layouts = new Map<string, Layout>();
  const empty = new Set<string>();
  for (const path of own) {
    const layout = own.length === 1 || json.test(path) ? await layoutOf(input, path) : undefined;
    if (layout === 'empty') empty.add(path);
    else if (layout) layouts.set(path, layout);
  }
  const sorted = sortPaths(paths, (path): PathVerdict<'messages' | (typeof order)[number]> => {
    const kinds = layouts.get(path)?.kinds;
    if (empty.has(path)) return { skip: 'An answer without messages' };
    return kinds?.has('messages') ? 'messages' : order.find((kind) => kinds?.has(kind));
  });
  yield* inLists(leftOut(sorted));
  const counts = newCounts();
  const older = new OlderMessages(input, sorted.of('messages'));
  const all: ExportContext = {
    ...{ input, counts, older, channels, text, author },
    types: { edits, deletions },
    workspace: context.workspace ?? '',
    directory: new Directory(counts),
    pages: new SavedPages(input, commonWordsForMore),
  };
  for (const kind of order) {
    const readOne = (path: string) => readList(path, layouts.get(path)!, all);
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: readOne });
  }
  const readRows = (path: string) => readMessages(path, layouts.get(path)!, all);
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readRows });
}
