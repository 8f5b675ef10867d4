import { inLists } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { readChannels } from './export-file.ts';
import { msOf } from './format.ts';
import { readItems } from './import-file.ts';
import { readLayout } from './layout.ts';
import type { StreamOptions } from './options.ts';

export const read: ReadSource<StreamOptions> = async function* (all, { createdAt }, context) {
  const { input, sorted, layouts } = await arrange(all, {
    findLayout: readLayout,
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
        : readItems(input, path, { at: layout.at, workspace, createdAtMs });
    },
  });
};
