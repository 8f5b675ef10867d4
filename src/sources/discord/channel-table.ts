import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage } from '../../model/new-message.ts';
import type { Reaction } from '../../model/records.ts';
import { type CsvTableRow, readCsvTable } from '../kit/rows/csv-table.ts';
import { recordEntry, invalidEntry, type RowProblem } from '../kit/entries.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import { channelByName } from './channel.ts';
import { ChannelDescription } from './channel-description.ts';
import type { ExportContext } from './channel-file.ts';
import { addFile } from './files.ts';
import { People } from './people.ts';
import { Row } from './row.ts';
import { discordText } from './text.ts';

const readTime = timeReader('iso', undefined);
const columns = new Set(['AuthorID', 'Author', 'Date', 'Content', 'Attachments', 'Reactions']);
const isKnown = (name: string) => columns.has(name);

/**
 * The entries of a channel as CSV, which has neither ids nor replies: ids are made of what the rows say.
 *
 *     AuthorID,Author,Date,Content,Attachments,Reactions
 *
 * https://github.com/Tyrrrz/DiscordChatExporter, Core/Exporting/CsvMessageWriter.cs (2026-11)
 */
export async function* readChannelTable(
  input: ExportInput,
  path: string,
  { workspace, account }: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const channel = channelByName(path);
  const { id: conversation } = channel.conversation;
  const description = new ChannelDescription(path, channel);
  const people = new People();
  const identity = new RowIdentity();
  const shared = await idsOfSeveral(input, path);

  function add(cell: NonNullable<CsvTableRow['cell']>, location: Location, into: Entry[]): RowProblem | undefined {
    const date = cell('Date') ?? '';
    const time = readTime(date);
    // Older versions wrote dates as people of some country do, without a zone.
    if (!time || time.assumed) return { code: 'discord-bad-time', reason: badTime(date) };
    const content = cell('Content') ?? '';
    const row = new Row(channel, people);
    const record = newMessage({
      origin: {
        source: 'discord',
        workspace,
        conversation,
        id: identity.idOf([cell('AuthorID'), String(time.atMs), content]),
      },
      sortKey: rowSortKey(time.nanoseconds, location.line!),
      sentAtMs: time.atMs,
      text: discordText(content, row),
    });
    const author = people.see(readUser(cell, shared), location, into);
    if (author !== undefined) record.author = author;
    // An address may have a comma in it.
    for (const url of cell('Attachments')?.split(/,(?=https?:\/\/)/) ?? []) addFile({ url }, row);
    const reactions = readReactions(cell('Reactions') ?? '');
    if (reactions.length > 0) record.reactions = reactions;
    row.finish(record);
    description.note(record);
    into.push(recordEntry(record, location));
    return undefined;
  }

  let hasBegun = false;
  for await (const rows of readCsvTable(input, path, isKnown)) {
    const into = hasBegun ? [] : description.begin();
    hasBegun = true;
    for (const { location, cell, fault } of rows) {
      const begin = into.length;
      try {
        const problem = cell ? add(cell, location, into) : { code: 'discord-bad-row', reason: fault };
        if (problem) into.push(invalidEntry(problem.code, problem.reason, location, conversation));
      } catch (error) {
        invalidRow(error, { into, begin, location, conversation });
      }
    }
    yield into;
  }
  yield description.end(account);
}

export const badTime = (found: string): string =>
  `Expected a time such as 2026-03-02T10:00:00+01:00, found "${found.slice(0, 40)}"`;

/**
 * Ids under which several names write: webhooks, for everybody else has one name in an export. Some 100 bytes for each author of the
 * file.
 */
async function idsOfSeveral(input: ExportInput, path: string): Promise<ReadonlySet<string>> {
  const names = new Map<string, string>();
  const several = new Set<string>();
  for await (const rows of readCsvTable(input, path, isKnown)) {
    for (const { cell } of rows) {
      const id = cell?.('AuthorID') ?? '';
      const name = cell?.('Author') ?? '';
      if (names.size < authorsMax && !names.has(id)) names.set(id, name);
      else if (names.get(id) !== name && names.has(id)) several.add(id);
    }
  }
  return several;
}

const authorsMax = 200_000;

/** `Tidebot#4242` is an old name, with its number. */
function readUser(cell: NonNullable<CsvTableRow['cell']>, shared: ReadonlySet<string>) {
  const id = cell('AuthorID');
  const author = cell('Author');
  if (id !== undefined && shared.has(id)) return { id, name: author, discriminator: '0000', isBot: true };
  const [name, discriminator] = author?.split(/#(?=\d{4}$)/) ?? [];
  return { id, name, discriminator };
}

/** `🌊 (2),tide (1)` */
function readReactions(cell: string): Reaction[] {
  return cell.split(',').flatMap((part) => {
    const at = part.lastIndexOf(' (');
    const name = part.slice(0, at);
    const count = Number(part.slice(at + 2, -1));
    if (at <= 0 || !Number.isSafeInteger(count) || count < 0) return [];
    return { emoji: /^\w+$/.test(name) ? `:${name}:` : name, users: [], count };
  });
}
