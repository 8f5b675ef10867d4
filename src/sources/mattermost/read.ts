import { inLists } from '../kit/entries.ts';
import { expectedJsonLines, expectFiles } from '../kit/files/expected-files.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { FileReader } from './file-reader.ts';
import { arrange } from './layout.ts';

export const read: ReadSource = async function* (exported, _options, context) {
  const input = expectFiles(exported, (path) =>
    /\.(?:jsonl|ndjson|json)$/i.test(path) ? expectedJsonLines : undefined,
  );
  const { wrapper, sorted } = arrange(await input.paths());
  yield* inLists(leftOut(sorted));
  const files = await localFiles(input, wrapper);
  yield* readRowFiles({
    paths: sorted.of('lines'),
    context,
    read: (path) => {
      const reader = new FileReader(path, context.workspace ?? '', files);
      return readJsonEntries(input, path, { layout: 'lines' }, reader);
    },
  });
};
