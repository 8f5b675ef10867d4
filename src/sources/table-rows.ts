import { openExport } from '../io/input/open-export.ts';
import { readsAsJsonLines } from '../io/input/lines-of-json.ts';
import { csvRowReader } from './csv/rows.ts';
import { jsonRowReader } from './json/rows.ts';
import type { Location } from '../lib/text/location.ts';
import type { Entry } from '../model/entry.ts';
import type { ChatRecord } from '../model/records.ts';
import { csvOptionsSchema, fileOptionsSchema } from './csv/options.ts';
import { CellRow, indexColumns } from './tables/cell-row.ts';
import { JsonRow } from './json/json-row.ts';
import { jsonOptionsSchema } from './json/options.ts';
import { createBinders } from './tables/bind/binders.ts';
import type { Row, RowStep } from './tables/row.ts';
import type { Bindings } from './tables/schema/bindings.ts';

export type TableRow = Row;
export type TableStep = RowStep;

/**
 * The rows of one file that is a table and no export: CSV with a header, or JSON with a list of objects, by the ending of its name.
 *
 * @throws SourceError if the file cannot be read.
 */
export async function* readTable(path: string): AsyncGenerator<readonly TableStep[]> {
  const [input] = await openExport([path]);
  try {
    const [file] = await input!.paths();
    const isJson = /\.(?:json|ndjson|jsonl)(?:\.gz)?$/i.test(path) || readsAsJsonLines(file!);
    const reader = isJson ? jsonRowReader(input!) : csvRowReader(input!, fileOptionsSchema.parse({ header: true }));
    yield* reader.rows(file!, undefined);
  } finally {
    await input!.close();
  }
}

/** Result of reading a row of a table: its records (none if the mapping leaves the row out), or why it cannot be read. */
export type RowOutcome =
  | { readonly records: readonly ChatRecord[]; readonly invalid?: never }
  /** By which code. */
  | { readonly invalid: string; readonly records?: never };

/**
 * Reads one row of the table of messages as the mapping's `source:` binds it. A row of scalars is one of CSV, where every
 * value is text; one with lists or objects inside is one of JSON.
 */
export function bindExampleRow(
  source: unknown,
  values: Readonly<Record<string, unknown>>,
  location: Location,
): RowOutcome {
  const isFlat = Object.values(values).every((value) => typeof value !== 'object' || value === null);
  const parsed = (isFlat ? csvOptionsSchema : jsonOptionsSchema).safeParse(source);
  if (!parsed.success) return notBound;
  const bindings: Bindings = parsed.data;
  const { messages } = bindings;
  if (!messages) return notBound;
  const binder = createBinders({ ...bindings, messages }, { source: 'example', workspace: '' }).messages;
  const entries: Entry[] = [];
  binder.beginFile();
  binder.bind(isFlat ? textRow(values, location) : new JsonRow(values, location, {}), entries);
  const reject = entries.find((entry) => entry.type === 'invalid');
  if (reject) return { invalid: reject.code };
  return { records: entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : [])) };
}

/** The `source:` section does not have enough settings to read a row. */
const notBound: RowOutcome = { invalid: 'not-bound' };

function textRow(values: Readonly<Record<string, unknown>>, location: Location): Row {
  const cells = Object.values(values).map((value) => (value === null ? '' : String(value)));
  return new CellRow(cells, indexColumns(Object.keys(values)), location);
}
