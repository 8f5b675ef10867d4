import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import {
  entriesPerList,
  invalidEntry,
  partialEntry,
  problemEntry,
  recordEntry,
  type RowProblem,
} from '../kit/entries.ts';
import { asArray, asCount, asObject, asString } from '../kit/narrow.ts';
import { unforeseen, type UnforeseenProblem, withCause } from '../kit/rows/row-boundary.ts';
import { compareWithRow } from '../kit/rows/compare-with-row.ts';
import type { ConversationFacts } from './conversations.ts';
import { type FileRow, rowsInFile } from './file-rows.ts';
import type { SlackMessage } from './format.ts';
import { type ReadRow, readRow } from './message.ts';
import { nameInProfile } from './people.ts';
import type { Workspace } from './row.ts';

/** The messages of a day file, or of one that `chatferry fetch` wrote. */
export async function* readMessageFile(
  input: ExportInput,
  path: string,
  conversation: ConversationFacts,
  workspace: Workspace,
): AsyncGenerator<readonly Entry[]> {
  let known = workspace;
  for await (const { rows, fault } of rowsInFile(input, path)) {
    for (let from = 0; from < rows.length; from += entriesPerList) {
      const placed = rows.slice(from, from + entriesPerList).flatMap(withReplies);
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
        const entries = [...person, recordEntry(row.record, location), ...problems, ...partial];
        compareWithRow(placed[index]!.value, location, entries);
        return entries;
      });
    }
    if (fault) yield [invalidEntry(fault.code, fault.reason, fault.location, conversation.id)];
  }
}

interface PlacedRow extends FileRow {
  /** Replies that the row counts and does not have, if it has any inside. */
  readonly missing?: number;
}

/** The row, and behind it the replies that slackdump writes into the row that they answer. */
function withReplies({ value, location }: FileRow): readonly PlacedRow[] {
  const row = asObject<SlackMessage>(value);
  if (row?.slackdump_thread_replies === undefined) return [{ value, location }];
  const replies = asArray(row.slackdump_thread_replies).map((reply, index) => ({
    value: asObject(reply) === undefined ? reply : { thread_ts: row.ts, ...(reply as object) },
    location: { ...location, pointer: `${location.pointer ?? ''}/slackdump_thread_replies/${index}` },
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
  for await (const { rows } of rowsInFile(input, path)) {
    for (const { value } of rows.flatMap(withReplies)) {
      const row = asObject<SlackMessage>(value);
      const id = asString(row?.user);
      const name = id === undefined || names.has(id) ? undefined : nameInProfile(row?.user_profile);
      if (name !== undefined) names.set(id!, name);
    }
  }
  return names;
}
