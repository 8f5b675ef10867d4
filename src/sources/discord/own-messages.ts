import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage } from '../../model/new-message.ts';
import { compareWithRow } from '../kit/rows/compare-with-row.ts';
import { readCsvTable } from '../kit/rows/csv-table.ts';
import { fieldProblem, invalidEntry, recordEntry, type RowProblem } from '../kit/entries.ts';
import { readArrayFile } from '../kit/rows/json-array.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { asId, asObject, asString, wordFor } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import type { Channel } from './channel.ts';
import { badTime } from './channel-table.ts';
import { addFile } from './files.ts';
import { ownMessages } from './format.ts';
import type { Package } from './package.ts';
import { Row } from './row.ts';
import { discordText } from './text.ts';

/** A row of a data package. */
interface OwnRow {
  readonly ID: string;
  readonly Timestamp: string;
  readonly Contents: string;
  /** Addresses, with spaces between them. */
  readonly Attachments: string;
}

const columns = ['ID', 'Timestamp', 'Contents', 'Attachments'] as const;

/** Times without an offset are of UTC. */
const readTime = timeReader('iso', 'UTC');

/** The entries of a file of messages of a data package, all by its account. */
export async function* readOwnMessages(
  input: ExportInput,
  path: string,
  { facts, workspace }: { readonly facts: Package; readonly workspace: string },
): AsyncGenerator<readonly Entry[]> {
  const channel = facts.channel(ownMessages.exec(path)![1]!);
  const conversation = channel.conversation.id;
  const add = (value: unknown, location: Location, into: Entry[]) => {
    const begin = into.length;
    try {
      const problem = addMessage(value, location, into, { facts, workspace, channel });
      if (problem) into.push(invalidEntry(problem.code, problem.reason, location, conversation));
    } catch (error) {
      invalidRow(error, { into, begin, location, conversation });
    }
  };
  if (path.endsWith('.csv')) {
    for await (const rows of readCsvTable(input, path, (name) => columns.some((column) => column === name))) {
      const into: Entry[] = [];
      for (const { location, cell, fault } of rows) {
        if (cell) add(Object.fromEntries(columns.map((name) => [name, cell(name)])), location, into);
        else into.push(invalidEntry('discord-bad-row', fault, location, conversation));
      }
      yield into;
    }
    return;
  }
  for await (const { firstIndex, values, fault } of readArrayFile(input, path)) {
    const into: Entry[] = [];
    for (const [index, value] of values.entries()) add(value, { path, pointer: `/${firstIndex + index}` }, into);
    if (fault) into.push(invalidEntry(fault.code, fault.reason, fault.location, conversation));
    yield into;
  }
}

interface OwnContext {
  readonly facts: Package;
  readonly workspace: string;
  readonly channel: Channel;
}

function addMessage(
  value: unknown,
  location: Location,
  into: Entry[],
  { facts, workspace, channel }: OwnContext,
): RowProblem | undefined {
  const message = asObject<OwnRow>(value);
  if (!message) return { code: 'not-an-object', reason: `Expected a message, found ${wordFor(value)}` };
  const id = asId(message.ID);
  if (id === undefined) return fieldProblem('missing-id', '"ID"', message.ID);
  const written = asString(message.Timestamp) ?? '';
  const time = readTime(written);
  if (!time) return { code: 'discord-bad-time', reason: badTime(written) };
  const row = new Row(channel, facts);
  const record = newMessage({
    origin: { source: 'discord', workspace, conversation: channel.conversation.id, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs: time.atMs,
    text: discordText(asString(message.Contents) ?? '', row),
  });
  if (facts.account !== undefined) record.author = facts.account;
  for (const url of asString(message.Attachments)?.split(/\s/).filter(Boolean) ?? []) addFile({ url }, row);
  row.finish(record);
  into.push(recordEntry(record, location));
  compareWithRow(value, location, into, into.length - 1);
  return undefined;
}
