import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { slackCodes } from './codes.ts';
import { Conversations } from './conversations.ts';
import { arrange } from './layout.ts';
import { readMessageFile } from './message-file.ts';
import { People } from './people.ts';
import type { Workspace } from './row.ts';
import { readLists } from './shared-files.ts';

const options = z.strictObject({
  includeUnfurls: z
    .boolean()
    .default(false)
    .describe(
      'Add the previews that Slack made of links to the text of messages. Default false: the links themselves are in the text, ' +
        'previews repeat them and make messages several times longer. A message that is nothing but a preview keeps it either way.',
    ),
  fileTokens: z
    .enum(['remove', 'keep'])
    .default('remove')
    .describe(
      'The token that Slack puts behind addresses of files, with which everybody can open them: remove it, or keep it in the addresses ' +
        'that are sent. Default remove: the files then need a login to Slack. Keep it only where every member may see every file, and ' +
        'until the files were copied.',
    ),
  escapeText: z
    .boolean()
    .default(false)
    .describe(
      'Backslashes before what people typed and Markdown takes for markup, such as "#" or "1." at the beginning of a line. Default false: ' +
        'texts are sent as they were typed, because a chat that shows plain text would show the backslashes; how many look otherwise in ' +
        'Markdown is counted. Set it if the app shows Markdown.',
    ),
});

/**
 * Exports of a Slack workspace (all plans), of an Enterprise Grid organisation, and what slackdump writes in the same layout; and the rows of
 * Slack's API as `chatferry fetch` writes them.
 *
 * Layout: https://slack.com/help/articles/220556107-How-to-read-Slack-data-exports (2026-11).
 */
export const slack = defineSource({
  name: 'slack',
  title: 'Slack export (folder or ZIP)',
  what: 'workspace exports, ZIP or folder, and what `chatferry fetch` brings: public, private, direct and group conversations, Enterprise Grid',
  notes: 'every subtype and field',
  sortKeys: 'always',
  options,
  codes: slackCodes,
  probe,
  read,
});

/** How much of a file is looked at: enough for the first person, channel or message. */
const headBytes = 4096;

/** An id of a person, team or conversation as Slack makes them, or a time as only Slack writes it. */
const marks = /"(?:id|team_id)"\s*:\s*"[UWTCGD][A-Z0-9]{6,}"|"ts"\s*:\s*"\d{9,10}\.\d{6}"/;

/**
 * Certain if one of Slack's lists is at the top and it, or a day file, has Slack's format; likely if only a day file
 * has. Reads the beginnings of at most three files.
 */
async function probe(input: ExportInput): Promise<Probe> {
  const { userLists, conversationLists, folders } = arrange(await input.paths());
  const lists = [...conversationLists.map(({ path }) => path), ...userLists];
  const candidates = [lists[0], userLists[0], folders[0]?.files[0]].filter((path) => path !== undefined);
  for (const path of new Set(candidates)) {
    const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('latin1');
    if (!marks.test(head)) continue;
    if (lists.length === 0) return { match: 'likely', because: `messages with Slack's timestamps in "${path}"` };
    return {
      match: 'certain',
      because: `${lists
        .slice(0, 3)
        .map((list) => `"${list}"`)
        .join(', ')} at the top`,
    };
  }
  return { match: 'no' };
}

async function* read(
  input: ExportInput,
  { includeUnfurls, fileTokens, escapeText }: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
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
}
