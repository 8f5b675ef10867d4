import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/location.ts';
import type { Entry } from '../../model/entry.ts';
import { entriesPerList, inLists } from '../kit/entries.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { readArrayFile } from '../kit/json-array.ts';
import { type ConversationFacts, Conversations } from './conversations.ts';
import { leftOut } from '../kit/paths.ts';
import { arrange } from './layout.ts';
import { readRow } from './message.ts';
import { People } from './people.ts';
import { slackCodes } from './codes.ts';
import { probe } from './probe.ts';
import { RowContext } from './row-context.ts';
import { readSharedFiles } from './shared-files.ts';

const options = z.strictObject({
  includeUnfurls: z
    .boolean()
    .default(false)
    .describe(
      'Add the previews that Slack made of links to the text of messages. Default false: the links themselves are in the text, ' +
        'previews repeat them and make messages several times longer. A message that is nothing but a preview keeps it either way.',
    ),
});

/**
 * Exports of a Slack workspace (all plans), of an Enterprise Grid organisation, and what slackdump writes in the same layout.
 *
 * Layout: https://slack.com/help/articles/220556107-How-to-read-Slack-data-exports (2026-11).
 */
export const slack = defineSource({
  name: 'slack',
  title: 'Slack export (folder or ZIP)',
  what: 'workspace exports, ZIP or folder: public, private, direct and group conversations, Enterprise Grid',
  notes: 'every subtype and field',
  sortKeys: 'always',
  describes: 'once',
  options,
  codes: slackCodes,
  probe,
  read,
});

async function* read(
  input: ExportInput,
  { includeUnfurls }: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  const layout = arrange(await input.paths());
  const people = new People();
  const conversations = new Conversations();
  yield* inLists(readSharedFiles(input, layout, { people, conversations }, context.signal));
  yield* inLists(leftOut(layout));

  const workspace = people.workspace(layout.isOrganisation) ?? context.workspace ?? '';
  const rows = new RowContext(workspace, people, conversations, includeUnfurls);
  let entries: Entry[] = [];
  for (const { base, name, files } of layout.folders) {
    const conversation = conversations.inFolder(base, name)!;
    for (const path of files) {
      if (!context.wants(path)) continue;
      context.signal.throwIfAborted();
      for await (const { firstIndex, values, fault } of readArrayFile(input, path)) {
        for (let index = 0; index < values.length; index += 1) {
          const row = readRow(values[index], conversation, rows);
          const location = { path, pointer: `/${firstIndex + index}` };
          if (row.kind === 'message') entries.push({ type: 'record', record: row, location });
          else entries.push(rejectEntry(row, location, conversation));
          while (rows.problems.length > 0) entries.push({ type: 'problem', ...rows.problems.shift()!, location });
          if (entries.length < entriesPerList) continue;
          yield entries;
          context.signal.throwIfAborted();
          entries = [];
        }
        if (fault) entries.push(rejectEntry(fault, fault.location, conversation));
      }
      entries.push({ type: 'file', path, role: 'rows' });
    }
  }
  yield entries;
}

const rejectEntry = (
  { code, reason }: { readonly code: string; readonly reason: string },
  location: Location,
  conversation: ConversationFacts,
): Entry => ({ type: 'reject', code, reason, location, conversation: conversation.id });
