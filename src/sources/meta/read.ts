import { inLists } from '../kit/entries.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { readDirect } from './direct-file.ts';
import { arrange } from './layout.ts';
import { readThread } from './thread-file.ts';

/** @param source `messenger` or `instagram`. */
export const makeReader = (source: string): ReadSource =>
  async function* (exported, _options, context) {
    const input = expectFiles(exported, expectedByName);
    const sorted = await arrange(input, source);
    yield* inLists(leftOut(sorted));
    const files = await localFiles(input);
    const options = { source, workspace: context.workspace ?? '', files, paths: await input.paths() };
    const read = (path: string) => readThread(input, path, options);
    yield* readRowFiles({ paths: sorted.of('thread'), context, read });
    const place = { source, workspace: options.workspace };
    yield* readRowFiles({ paths: sorted.of('direct'), context, read: (path) => readDirect(input, path, place) });
  };
