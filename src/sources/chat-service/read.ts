import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { Described } from '../kit/described.ts';
import { inLists, problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import type { FoundRow } from '../kit/rows/json-rows.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { compareWithRow } from '../kit/rows/compare-with-row.ts';
import { asObject, describe } from '../kit/narrow.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadContext } from '../source.ts';
import { readConversation, describedIn } from './conversation.ts';
import { EarlierMessages } from './imported-metadata.ts';
import type { ServiceMessage } from './format.ts';
import { readMessage } from './message.ts';
import { readRows } from './rows.ts';
import { arrange } from './layout.ts';

export async function* read(
  exported: ExportInput,
  _options: object,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  const input = expectFiles(exported, expectedByName);
  const sorted = arrange(await input.paths());
  yield* inLists(leftOut(sorted));
  yield* readRowFiles({ paths: sorted.of('rows'), context, read: (path) => readFile(input, path, context) });
}

async function* readFile(input: ExportInput, path: string, { workspace = '' }: ReadContext) {
  const file = new FileEntries(workspace);
  for await (const rows of readRows(input, path)) yield* inLists(file.readEntries(rows));
}

/** Turns the rows of one file into entries, and knows what the rows before said. */
class FileEntries {
  readonly #workspace: string;
  readonly #described = new Described();
  readonly #earlier = new EarlierMessages();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  *readEntries(rows: readonly FoundRow[]): Generator<Entry> {
    for (const row of rows) {
      const into: Entry[] = [];
      try {
        if (row.fault) into.push(invalidEntry(row.fault.code, row.fault.reason, row.location));
        else for (const entry of this.#entriesOf(row.value, row.key, row.location)) into.push(entry);
        compareWithRow(row.value, row.location, into);
      } catch (error) {
        invalidRow(error, { into, begin: 0, location: row.location });
      }
      yield* into;
    }
  }

  *#entriesOf(value: unknown, key: string | undefined, location: Location): Generator<Entry> {
    const row = asObject<ServiceMessage>(value);
    if (!row) return yield invalidEntry('not-an-object', `Expected a message, found ${describe(value)}`, location);
    const conversation = readConversation(row);
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
