import { open } from 'node:fs/promises';
import type { AsyncBuffer, Compressors, FileMetaData, SchemaTree } from 'hyparquet';
import { SourceError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { faultLine } from '../fault-line.ts';
import { checkGroup } from './check-group.ts';
import { exactParsers, type ToJson, toJson, withRawDecimals } from './parquet-values.ts';
import { checkThrift } from './thrift-check.ts';
import { withinBounds } from './unpack-page.ts';

/** Rows that are read at once: of a group of a million rows, its columns are read in parts. */
const rowsMax = 20_000;
/** Values that are held at once: of a wide table, fewer rows. */
const valuesMax = 2 ** 21;
/** Rows of a group. */
const rowCountMax = 2 ** 31;
/** Characters of lines that are handed out at once. */
const lengthMax = 2 ** 18;

/**
 * The rows of a Parquet file as JSON Lines: the number of the line is that of the row. Whole numbers of 64 bits and decimals keep every digit,
 * times are ISO 8601 with all their digits, and without a zone if the file says that they have none. Bytes that are no text are base 64.
 *
 * If a part of the file cannot be read, a line says so (`fault-line.ts`), and the rows after it keep their numbers.
 *
 * @param file A local file.
 * @throws SourceError if its footer cannot be read: it is cut off, or encrypted.
 */
export async function* parquetLines(file: string, path: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytes: AsyncBuffer = {
      byteLength: size,
      async slice(start, end = size) {
        const buffer = Buffer.alloc(Math.max(0, Math.min(end, size) - start));
        await handle.read(buffer, 0, buffer.length, start);
        return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.length) as ArrayBuffer;
      },
    };
    const table = await openTable(bytes, path);
    let start = 0;
    for (const group of table.metadata.row_groups) {
      const count = checkedRowCount(group, path);
      yield* groupLines(table, { group, start, count });
      start += count;
    }
  } finally {
    await handle.close();
  }
}

interface Table {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly compressors: Compressors;
  readonly schema: SchemaTree;
  readonly columns: readonly { readonly name: string; readonly read: ToJson }[];
}

type Group = FileMetaData['row_groups'][number];

async function openTable(file: AsyncBuffer, path: string): Promise<Table> {
  const { parquetMetadata, parquetSchema } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  try {
    const metadata = parquetMetadata(await readFooter(file), { geoparquet: false });
    const schema = parquetSchema(metadata);
    const columns = schema.children.map((tree) => ({ name: tree.element.name, read: toJson(tree) }));
    return {
      file,
      metadata: { ...metadata, schema: withRawDecimals(metadata.schema) },
      compressors: withinBounds(compressors),
      schema,
      columns,
    };
  } catch (cause) {
    throw new SourceError(`Cannot read the Parquet file: ${describeError(cause)}`, {
      hint: 'Export or copy it again; a file that is encrypted is not read',
      location: { path },
      cause,
    });
  }
}

/** Each column has at least one value for each row. */
function checkedRowCount({ num_rows: count, columns }: Group, path: string): number {
  const hasValues =
    columns.length > 0 && columns.every(({ meta_data: about }) => (about?.num_values ?? count) >= count);
  if (count === 0n || (count > 0n && count < rowCountMax && hasValues)) return Number(count);
  throw new SourceError(`Cannot read the Parquet file: a part would have ${count} rows`, { location: { path } });
}

interface GroupRows {
  readonly group: Group;
  /** Rows before the group. */
  readonly start: number;
  readonly count: number;
}

async function* groupLines(table: Table, { group, start, count }: GroupRows): AsyncGenerator<Buffer> {
  const unreadable = (from: number, to: number, error: unknown) =>
    unreadableRows({ from: start + from, to: start + to }, error);
  if (count === 0) return;
  try {
    await checkGroup(table, group);
  } catch (error) {
    return yield* unreadable(0, count, error);
  }
  const step = Math.max(1, Math.min(rowsMax, Math.floor(valuesMax / table.columns.length)));
  for (let from = 0; from < count; from += step) {
    const to = Math.min(from + step, count);
    let columns: readonly (readonly unknown[])[];
    try {
      columns = await readColumns(table, { group, from, to });
    } catch (error) {
      yield* unreadable(from, to, error);
      continue;
    }
    let text = '';
    for (let at = 0; at < to - from; at += 1) {
      text += formatLine(table, columns, { at, number: start + from + at + 1 });
      if (text.length < lengthMax) continue;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text);
  }
}

/** One column after the other: what the package holds for one is released before the next. */
async function readColumns(
  { file, metadata, compressors, columns }: Table,
  { group, from, to }: { readonly group: Group; readonly from: number; readonly to: number },
): Promise<readonly (readonly unknown[])[]> {
  const { parquetRead } = await import('hyparquet');
  const found: unknown[][] = [];
  for (const { name } of columns) {
    const column = { file, compressors, metadata: { ...metadata, row_groups: [group] }, columns: [name] };
    const values = { rowStart: from, rowEnd: to, utf8: false, parsers: exactParsers, geoparquet: false };
    const onComplete = (rows: unknown[][]) => found.push(rows.map(([value]) => value));
    await parquetRead({ ...column, ...values, onComplete });
    const count = found.at(-1)!.length;
    if (count !== to - from) throw new Error(`it has ${count} rows of ${to - from}`);
  }
  return found;
}

function formatLine(
  table: Table,
  columns: readonly (readonly unknown[])[],
  { at, number }: { readonly at: number; readonly number: number },
): string {
  try {
    const values = table.columns.map(({ name, read }, column) => [name, read(columns[column]![at])]);
    return `${JSON.stringify(Object.fromEntries(values))}\n`;
  } catch (error) {
    return `${faultLine(`the row ${number} of the Parquet file cannot be read: ${describeError(error)}`)}\n`;
  }
}

function* unreadableRows({ from, to }: { from: number; to: number }, error: unknown): Generator<Buffer> {
  yield Buffer.from(faultLine(`rows ${from + 1} to ${to} of the Parquet file cannot be read: ${describeError(error)}`));
  for (let left = to - from; left > 0; left -= lengthMax) yield Buffer.alloc(Math.min(left, lengthMax), '\n');
}

/** With its length and its mark. @throws RangeError if it says sizes that cannot be. */
async function readFooter(file: AsyncBuffer): Promise<ArrayBuffer> {
  const end = new DataView(await file.slice(Math.max(0, file.byteLength - 8), file.byteLength));
  const size = end.byteLength === 8 ? end.getUint32(0, true) : 0;
  const footer = await file.slice(Math.max(0, file.byteLength - 8 - size), file.byteLength);
  if (size > 0 && size + 8 <= file.byteLength) checkThrift(new DataView(footer, 0, size), 0);
  return footer;
}

const describeError = (error: unknown): string =>
  truncate(oneLine(error instanceof Error ? error.message : String(error)), 120);
