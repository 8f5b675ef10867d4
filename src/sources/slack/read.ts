import { inLists } from '../kit/entries.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { Conversations } from './conversations.ts';
import { arrange } from './layout.ts';
import { readMessageFile } from './message-file.ts';
import { People } from './people.ts';
import type { Workspace } from './row.ts';
import { readLists } from './shared-files.ts';
import type { SlackOptions } from './options.ts';

export const read: ReadSource<SlackOptions> = async function* (
  input,
  { includeUnfurls, fileTokens, escapeText },
  context,
) {
  const layout = arrange(await input.paths());
  const people = new People();
  const conversations = new Conversations();
  yield* inLists(readLists(input, layout, { people, conversations }, context.signal));
  yield* inLists(leftOut(layout));

  const id = people.workspace(layout.isOrganisation) ?? context.workspace ?? '';
  const workspace: Workspace = {
    id,
    people,
    conversations,
    includeUnfurls,
    keepsTokens: fileTokens === 'keep',
    escapesText: escapeText,
  };
  for (const folder of layout.folders) {
    const conversation = conversations.ofFolder(folder)!;
    const read = (path: string) => readMessageFile(input, path, conversation, workspace);
    yield* readRowFiles({ paths: folder.files, context, read });
  }
};
