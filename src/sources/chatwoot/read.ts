import { inLists } from '../kit/entries.ts';
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
  const { lastMessages } = directory;
  const readRows = (path: string) => lastMessages.reading(readFile(path, MessagesFile));
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readRows });
  if (sorted.of('messages').every(context.wants)) yield lastMessages.missing();
};
