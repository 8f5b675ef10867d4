import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, partialEntry } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import type { ReadSource } from '../source.ts';
import { findLayout } from './layout.ts';
import { Directory, ListFile, MessagesFile } from './rows.ts';

export const read: ReadSource = async function* (exported, _options, context) {
  const { input, sorted, layouts } = await arrange(exported, { findLayout, verdict: (layout) => layout?.kind });
  yield* inLists(leftOut(sorted));
  const directory = new Directory();
  const workspace = context.workspace ?? '';
  const readFile = (path: string, File: typeof ListFile | typeof MessagesFile) => {
    const layout = layouts.get(path)!;
    const hasMessages = File === MessagesFile;
    const file = new File({ path, layout, workspace, directory, hasMessages, codes: ['chatwoot-not-migrated'] });
    return readJsonEntries(input, path, layout.at, file);
  };
  for (const kind of ['contacts', 'agents', 'conversations'] as const)
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: (path) => readFile(path, ListFile) });
  const readRows = async function* (path: string) {
    try {
      yield* readFile(path, MessagesFile);
    } catch (error) {
      directory.isCutOff = true;
      throw error;
    }
  };
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readRows });
  // Without any file of messages, the plan ends with the error that nothing could be read.
  const files = sorted.of('messages');
  if (files.length > 0 && files.every(context.wants)) yield missingConversations(directory, sorted.of('conversations'));
};

/** A list of conversations has the last message of each alone, and so has an event about one. */
function missingConversations(
  { listed, announced, read: found, isCutOff }: Directory,
  [path]: readonly string[],
): readonly Entry[] {
  if (isCutOff) return [];
  const partial = (missing: readonly string[], location: Location | undefined): readonly Entry[] =>
    missing.length === 0 || location === undefined
      ? []
      : [
          partialEntry(
            `messages of conversations are missing, such as those of ${missing[0]}`,
            location,
            missing.length,
          ),
        ];
  const unread = (ids: Iterable<string>) => [...ids].filter((id) => !found.has(id));
  const [first, ...others] = unread(announced.keys());
  return [
    ...(path === undefined ? [] : partial(unread(listed), { path })),
    ...(first === undefined ? [] : partial([first, ...others], announced.get(first))),
  ];
}
