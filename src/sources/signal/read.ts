import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { type ExpectedFile, expectedByName, expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { BackupFile } from './backup-file.ts';
import { DataFile } from './data-file.ts';
import { DesktopFile } from './desktop-file.ts';
import { Layouts, type ReadableLayout } from './layout.ts';
import { readMarkdown } from './markdown-file.ts';
import type { Place, SignalOptions } from './options.ts';

/** signal-export writes an empty file for an empty chat, if it is configured to include those. */
const mayBeEmpty = (path: string): boolean => /(?:^|\/)(?:chat\.md|index\.md|data\.json)$/i.test(path);

function expected(path: string): ExpectedFile | undefined {
  const file = expectedByName(path) ?? (/\.(?:md|txt)$/i.test(path) ? expectedText : undefined);
  return file && { ...file, mayBeEmpty: mayBeEmpty(path) };
}

export const read: ReadSource<SignalOptions> = async function* (exported, options, context) {
  const input = expectFiles(exported, expected);
  const paths = await input.paths();
  const layouts = await Layouts.of(input, withoutClutter(paths).own);
  const sorted = sortPaths(paths, (path) => layouts.judgePath(path));
  yield* inLists(leftOut(sorted));
  const place = (path: string): Place => ({ input, path, workspace: context.workspace ?? '', options });
  for (const [layout, open] of Object.entries(readers) as [ReadableLayout, Reader][])
    yield* readRowFiles({ paths: sorted.of(layout), context, read: (path) => open(place(path)) });
};

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
