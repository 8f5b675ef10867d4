import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/location.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, recordEntry, rejectEntry, problemEntry } from '../kit/entries.ts';
import { leftOut } from '../kit/paths.ts';
import { readRowFiles } from '../kit/read-files.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { conversationOf, describedIn } from './conversation.ts';
import { Described } from '../kit/described.ts';
import { EarlierMessages } from './earlier-messages.ts';
import type { ServiceMessage } from './format.ts';
import { arrange, probe } from './probe.ts';
import { readMessage } from './message.ts';
import { asObject, asString, describe } from '../kit/narrow.ts';
import { chatServiceCodes } from './codes.ts';
import type { FoundRow } from '../kit/json-rows.ts';
import { isFetchHeader, readRows } from './rows.ts';

const options = z.strictObject({});

/**
 * What the chat service itself writes and takes: answers of its message lists, bodies of its import operation, single messages,
 * and what `chatferry fetch` makes of a running service.
 *
 * Each file is read by itself: people and groups travel with the messages, so there are no shared files.
 */
export const chatService = defineSource({
  name: 'chat-service',
  title: 'Message lists and import bodies of the chat service (JSON, NDJSON)',
  what: 'the chat service itself: message lists and import bodies, JSON or NDJSON; `chatferry fetch` writes them from a running one',
  notes: 'one app into another',
  sortKeys: 'where-given',
  describes: 'repeatedly',
  options,
  codes: chatServiceCodes,
  probe,
  read,
});

async function* read(
  input: ExportInput,
  _options: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
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
  /** What the file's first line says, else what the user says. */
  #workspace: string;
  readonly #described = new Described();
  readonly #earlier = new EarlierMessages();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  *entriesOf(rows: readonly FoundRow[]): Generator<Entry> {
    for (const row of rows) {
      if (row.fault) yield rejectEntry(row.fault.code, row.fault.reason, row.location);
      else if (isFetchHeader(row.value)) this.#workspace = asString(row.value.workspace) ?? this.#workspace;
      else yield* this.#entriesOf(row.value, row.key, row.location);
    }
  }

  *#entriesOf(value: unknown, key: string | undefined, location: Location): Generator<Entry> {
    const row = asObject<ServiceMessage>(value);
    if (!row) return yield rejectEntry('not-an-object', `Expected a message, found ${describe(value)}`, location);
    const conversation = conversationOf(row);
    if (typeof conversation === 'string') return yield rejectEntry('no-conversation', conversation, location);
    for (const record of describedIn(row, conversation)) {
      if (this.#described.add(record) !== 'same') yield recordEntry(record, location);
    }
    const context = { workspace: this.#workspace, described: this.#described, earlier: this.#earlier };
    const read = readMessage(row, key, conversation, context);
    if ('code' in read) return yield rejectEntry(read.code, read.reason, location, conversation.id);
    yield recordEntry(read.record, location);
    for (const { code, reason } of read.problems) yield problemEntry(code, reason, location);
  }
}
