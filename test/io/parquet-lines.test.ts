import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readJsonLines } from '../../src/io/json/json-lines.ts';
import type { LocatedJson } from '../../src/io/json/json-values.ts';
import { parquetLines } from '../../src/io/parquet/parquet-lines.ts';
import { withinBounds } from '../../src/io/parquet/unpack-page.ts';
import { deepLists, evenLengths, madeParquet, sameLevels } from './made-parquet.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { tenthOf } from '../tier.ts';

const home = temporaryFolder();

async function rowsOf(bytes: Uint8Array): Promise<readonly LocatedJson[]> {
  const file = join(home.make(), 'a.parquet');
  writeFileSync(file, bytes);
  const rows: LocatedJson[] = [];
  for await (const some of readJsonLines(parquetLines(file, 'a.parquet'))) rows.push(...some);
  return rows;
}

const parquet = (columnData: ColumnSource[], more: object = {}): Buffer =>
  Buffer.from(parquetWriteBuffer({ columnData, ...more }));

describe('parquetLines()', () => {
  it('keeps whole numbers, decimals and times exact', async () => {
    const bytes = parquet(
      [
        { name: 'id', data: [9007199254740993n, 42n] },
        { name: 'fee', data: [123456789012345678n, -5n] },
        { name: 'at', data: [1772442900123456n, -1n] },
        { name: 'local', data: [1772442900123n, 0n] },
        { name: 'nanos', data: [1772442900123456789n, 0n] },
        { name: 'ratio', data: [0.1, Number.NaN] },
      ],
      {
        schema: [
          { name: 'root', num_children: 6 },
          { name: 'id', type: 'INT64', repetition_type: 'REQUIRED' },
          {
            name: 'fee',
            type: 'INT64',
            repetition_type: 'REQUIRED',
            converted_type: 'DECIMAL',
            scale: 2,
            precision: 18,
          },
          { name: 'at', type: 'INT64', repetition_type: 'REQUIRED', converted_type: 'TIMESTAMP_MICROS' },
          {
            ...{ name: 'local', type: 'INT64', repetition_type: 'REQUIRED' },
            logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
          },
          {
            ...{ name: 'nanos', type: 'INT64', repetition_type: 'REQUIRED' },
            logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
          },
          { name: 'ratio', type: 'DOUBLE', repetition_type: 'REQUIRED' },
        ],
      },
    );
    expect((await rowsOf(bytes)).map(({ value }) => value)).toEqual([
      {
        ...{ id: '9007199254740993', fee: '1234567890123456.78', at: '2026-03-02T09:15:00.123456Z' },
        ...{ local: '2026-03-02T09:15:00.123', nanos: '2026-03-02T09:15:00.123456789Z', ratio: 0.1 },
      },
      {
        ...{ id: 42, fee: '-0.05', at: '1969-12-31T23:59:59.999999Z', local: '1970-01-01T00:00:00.000' },
        ...{ nanos: '1970-01-01T00:00:00.000000000Z', ratio: 'NaN' },
      },
    ]);
  });

  it('reads texts, bytes, UUIDs, JSON and nothing', async () => {
    const bytes = parquet([
      { name: 'text', data: ['line\nfeed', undefined], type: 'STRING' },
      { name: 'bytes', data: [Buffer.from('plain'), Buffer.from([0xff, 0xfe])], type: 'BYTE_ARRAY' },
      { name: 'uuid', data: ['7b1f0c52-3a64-4b1e-9a55-0c9d1e2f3a4b', undefined], type: 'UUID' },
      { name: 'json', data: [{ a: [1] }, undefined], type: 'JSON' },
      { name: 'is', data: [true, false], type: 'BOOLEAN' },
    ]);
    expect((await rowsOf(bytes)).map(({ value }) => value)).toEqual([
      { text: 'line\nfeed', bytes: 'plain', uuid: '7b1f0c52-3a64-4b1e-9a55-0c9d1e2f3a4b', json: '{"a":[1]}', is: true },
      { text: null, bytes: '//4=', uuid: null, json: null, is: false },
    ]);
  });

  it('reads lists and structs as JSON, with exact values inside', async () => {
    const decimal = {
      type: 'INT64',
      repetition_type: 'OPTIONAL',
      converted_type: 'DECIMAL',
      scale: 1,
      precision: 18,
    } as const;
    const bytes = parquet(
      [
        { name: 'fees', data: [[100000000000000001n, null], [], null] },
        { name: 'from', data: [{ id: 9007199254740993n, fee: 5n }, { id: 1n, fee: null }, null] },
      ],
      {
        schema: [
          { name: 'root', num_children: 2 },
          { name: 'fees', num_children: 1, repetition_type: 'OPTIONAL', converted_type: 'LIST' },
          { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
          { name: 'element', ...decimal },
          { name: 'from', num_children: 2, repetition_type: 'OPTIONAL' },
          { name: 'id', type: 'INT64', repetition_type: 'REQUIRED' },
          { name: 'fee', ...decimal },
        ],
      },
    );
    expect((await rowsOf(bytes)).map(({ value }) => value)).toEqual([
      { fees: ['10000000000000000.1', null], from: { id: '9007199254740993', fee: '0.5' } },
      { fees: [], from: { id: 1, fee: null } },
      { fees: null, from: null },
    ]);
  });

  it('reads every row of several groups, with its number', async () => {
    const count = 45_000;
    const data = Array.from({ length: count }, (_, n) => BigInt(n));
    const rows = await rowsOf(parquet([{ name: 'n', data }], { rowGroupSize: 25_000 }));
    expect(rows).toHaveLength(count);
    expect(rows.every(({ line, value }, n) => line === n + 1 && (value as { n: number }).n === n)).toBe(true);
  });

  it('says of a group that is damaged which rows are lost, and reads the next one', async () => {
    const bytes = parquet([{ name: 'text', data: ['a', 'b', 'c', 'd'], type: 'STRING' }], {
      rowGroupSize: 2,
      codec: 'UNCOMPRESSED',
    });
    bytes.fill(0xff, 4, 20);
    const rows = await rowsOf(bytes);
    expect(rows.map(({ line, value, error }) => [line, error?.code ?? value])).toEqual([
      [1, 'damaged-record'],
      [3, { text: 'c' }],
      [4, { text: 'd' }],
    ]);
    expect(rows[0]!.error!.reason).toMatch(/^rows 1 to 2 of the Parquet file cannot be read: /);
  });

  it('names a file that is cut off, or is none', async () => {
    const bytes = parquet([{ name: 'n', data: [1n] }]);
    await expect(rowsOf(bytes.subarray(0, -5))).rejects.toThrow('Cannot read the Parquet file: ');
    await expect(rowsOf(Buffer.from('PAR1'))).rejects.toThrow('Cannot read the Parquet file: ');
  });

  it.each([
    ['GZIP', gzipSync],
    ['BROTLI', brotliCompressSync],
    ['ZSTD', zstdCompressSync],
  ] as const)('unpacks a page of %s to no more than it says', async (codec, pack) => {
    const { compressors } = await import('hyparquet-compressors');
    const unpack = withinBounds(compressors)[codec]!;
    const packed = pack(Buffer.alloc(2 ** 20));
    expect(() => unpack(packed, 1000)).toThrow();
    expect(unpack(packed, 2 ** 20)).toHaveLength(2 ** 20);
    expect(() => unpack(packed, 2 ** 30)).toThrow('a page would have 1073741824 bytes');
  });

  it('reads an empty page of LZ4, as of a column without values', async () => {
    const { compressors } = await import('hyparquet-compressors');
    expect(withinBounds(compressors).LZ4_RAW!(Buffer.from([0]), 0)).toHaveLength(0);
  });

  describe('with numbers that cannot be', () => {
    const reasonsOf = async (bytes: Buffer) => (await rowsOf(bytes)).map(({ value, error }) => error?.reason ?? value);
    const plain = Buffer.from([1, 0, 0, 0, 0x61]);

    it('reads the file if all of them are right', async () => {
      const page = Buffer.concat([sameLevels(1, 1), plain]);
      expect(await reasonsOf(madeParquet({ rowCount: 1, page }))).toEqual([{ text: 'a' }]);
    });

    it('names a page that has more values than the group has rows', async () => {
      const page = sameLevels(0, 2 ** 30);
      expect(await reasonsOf(madeParquet({ rowCount: 3, valueCount: 2 ** 30, page }))).toEqual([
        'rows 1 to 3 of the Parquet file cannot be read: the column "text": a page would have 1073741824 values',
      ]);
      expect(await reasonsOf(madeParquet({ rowCount: 3, valueCount: 4, page }))).toEqual([
        'rows 1 to 3 of the Parquet file cannot be read: the column "text": its pages have 4 values for 3 rows',
      ]);
      expect(await reasonsOf(madeParquet({ rowCount: 3, valueCount: 2, page: sameLevels(0, 2) }))).toEqual([
        'rows 1 to 3 of the Parquet file cannot be read: the column "text": its pages have 2 values for 3 rows',
      ]);
    });

    it('names a run that is longer than its page', async () => {
      expect(await reasonsOf(madeParquet({ rowCount: 3, page: sameLevels(0, 2 ** 30) }))).toEqual([
        'rows 1 to 3 of the Parquet file cannot be read: the column "text": a run would have 1073741824 values, where 3 are left',
      ]);
    });

    it('names a page that is larger than its column', async () => {
      const page = Buffer.concat([sameLevels(1, 1), plain]);
      expect(await reasonsOf(madeParquet({ rowCount: 1, page, size: 2 ** 31 - 1 }))).toEqual([
        expect.stringContaining('the column "text": a page would have 2147483647 bytes, where '),
      ]);
    });

    it('names values that repeat each other into gigabytes', async () => {
      const count = 100;
      const page = Buffer.concat([sameLevels(1, count), evenLengths(2 ** 30, count), evenLengths(0, count)]);
      expect(await reasonsOf(madeParquet({ rowCount: count, encoding: 7, page }))).toEqual([
        'rows 1 to 100 of the Parquet file cannot be read: the column "text": the values of a page would have 107374182400 bytes',
      ]);
    });

    it('refuses a footer whose lists have millions of elements in a few bytes', async () => {
      const bytes = madeParquet({ rowCount: 1, page: plain, moreFooter: { 5: deepLists(20) } });
      await expect(rowsOf(bytes)).rejects.toThrow('Cannot read the Parquet file: a list would have 30000000 elements');
    });
  });

  it('hands out a text that all rows share a few rows at a time', async () => {
    const shared = 'x'.repeat(2 ** 16);
    const bytes = parquet([
      { name: 'text', data: Array.from({ length: tenthOf(20_000) }, () => shared), type: 'STRING' },
    ]);
    const file = join(home.make(), 'a.parquet');
    writeFileSync(file, bytes);
    let longest = 0;
    let rowCount = 0;
    for await (const chunk of parquetLines(file, 'a.parquet')) {
      longest = Math.max(longest, chunk.length);
      rowCount += chunk.subarray(-2).toString() === '}\n' ? 1 : 0;
    }
    expect(rowCount).toBeGreaterThan(tenthOf(1000));
    expect(longest).toBeLessThan(2 ** 20);
  });
});
