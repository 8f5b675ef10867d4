import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { Described } from '../kit/described.ts';
import { inLists, problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import type { FoundRow } from '../kit/rows/json-rows.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { asObject, asString, describe } from '../kit/narrow.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut, type SortedPaths, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { chatServiceCodes } from './codes.ts';
import { conversationOf, describedIn } from './conversation.ts';
import { EarlierMessages } from './imported-metadata.ts';
import type { ServiceMessage } from './format.ts';
import { readMessage } from './message.ts';
import { isFetchHeader, readRows } from './rows.ts';

const options = z.strictObject({});

/**
 * Formats that the chat service itself writes and takes: answers of its message lists, bodies of its import operation,
 * single messages, and the output of `chatferry fetch` from a running service.
 *
 * Each file is read by itself: people and groups travel with the messages, so there are no shared files.
 */
export const chatService = defineSource({
  name: 'chat-service',
  title: 'Message lists and import bodies of the chat service (JSON, NDJSON)',
  what: 'the chat service itself: message lists and import bodies, JSON or NDJSON; `chatferry fetch` writes them from a running one',
  notes: 'one app into another',
  sortKeys: 'where-given',
  options,
  codes: chatServiceCodes,
  probe,
  read,
});

/** Enough for a first message, whose people are described in it. */
const headBytes = 16 * 1024;
const filesMax = 3;

/** Fields that together only this service writes, in the order of how telling they are. */
const receiverType = /"receiverType"\s*:\s*"(?:user|group)"/;
const others = [/"receiver"\s*:\s*"/, /"(?:muid|conversationId)"\s*:\s*"|"sentAt"\s*:\s*["\d]/];
const header = /^\s*\{\s*"kind"\s*:\s*"chat-service-fetch"/;

/** Certain where one of the first files begins with messages of the service. Reads the beginnings of at most three files. */
async function probe(input: ExportInput): Promise<Probe> {
  const paths = arrange(await input.paths()).of('rows');
  for (const path of paths.slice(0, filesMax)) {
    const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('utf8');
    if (header.test(head))
      return { match: 'certain', because: `the first line of "${path}", written by chatferry fetch` };
    if (!/^\ufeff?\s*[[{]/.test(head) || !receiverType.test(head)) continue;
    if (others.every((field) => field.test(head))) {
      return { match: 'certain', because: `messages with "receiverType" and "receiver" in "${path}"` };
    }
  }
  return { match: 'no' };
}

/** Sorts the paths. A file that was named alone may have any name; in a folder the extension decides. */
function arrange(paths: readonly string[]): SortedPaths<'rows'> {
  const isAlone = withoutClutter(paths).own.length === 1;
  return sortPaths(paths, (path) => (isAlone || /\.(?:json|ndjson|jsonl)$/i.test(path) ? 'rows' : undefined));
}

async function* read(
  exported: ExportInput,
  _options: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  const input = expectFiles(exported, expectedByName);
  const sorted = arrange(await input.paths());
  yield* inLists(leftOut(sorted));
  yield* readRowFiles({ paths: sorted.of('rows'), context, read: (path) => readFile(input, path, context) });
}

async function* readFile(input: ExportInput, path: string, { workspace = '' }: ReadContext) {
  const file = new FileEntries(workspace);
  for await (const rows of readRows(input, path)) yield* inLists(file.entriesOf(rows));
}

/** Turns the rows of one file into entries, and knows what the rows before said. */
class FileEntries {
  /** The workspace in the file's first line, else the one given by the user. */
  #workspace: string;
  readonly #described = new Described();
  readonly #earlier = new EarlierMessages();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  *entriesOf(rows: readonly FoundRow[]): Generator<Entry> {
    for (const row of rows) {
      const into: Entry[] = [];
      try {
        if (row.fault) into.push(invalidEntry(row.fault.code, row.fault.reason, row.location));
        else if (isFetchHeader(row.value)) this.#workspace = asString(row.value.workspace) ?? this.#workspace;
        else for (const entry of this.#entriesOf(row.value, row.key, row.location)) into.push(entry);
      } catch (error) {
        invalidRow(error, { into, begin: 0, location: row.location });
      }
      yield* into;
    }
  }

  *#entriesOf(value: unknown, key: string | undefined, location: Location): Generator<Entry> {
    const row = asObject<ServiceMessage>(value);
    if (!row) return yield invalidEntry('not-an-object', `Expected a message, found ${describe(value)}`, location);
    const conversation = conversationOf(row);
    if (typeof conversation === 'string') return yield invalidEntry('no-conversation', conversation, location);
    for (const { record, problems } of describedIn(row, conversation)) {
      if (this.#described.add(record) === 'same') continue;
      yield recordEntry(record, location);
      for (const { code, reason } of problems) yield problemEntry(code, reason, location);
    }
    const context = { workspace: this.#workspace, described: this.#described, earlier: this.#earlier };
    const read = readMessage(row, key, conversation, context);
    if ('code' in read) return yield invalidEntry(read.code, read.reason, location, conversation.id);
    yield recordEntry(read.record, location);
    for (const { code, reason } of read.problems) yield problemEntry(code, reason, location);
  }
}
