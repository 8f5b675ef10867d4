import { inLists } from '../kit/entries.ts';
import { expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { readBackup } from './backup-file.ts';
import type { SmsbackupOptions } from './options.ts';
import { findCandidates, findRoot } from './layout.ts';

/** As the app calls its files. */
const named = /(?:^|\/)sms(?:-[\w.-]*)?\.xml$/i;

export const read: ReadSource<SmsbackupOptions> = async function* (exported, options, context) {
  const paths = await exported.paths();
  const candidates = findCandidates(withoutClutter(paths).own);
  const roots = new Map<string, string | undefined>();
  for (const path of candidates) roots.set(path, await findRoot(exported, path));
  const input = expectFiles(exported, (path) =>
    candidates.includes(path) ? { what: 'a backup that begins with "<smses>"', begins: /<smses[\s>/]/ } : undefined,
  );
  const sorted = sortPaths(paths, (path) => {
    if (roots.get(path) === 'smses') return 'backup';
    if (roots.get(path) === 'calls') return { skip: 'List of calls, which holds no messages' };
    return named.test(path) || candidates.length === paths.length ? 'backup' : undefined;
  });
  yield* inLists(leftOut(sorted));
  const { signal } = context;
  const workspace = context.workspace ?? '';
  yield* readRowFiles({
    paths: sorted.of('backup'),
    context,
    read: (path) => readBackup({ input, path, workspace, options, signal }),
  });
};
