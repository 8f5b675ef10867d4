import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import {
  entriesPerList,
  inLists,
  partialEntry,
  problemEntry,
  recordEntry,
  invalidEntry,
  type RowProblem,
} from '../kit/entries.ts';
import { readArrayFile } from '../kit/rows/json-array.ts';
import { unforeseen, type UnforeseenProblem, withCause } from '../kit/rows/row-boundary.ts';
import { asArray, asCount, asObject, asString } from '../kit/narrow.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { slackCodes } from './codes.ts';
import { type ConversationFacts, Conversations } from './conversations.ts';
import { arrange } from './layout.ts';
import type { SlackMessage } from './format.ts';
import { type ReadRow, readRow } from './message.ts';
import { nameInProfile, People } from './people.ts';
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
  for (const { base, name, files } of layout.folders) {
    const conversation = conversations.inFolder(base, name)!;
    const read = (path: string) => readDayFile(input, path, conversation, workspace);
    yield* readRowFiles({ paths: files, context, read });
  }
}

async function* readDayFile(
  input: ExportInput,
  path: string,
  conversation: ConversationFacts,
  workspace: Workspace,
): AsyncGenerator<readonly Entry[]> {
  let known = workspace;
  for await (const { firstIndex, values, fault } of readArrayFile(input, path)) {
    for (let from = 0; from < values.length; from += entriesPerList) {
      const rows = values.slice(from, from + entriesPerList);
      const placed = rows.flatMap((row, index) => withReplies(row, { path, pointer: `/${firstIndex + from + index}` }));
      let read = placed.map(({ value }) => readAny(value, conversation, known));
      if (known === workspace && read.some(namesUnknownPerson)) {
        known = { ...workspace, namesInFile: await namesInFile(input, path) };
        read = placed.map(({ value }) => readAny(value, conversation, known));
      }
      yield read.flatMap((row, index) => {
        const { location, missing = 0 } = placed[index]!;
        if (!('record' in row)) return [invalidRow(row, location, conversation.id)];
        const problems = row.problems.map(({ code, reason }) => problemEntry(code, reason, location));
        const person = row.person ? [recordEntry(row.person, location)] : [];
        const reason = `"reply_count" counts ${missing} more than "slackdump_thread_replies" has`;
        const partial = missing > 0 ? [partialEntry(reason, location, missing)] : [];
        return [...person, recordEntry(row.record, location), ...problems, ...partial];
      });
    }
    if (fault) yield [invalidEntry(fault.code, fault.reason, fault.location, conversation.id)];
  }
}

interface PlacedRow {
  readonly value: unknown;
  readonly location: Location;
  /** Replies that the row counts and does not have, if it has any inside. */
  readonly missing?: number;
}

/** The row, and behind it the replies that slackdump writes into the row that they answer. */
function withReplies(value: unknown, location: Location): readonly PlacedRow[] {
  const row = asObject<SlackMessage>(value);
  if (row?.slackdump_thread_replies === undefined) return [{ value, location }];
  const replies = asArray(row.slackdump_thread_replies).map((reply, index) => ({
    value: asObject(reply) === undefined ? reply : { thread_ts: row.ts, ...(reply as object) },
    location: { ...location, pointer: `${location.pointer}/slackdump_thread_replies/${index}` },
  }));
  return [{ value, location, missing: (asCount(row.reply_count) ?? 0) - replies.length }, ...replies];
}

/** A row that throws is an invalid one. */
function readAny(value: unknown, conversation: ConversationFacts, workspace: Workspace): ReadRow | UnforeseenProblem {
  try {
    return readRow(value, conversation, workspace);
  } catch (error) {
    return unforeseen(error);
  }
}

function invalidRow(problem: RowProblem | UnforeseenProblem, location: Location, conversation: string): Entry {
  const entry = invalidEntry(problem.code, problem.reason, location, conversation);
  return 'cause' in problem ? withCause(entry, problem.cause) : entry;
}

/** Whether a text mentions a person only by an id that no list describes. */
const namesUnknownPerson = (row: ReadRow): boolean => 'record' in row && (row.record.lost?.unnamed ?? 0) > 0;

/**
 * Returns the authors in the file with a profile next to the message: people of other workspaces. Called once for a
 * file, and only if a text mentions a person whom nothing else names.
 */
async function namesInFile(input: ExportInput, path: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { values } of readArrayFile(input, path)) {
    for (const { value } of values.flatMap((one) => withReplies(one, { path }))) {
      const row = asObject<SlackMessage>(value);
      const id = asString(row?.user);
      const name = id === undefined || names.has(id) ? undefined : nameInProfile(row?.user_profile);
      if (name !== undefined) names.set(id!, name);
    }
  }
  return names;
}
