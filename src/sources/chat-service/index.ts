import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/location.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entry-lists.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { conversationOf } from './conversation.ts';
import { Described } from './described.ts';
import { EarlierMessages } from './earlier-messages.ts';
import type { ServiceMessage } from './format.ts';
import { arrange, type Layout } from './layout.ts';
import { readMessage } from './message.ts';
import { asObject, asString, describe } from './narrow.ts';
import { probe } from './probe.ts';
import { type FoundRow, isFetchHeader, readRows } from './rows.ts';

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
  probe,
  read,
});

async function* read(
  input: ExportInput,
  _options: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  const layout = arrange(await input.paths());
  yield* inLists(leftOut(layout));
  for (const path of layout.files) {
    if (!context.wants(path)) continue;
    context.signal.throwIfAborted();
    const file = new FileEntries(context.workspace ?? '');
    for await (const rows of readRows(input, path)) {
      for await (const entries of inLists(file.entriesOf(rows))) {
        yield entries;
        context.signal.throwIfAborted();
      }
    }
    yield [{ type: 'file', path, role: 'rows' }];
  }
}

function* leftOut({ clutter, unknown }: Layout): Generator<Entry> {
  for (const path of clutter)
    yield { type: 'file', path, role: 'skipped', reason: 'Left behind by an operating system' };
  for (const path of unknown) yield { type: 'file', path, role: 'unknown' };
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
      if (row.fault) yield { type: 'reject', ...row.fault, location: row.location };
      else if (isFetchHeader(row.value)) this.#workspace = asString(row.value.workspace) ?? this.#workspace;
      else yield* this.#entriesOf(row.value, row.key, row.location);
    }
  }

  *#entriesOf(value: unknown, key: string | undefined, location: Location): Generator<Entry> {
    const row = asObject<ServiceMessage>(value);
    if (!row) {
      return yield {
        type: 'reject',
        code: 'not-an-object',
        reason: `Expected a message, found ${describe(value)}`,
        location,
      };
    }
    const conversation = conversationOf(row);
    if (typeof conversation === 'string') {
      return yield { type: 'reject', code: 'no-conversation', reason: conversation, location };
    }
    for (const record of this.#described.newIn(row, conversation)) yield { type: 'record', record, location };
    const context = { workspace: this.#workspace, described: this.#described, earlier: this.#earlier };
    const read = readMessage(row, key, conversation, context);
    if ('code' in read) return yield { type: 'reject', ...read, location, conversation: conversation.id };
    yield { type: 'record', record: read.record, location };
    for (const problem of read.problems) yield { type: 'problem', ...problem, location };
  }
}
