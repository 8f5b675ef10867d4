import { formatCount } from '../../lib/text/count.ts';
import type { CsvDialect } from '../../io/csv/csv-dialect.ts';
import { isEndOfCopy, unescaped } from '../../io/csv/csv-escapes.ts';
import { type CsvRow, readCsvRows } from '../../io/csv/csv-rows.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { utf8Chunks } from '../../io/text-encoding.ts';
import type { Entry } from '../../model/entry.ts';
import { CellRow, type Columns, indexColumns } from '../tables/cell-row.ts';
import { type RowReader, type RowStep, tableNameOf } from '../tables/row.ts';
import type { Table } from '../tables/schema/bindings.ts';
import { type CsvShape, findCsvShape, peekBytes } from './csv-shape.ts';
import type { FileOptions } from './options.ts';

/** Returns a reader of the rows of an export's files, for the code that binds them. */
export function csvRowReader(input: ExportInput, options: FileOptions): RowReader<Table> {
  return {
    hasFixedNames: true,
    tablesIn: async (path) => [{ name: tableNameOf(path), table: undefined }],
    readColumns: async (path) => findCsvShape(await input.head(path, peekBytes), options).header.names,
    async *rows(path) {
      const shape = findCsvShape(await input.head(path, peekBytes), options);
      yield* readTableRows(input.open(path), path, shape);
    },
  };
}

/** The rows below the header, with what is odd about the file before them. */
export async function* readTableRows(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  shape: CsvShape,
): AsyncGenerator<readonly RowStep[]> {
  const columns = indexColumns(shape.header.names);
  const damages = new Damages(path);
  // Excel's "sep=;" and the header are rows of the text, but not of the table.
  let rowsToSkip = (shape.hasSeparatorLine ? 1 : 0) + (shape.header.isFirstRow ? 1 : 0);
  yield oddities(path, shape);
  for await (const rows of readCsvRows(utf8Chunks(chunks, shape.encoding.encoding), shape.dialect)) {
    const steps: RowStep[] = [];
    for (const row of rows) {
      if (rowsToSkip > 0) rowsToSkip -= 1;
      else if (!row.fault && isEndOfCopy(row.cells, shape.dialect)) continue;
      else steps.push(...damages.noticed(row), toStep(row, path, columns, shape.dialect), ...continuation(row, path));
    }
    yield steps;
  }
  yield damages.end();
}

function toStep(row: CsvRow, path: string, columns: Columns, { sequences }: CsvDialect): RowStep {
  const location = { path, line: row.line };
  if (row.fault) return { type: 'invalid', ...row.fault, location };
  const cells = sequences ? row.cells.map(unescaped) : row.cells;
  const wanted = columns.names.length;
  // Some programs end every row with a delimiter, but not the header.
  const hasExtra = cells.length > wanted && cells.slice(wanted).some((cell) => cell !== '');
  if (cells.length >= wanted && !hasExtra) return new CellRow(cells, columns, location);
  const reason = `Cannot read the row: expected ${formatCount(wanted)} fields as in the header, found ${formatCount(cells.length)}`;
  return { type: 'invalid', code: 'field-count', reason, location };
}

type Problem = Extract<Entry, { type: 'problem' }>;

/** Reports a quote that is never closed: a person should check whether the lines behind it are rows, as is assumed. */
function continuation({ line, fault }: CsvRow, path: string): Problem[] {
  if (fault?.goesOnAt === undefined) return [];
  const reason = `The quote that opens in line ${line} takes in what follows; from line ${fault.goesOnAt} on, lines are read as rows again`;
  return [{ type: 'problem', code: 'rows-behind-quote', reason, location: { path, line } }];
}

function oddities(path: string, { encoding, header, unsaidEscapes }: CsvShape): Problem[] {
  const location = { path, line: 1 };
  const problems: Problem[] = header.changes.map((change) => ({
    type: 'problem',
    code: 'header-changed',
    reason: `In the header, ${change}`,
    location,
  }));
  if (encoding.isGuess) {
    const reason = `The text is read as ${encoding.encoding} (${encoding.because}): set "encoding" in the mapping if letters come out wrong`;
    problems.push({ type: 'problem', code: 'encoding-assumed', reason, location });
  }
  const { quotes, sequences } = unsaidEscapes;
  for (const [found, setting] of [
    [quotes, 'escape: "\\"'],
    [sequences, 'escapes: backslash'],
  ]) {
    if (found === undefined) continue;
    const reason = `Backslashes are read as characters, and the file has ${found}: set "${setting}" in the mapping if they represent others`;
    problems.push({ type: 'problem', code: 'backslashes', reason, location });
  }
  if (!header.isFirstRow && header.names.length > 0) {
    const reason = `There is no header: the columns are called ${header.names.slice(0, 3).join(', ')} …`;
    problems.push({ type: 'problem', code: 'no-header', reason, location });
  }
  return problems;
}

/** Rows with damaged characters that are shown one by one. */
const damagesMax = 20;

/** Reports rows with bytes that were no characters: the first ones with their locations, the others as a count. */
class Damages {
  #count = 0;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  noticed(row: CsvRow): Problem[] {
    if (row.fault || !row.isDamaged) return [];
    this.#count += 1;
    if (this.#count > damagesMax) return [];
    return [
      this.#problem(
        'The row has bytes that are not valid characters; they are replaced with U+FFFD: see "encoding"',
        row.line,
      ),
    ];
  }

  end(): Problem[] {
    const more = this.#count - damagesMax;
    return more > 0 ? [this.#problem(`${formatCount(more)} more rows hold bytes that are no characters`)] : [];
  }

  #problem(reason: string, line?: number): Problem {
    const location = { path: this.#path, ...(line !== undefined && { line }) };
    return { type: 'problem', code: 'damaged-text', reason, location };
  }
}
