import type { AsyncBuffer, Compressors, FileMetaData, PageHeader, SchemaTree } from 'hyparquet';
import { pageBytesMax } from './unpack-page.ts';
import { checkThrift } from './thrift-check.ts';

/** Values of a page. A page of millions has few bytes only if nearly all are equal, or missing. */
const pageValuesMax = 2 ** 24;
/** Values of a page that are stored one by one. Writers make pages of a MiB. */
const plainValuesMax = 2 ** 22;

type Group = FileMetaData['row_groups'][number];
type ColumnChunk = NonNullable<Group['columns'][number]['meta_data']>;

interface CheckedTable {
  readonly file: AsyncBuffer;
  readonly compressors: Compressors;
  readonly schema: SchemaTree;
}

/**
 * Checks the pages of a group before the package reads them: it makes room for as many values as headers and runs say that there are, and a few
 * bytes can say any number.
 *
 * Memory: a column of the group as it is stored, and one page.
 *
 * @throws RangeError that names the column.
 */
export async function checkGroup(table: CheckedTable, group: Group): Promise<void> {
  const { getTreePath } = await import('hyparquet/src/schema.js');
  for (const { meta_data: chunk } of group.columns) {
    if (chunk === undefined) throw new RangeError('a column is not described');
    const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
    const bytes = await table.file.slice(start, start + Number(chunk.total_compressed_size));
    const path = getTreePath(table.schema, chunk.path_in_schema);
    const name = JSON.stringify(chunk.path_in_schema.join('.'));
    try {
      await checkPages(new DataView(bytes), { chunk, path, compressors: table.compressors }, Number(group.num_rows));
    } catch (error) {
      throw new RangeError(`the column ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

interface CheckedChunk {
  readonly chunk: ColumnChunk;
  readonly path: SchemaTree[];
  readonly compressors: Compressors;
}

async function checkPages(bytes: DataView, checked: CheckedChunk, rowCount: number): Promise<void> {
  const { parquetHeader } = await import('hyparquet/src/column.js');
  const { getMaxDefinitionLevel, getMaxRepetitionLevel, isFlatColumn } = await import('hyparquet/src/schema.js');
  const isFlat = isFlatColumn(checked.path);
  const levels = {
    repetition: getMaxRepetitionLevel(checked.path),
    definition: getMaxDefinitionLevel(checked.path),
  };
  let count = 0;
  let offset = 0;
  while (isFlat ? count < rowCount : offset < bytes.byteLength - 1) {
    if (offset >= bytes.byteLength - 1) break;
    const begin = checkThrift(bytes, offset);
    const header = parquetHeader({ view: bytes, offset });
    const { compressed_page_size: size } = header;
    if (!(size >= 0 && size <= bytes.byteLength - begin))
      throw new RangeError(`a page would have ${size} bytes, where ${bytes.byteLength - begin} are left`);
    const data = header.data_page_header ?? header.data_page_header_v2;
    const values = data?.num_values ?? header.dictionary_page_header?.num_values ?? 0;
    if (!(values >= 0 && values <= pageValuesMax)) throw new RangeError(`a page would have ${values} values`);
    if (data !== undefined) {
      count += values;
      if (isFlat && count > rowCount) throw new RangeError(`its pages have ${count} values for ${rowCount} rows`);
      // Values in lists and structs are held for all rows of the group, each with the lists around it.
      if (!isFlat && count * checked.path.length > pageValuesMax)
        throw new RangeError(`its pages have ${count} values in lists or structs`);
    }
    await checkPage(new Uint8Array(bytes.buffer, bytes.byteOffset + begin, size), header, { ...checked, levels });
    offset = begin + size;
  }
  if (isFlat && count !== rowCount) throw new RangeError(`its pages have ${count} values for ${rowCount} rows`);
}

interface Levels {
  readonly repetition: number;
  readonly definition: number;
}

async function checkPage(
  stored: Uint8Array,
  header: PageHeader,
  { chunk, levels, compressors }: CheckedChunk & { readonly levels: Levels },
): Promise<void> {
  const { decompressPage } = await import('hyparquet/src/datapage.js');
  const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header;
  const data = first ?? second;
  if (data === undefined) return;
  const { num_values: count, encoding } = data;
  if (second !== undefined) {
    const { repetition_levels_byte_length: repetitionBytes, definition_levels_byte_length: definitionBytes } = second;
    if (levels.repetition > 0) checkRuns(toDataView(stored), 0, { width: bitWidth(levels.repetition), count });
    if (levels.definition > 0)
      checkRuns(toDataView(stored), repetitionBytes, { width: bitWidth(levels.definition), count });
    const valueCount = count - second.num_nulls;
    if (!(valueCount >= 0 && valueCount <= count)) throw new RangeError(`a page would have ${valueCount} values`);
    const rest = stored.subarray(repetitionBytes + definitionBytes);
    const restSize = size - repetitionBytes - definitionBytes;
    const isPlain = second.is_compressed === false || restSize === 0;
    const values = isPlain ? rest : decompressPage(rest, restSize, chunk.codec, compressors);
    return checkValues(values, { encoding, count: valueCount, width: encoding === 'RLE' ? 1 : undefined });
  }
  const page = decompressPage(stored, size, chunk.codec, compressors);
  const view = toDataView(page);
  let offset = 0;
  let valueCount = count;
  for (const level of [levels.repetition, levels.definition]) {
    if (level === 0) continue;
    checkRuns(view, offset + 4, { width: bitWidth(level), count });
    if (level === levels.definition) valueCount = await countValues(level, view, { offset, count });
    offset += 4 + view.getUint32(offset, true);
  }
  const width = chunk.type === 'BOOLEAN' ? 1 : undefined;
  return checkValues(page.subarray(offset), { encoding, count: valueCount, width });
}

/** How many values are there: those with the highest level. */
async function countValues(level: number, view: DataView, { offset, count }: { offset: number; count: number }) {
  const { readRleBitPackedHybrid } = await import('hyparquet/src/encoding.js');
  const levels = new Uint8Array(count);
  readRleBitPackedHybrid({ view, offset }, bitWidth(level), levels);
  return levels.reduce((sum, found) => (found === level ? sum + 1 : sum), 0);
}

interface PageValues {
  readonly encoding: string;
  readonly count: number;
  /** Bits of a value, if the page does not say it. */
  readonly width: number | undefined;
}

async function checkValues(bytes: Uint8Array, { encoding, count, width }: PageValues): Promise<void> {
  const isByRuns = /^(?:PLAIN_DICTIONARY|RLE_DICTIONARY|RLE)$/.test(encoding);
  if (!isByRuns && count > plainValuesMax) throw new RangeError(`a page would have ${count} values`);
  const view = toDataView(bytes);
  if (encoding === 'DELTA_BYTE_ARRAY') await checkPrefixes(view, count);
  if (!isByRuns || count === 0) return;
  // The length of the runs, or the number of bits, is before them. Without any bits all values are the first.
  if (width !== undefined) checkRuns(view, 4, { width, count });
  else if (bytes[0] !== 0) checkRuns(view, 1, { width: view.getUint8(0), count });
}

/** A value may begin as the one before it does: the bytes of all of them are more than those of the page. */
async function checkPrefixes(view: DataView, count: number): Promise<void> {
  const { deltaBinaryUnpack } = await import('hyparquet/src/delta.js');
  const reader = { view, offset: 0 };
  let byteCount = 0;
  for (let part = 0; part < 2; part += 1) {
    const lengths = new Int32Array(count);
    deltaBinaryUnpack(reader, count, lengths);
    for (const length of lengths) byteCount += length >= 0 ? length : Number.POSITIVE_INFINITY;
  }
  if (byteCount > pageBytesMax) throw new RangeError(`the values of a page would have ${byteCount} bytes`);
}

const toDataView = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const bitWidth = (level: number): number => 32 - Math.clz32(level);

/** Values that a run may have beyond those that are wanted: writers fill the last one up. */
const paddingMax = 4096;

/**
 * Checks values of the hybrid of run lengths and packed bits before the package reads them: it writes as many as a run says that it has.
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/, looked up in 2026-11.
 *
 * @param offset Of the first run. @param width Bits of a value. @param count Values that are wanted.
 * @throws RangeError if a run is too long, or cut off.
 */
function checkRuns(bytes: DataView, offset: number, { width, count }: { width: number; count: number }): void {
  if (width > 32) throw new RangeError(`a value would have ${width} bits`);
  let seen = 0;
  while (seen < count) {
    let head = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes.getUint8(offset++);
      head += (byte & 127) * scale;
      if (byte < 128) break;
      if (scale > 2 ** 35) throw new RangeError('the length of a run is too long');
    }
    const isPacked = head % 2 === 1;
    const length = Math.floor(head / 2) * (isPacked ? 8 : 1);
    if (length > count - seen + paddingMax)
      throw new RangeError(`a run would have ${length} values, where ${count - seen} are left`);
    offset += isPacked ? (length / 8) * width : Math.ceil(width / 8);
    seen += length;
  }
}
