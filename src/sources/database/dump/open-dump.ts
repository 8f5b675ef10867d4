import { closeSync } from 'node:fs';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { openRegularFile } from '../../../io/input/regular-file.ts';
import { SourceError } from '../../../lib/errors.ts';
import { countOf } from '../../../lib/text/count.ts';
import type { CellText, Database, DatabaseProblem, DatabaseRow, DatabaseTable, RowConditions } from '../database.ts';
import type { Dialect } from './dialect.ts';
import { findDialect, dumpHeadBytes, foreignDump } from './recognise.ts';
import type { ScannedTable } from './scan/catalogue.ts';
import { type ScannedDump, scanDump } from './scan/scan-dump.ts';
import { describeTables } from './table-names.ts';
import { readRows, type RowsOptions } from './values/read-rows.ts';
import { defaultChunkBytes } from './window.ts';

/** Bytes of one row; it is held as a whole. Larger ones are faults, and what follows is read. */
const defaultRowBytesMax = 64 * 2 ** 20;

interface DumpOptions {
  readonly rowBytesMax?: number;
  /** Bytes that are read at once. */
  readonly chunkBytes?: number;
}

/**
 * Opens an SQL dump and scans it once: 100 to 1,000 MB a second. Nothing of it is ever run. Rows are read from the file
 * again, at their offsets; memory is that of the catalogue, and of one row.
 *
 * @throws SourceError if the file cannot be read, is a dump in another form, or its text is in an encoding that cannot
 *   be read.
 */
export async function openDump(
  input: ExportInput,
  path: string,
  signal: AbortSignal,
  { rowBytesMax = defaultRowBytesMax, chunkBytes = defaultChunkBytes }: DumpOptions = {},
): Promise<Database> {
  const head = await input.head(path, dumpHeadBytes);
  const foreign = foreignDump(head);
  if (foreign) {
    throw new SourceError(`Cannot read the dump: expected SQL, found ${foreign.what}`, {
      location: { path },
      hint: foreign.hint,
    });
  }
  const dialect = findDialect(head);
  const { fd, sizeBytes, modifiedMs } = openRegularFile(await input.materialise(path));
  try {
    const state = JSON.stringify([path, sizeBytes, modifiedMs]);
    const last = lastScans.get(input);
    const scanned = last?.state === state ? last.scanned : await scanDump({ fd, path, dialect, chunkBytes, signal });
    lastScans.set(input, { state, scanned });
    return new SqlDump(scanned, { fd, path, dialect, rowBytesMax, chunkBytes });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** While questions are asked about a dump it is opened again and again: it is scanned once, and again if the file is another. */
const lastScans = new WeakMap<ExportInput, { readonly state: string; readonly scanned: ScannedDump }>();

type DumpFile = Omit<RowsOptions, 'signal'>;

class SqlDump implements Database {
  readonly system = 'SQL dump';
  readonly tables: readonly DatabaseTable[];
  readonly problems: readonly DatabaseProblem[];
  readonly #file: DumpFile;
  readonly #scanned: ReadonlyMap<string, ScannedTable>;
  #isOpen = true;

  constructor(dump: ScannedDump, file: DumpFile) {
    const described = describeTables(dump.catalogue, file.dialect);
    this.#file = file;
    this.tables = described.map(({ table }) => table);
    this.#scanned = new Map(described.map(({ table, scanned }) => [table.name, scanned]));
    this.problems = listProblems(dump, this.tables, this.#scanned, file.dialect);
  }

  async *rows(table: string, columns: readonly string[], signal: AbortSignal): AsyncGenerator<readonly DatabaseRow[]> {
    yield* readRows(this.#tableNamed(table), columns, { ...this.#file, signal });
  }

  async *rowsWhere(
    table: string,
    wanted: readonly string[],
    { anyOf, max }: RowConditions,
  ): AsyncGenerator<readonly DatabaseRow[]> {
    const { signal } = new AbortController();
    const asked = [...new Set(anyOf.map(({ column }) => column))];
    const conditions = anyOf.map(({ column, values, isOneOf }) => {
      return { index: asked.indexOf(column), values: new Set(values), isOneOf };
    });
    const test = (cells: readonly CellText[]) =>
      conditions.some(({ index, values, isOneOf }) => values.has(cells[index] ?? '') === isOneOf);
    const isNeeded = (name: string) =>
      anyOf.some(({ column, values }) => column === name && values.some((value) => value !== ''));
    const only = { columns: asked, emptyAlone: asked.filter((name) => !isNeeded(name)), test, max };
    let left = max;
    for await (const rows of readRows(this.#tableNamed(table), wanted, { ...this.#file, signal, only })) {
      yield rows.slice(0, left);
      left -= rows.length;
      if (left <= 0) return;
    }
  }

  #tableNamed(table: string): ScannedTable {
    const scanned = this.#scanned.get(table);
    if (scanned) return scanned;
    throw new SourceError(`Cannot read "${table}": the dump has no such table`, {
      location: { path: this.#file.path },
    });
  }

  async close(): Promise<void> {
    if (this.#isOpen) closeSync(this.#file.fd);
    this.#isOpen = false;
  }
}

/** Returns what a user should know about the dump as a whole. */
function listProblems(
  { cutOff, isDamaged }: ScannedDump,
  tables: readonly DatabaseTable[],
  scanned: ReadonlyMap<string, ScannedTable>,
  dialect: Dialect,
): DatabaseProblem[] {
  const problems: DatabaseProblem[] = [];
  if (cutOff) {
    const last = cutOff.table ? `; the last rows are those of "${cutOff.table.name.table}"` : '';
    const reason = `The dump is cut off: it ends at line ${cutOff.line} without its last lines${last}`;
    problems.push({ code: 'dump-cut-off', reason });
  }
  if (isDamaged) {
    problems.push({
      code: 'dump-of-damaged',
      reason:
        dialect === 'sqlite'
          ? 'SQLite encountered errors in the database when it made the dump: rows may be missing'
          : 'The dump takes a transaction back (ROLLBACK): its rows are read as if they had stayed',
    });
  }
  const computed = tables.flatMap(({ name }) => listGenerated(name, scanned.get(name)!));
  if (computed.length > 0) {
    const reason = `${countOf(computed.length, 'column is', 'columns are')} computed by the database and not in the dump: ${computed.join(', ')}`;
    problems.push({ code: 'dump-generated-columns', reason });
  }
  const unknown = tables.filter(({ columns }) => columns.length === 0).map(({ name }) => `"${name}"`);
  if (unknown.length > 0) {
    problems.push({
      code: 'dump-without-columns',
      reason: `No statement of the dump names the columns of ${unknown.join(', ')}`,
    });
  }
  const databases = new Set([...scanned.values()].map(({ name }) => name.database));
  if (databases.size > 1) {
    const names = [...databases].map((database) => `"${database}"`).join(', ');
    problems.push({
      code: 'dump-of-several',
      reason: `The dump holds several databases, ${names}; tables are named with theirs`,
    });
  }
  return problems;
}

const listGenerated = (table: string, { columns }: ScannedTable): string[] =>
  columns.filter(({ isGenerated }) => isGenerated).map(({ name }) => `"${table}.${name}"`);
