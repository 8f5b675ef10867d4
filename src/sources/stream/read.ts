import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadContext } from '../source.ts';
import { readChannels } from './export-file.ts';
import { msOf } from './format.ts';
import { readItems } from './import-file.ts';
import { type Layout, readLayout } from './layout.ts';
import type { StreamOptions } from './options.ts';

export async function* read(
  all: ExportInput,
  { createdAt }: StreamOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(all, expectedByName);
  const paths = await input.paths();
  const { own } = withoutClutter(paths);
  const layouts = new Map<string, Layout>();
  for (const path of own) {
    const layout =
      own.length === 1 || /\.(?:json|jsonl|ndjson)$/i.test(path) ? await readLayout(input, path) : undefined;
    if (layout) layouts.set(path, layout);
  }
  const sorted = sortPaths(paths, (path): PathVerdict<'rows'> => (layouts.has(path) ? 'rows' : undefined));
  yield* inLists(leftOut(sorted));
  const workspace = context.workspace ?? '';
  const createdAtMs = msOf(createdAt);
  yield* readRowFiles({
    paths: sorted.of('rows'),
    context,
    read: (path) => {
      const layout = layouts.get(path)!;
      return layout.kind === 'channels'
        ? readChannels(input, path, { at: layout.at, workspace })
        : readItems(input, path, { at: layout.at, isImport: layout.isImport, workspace, createdAtMs });
    },
  });
}
