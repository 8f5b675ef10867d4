import { open } from 'node:fs/promises';
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet';
import { SourceError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { faultLine } from '../fault-line.ts';
import { exactParsers, type ToJson, toJson, withRawDecimals } from './parquet-values.ts';

/** Rows that are read at once: of a group of a million rows, its columns are read in parts. */
const rowsMax = 20_000;
/** Bytes that a page of a column may unpack to. Writers make pages of a MiB. */
const pageBytesMax = 256 * 2 ** 20;
const rowCountMax = 2 ** 40;

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
      const groupEnd = start + rowCountOf(group, path);
      for (; start < groupEnd; start = Math.min(start + rowsMax, groupEnd))
        yield Buffer.from(await linesOf(table, start, Math.min(start + rowsMax, groupEnd)));
    }
  } finally {
    await handle.close();
  }
}

interface Table {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly compressors: Compressors;
  readonly columns: readonly { readonly name: string; readonly read: ToJson }[];
}

async function openTable(file: AsyncBuffer, path: string): Promise<Table> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  try {
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    const columns = parquetSchema(metadata).children.map((tree) => ({ name: tree.element.name, read: toJson(tree) }));
    return {
      file,
      metadata: { ...metadata, schema: withRawDecimals(metadata.schema) },
      compressors: withinBounds(compressors),
      columns,
    };
  } catch (cause) {
    throw new SourceError(`Cannot read the Parquet file: ${reasonOf(cause)}`, {
      hint: 'Export or copy it again; a file that is encrypted is not read',
      location: { path },
      cause,
    });
  }
}

/** The size of a page is said by the file: one that is absurd must not take the memory. */
const withinBounds = (compressors: Compressors): Compressors =>
  Object.fromEntries(
    Object.entries(compressors).map(([name, unpack]) => [
      name,
      (input: Uint8Array, byteCount: number) => {
        if (byteCount > pageBytesMax) throw new RangeError(`a page would have ${byteCount} bytes`);
        return unpack(input, byteCount);
      },
    ]),
  );

/** Each column has at least one value for each row. */
function rowCountOf({ num_rows: count, columns }: FileMetaData['row_groups'][number], path: string): number {
  const hasValues =
    columns.length > 0 && columns.every(({ meta_data: about }) => (about?.num_values ?? count) >= count);
  if (count === 0n || (count > 0n && count < rowCountMax && hasValues)) return Number(count);
  throw new SourceError(`Cannot read the Parquet file: a part would have ${count} rows`, { location: { path } });
}

async function linesOf({ columns, ...table }: Table, rowStart: number, rowEnd: number): Promise<string> {
  const { parquetRead } = await import('hyparquet');
  try {
    let rows: readonly (readonly unknown[])[] = [];
    const onComplete = (found: unknown[][]) => {
      rows = found;
    };
    const names = columns.map(({ name }) => name);
    await parquetRead({
      ...table,
      columns: names,
      rowStart,
      rowEnd,
      utf8: false,
      parsers: exactParsers,
      geoparquet: false,
      onComplete,
    });
    if (rows.length !== rowEnd - rowStart) throw new Error(`it has ${rows.length} rows of ${rowEnd - rowStart}`);
    return rows
      .map(
        (row) => `${JSON.stringify(Object.fromEntries(columns.map(({ name, read }, at) => [name, read(row[at])])))}\n`,
      )
      .join('');
  } catch (error) {
    const reason = `rows ${rowStart + 1} to ${rowEnd} of the Parquet file cannot be read: ${reasonOf(error)}`;
    return `${faultLine(reason)}${'\n'.repeat(rowEnd - rowStart)}`;
  }
}

const reasonOf = (error: unknown): string =>
  truncate(oneLine(error instanceof Error ? error.message : String(error)), 120);
