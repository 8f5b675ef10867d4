import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadContext } from '../source.ts';
import { readChannels } from './export-file.ts';
import { msOf } from './format.ts';
import { readItems } from './import-file.ts';
import { readLayout } from './layout.ts';
import type { StreamOptions } from './options.ts';

export async function* read(
  all: ExportInput,
  { createdAt }: StreamOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const { input, sorted, layouts } = await arrange(all, {
    layoutOf: readLayout,
    verdict: (layout) => layout && 'rows',
  });
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
