import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { type ExpectedFile, expectedByName, expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { BackupFile } from './backup-file.ts';
import { signalCodes } from './codes.ts';
import { DataFile } from './data-file.ts';
import { DesktopFile } from './desktop-file.ts';
import { type Layout, readLayout, Layouts, type ReadableLayout } from './layout.ts';
import { readMarkdown } from './markdown-file.ts';
import { type Place, type SignalOptions, signalOptionsSchema } from './options.ts';

/** Exports of Signal, its own and those of others, as `format.ts` says. */
export const signal = defineSource({
  name: 'signal',
  title: 'Signal (plain-text export, signal-export, sigtop)',
  what: 'Signal: its own export in plain text (main.jsonl), the folders of signal-export (Markdown, JSON), and messages of Desktop before 7.42 as sigtop writes them',
  notes: 'three kinds of exports, edits, quotes, reactions, texts of the app, files',
  sortKeys: 'always',
  isName: (id) => !/^(?:self|\+?\d+|[\da-f]{8}-[\da-f-]{27})$/i.test(id),
  options: signalOptionsSchema,
  codes: signalCodes,
  probe,
  read,
});

const shows: Readonly<Record<Layout, string>> = {
  backup: 'lines of an export of Signal',
  data: 'messages as signal-export writes them',
  markdown: 'messages as signal-export writes them',
  'desktop-lines': "messages of Signal Desktop's database",
  'desktop-list': "messages of Signal Desktop's database",
  'desktop-hollow': "messages of Signal Desktop's database without their text",
};
const sampledMax = 8;

/** Reads the beginnings of at most eight files, those with telling names first. */
async function probe(input: ExportInput): Promise<Probe> {
  const { own } = withoutClutter(await input.paths());
  const named = own.filter((path) => /(?:^|\/)(?:main\.jsonl|data\.json|chat\.md|index\.md)$/i.test(path));
  const others = own.filter(
    (path) => own.length === 1 || /^[^/]+(?:\/[^/]+)?\.(?:md|txt|json|jsonl|ndjson)$/i.test(path),
  );
  for (const path of [...new Set([...named, ...others])].slice(0, sampledMax)) {
    const layout = (await input.stat(path)).sizeBytes === 0 ? undefined : await readLayout(input, path);
    if (layout) return { match: 'certain', because: `${shows[layout]} in "${path}"` };
  }
  return { match: 'no' };
}

/** signal-export writes an empty file for an empty chat, if it is configured to include those. */
const mayBeEmpty = (path: string): boolean => /(?:^|\/)(?:chat\.md|index\.md|data\.json)$/i.test(path);

function expected(path: string): ExpectedFile | undefined {
  const file = expectedByName(path) ?? (/\.(?:md|txt)$/i.test(path) ? expectedText : undefined);
  return file && { ...file, mayBeEmpty: mayBeEmpty(path) };
}

async function* read(
  exported: ExportInput,
  options: SignalOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(exported, expected);
  const paths = await input.paths();
  const layouts = await Layouts.of(input, withoutClutter(paths).own);
  const sorted = sortPaths(paths, (path) => layouts.verdictOf(path));
  yield* inLists(leftOut(sorted));
  const place = (path: string): Place => ({ input, path, workspace: context.workspace ?? '', options });
  for (const [layout, open] of Object.entries(readers) as [ReadableLayout, Reader][])
    yield* readRowFiles({ paths: sorted.of(layout), context, read: (path) => open(place(path)) });
}

type Reader = (place: Place) => AsyncIterable<readonly Entry[]>;

const jsonReader =
  (at: JsonRowsAt, File: new (place: Place) => JsonFile): Reader =>
  (place) =>
    readJsonEntries(place.input, place.path, at, new File(place));

const lines: JsonRowsAt = { layout: 'lines' };
const readers: Readonly<Record<ReadableLayout, Reader>> = {
  backup: jsonReader(lines, BackupFile),
  data: jsonReader(lines, DataFile),
  markdown: readMarkdown,
  'desktop-lines': jsonReader(lines, DesktopFile),
  'desktop-list': jsonReader({ layout: 'list', pattern: [] }, DesktopFile),
};
