import { openExport } from '../io/input/open-export.ts';
import { readsAsJsonLines } from '../io/input/lines-of-json.ts';
import { fileOptionsSchema } from './csv/options.ts';
import { csvRowReader } from './csv/rows.ts';
import { jsonRowReader } from './json/rows.ts';
import type { Row, RowStep } from './tables/row.ts';

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
