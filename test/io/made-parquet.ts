/** A value of Thrift's compact protocol: its type, and its bytes. */
type Thrift = readonly [type: number, bytes: Buffer];

const varint = (value: number | bigint): Buffer => {
  const bytes: number[] = [];
  for (let left = BigInt(value); ; left >>= 7n) {
    if (left < 128n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 127n) | 128);
  }
};

const int = (value: number | bigint): Thrift => [5, varint(BigInt(value) * 2n)];
const long = (value: number | bigint): Thrift => [6, varint(BigInt(value) * 2n)];
const text = (value: string): Thrift => [8, Buffer.concat([varint(value.length), Buffer.from(value)])];
const list = (...values: readonly Thrift[]): Thrift => [
  9,
  Buffer.concat([Buffer.from([(values.length << 4) | values[0]![0]]), ...values.map(([, bytes]) => bytes)]),
];
const struct = (fields: Readonly<Record<number, Thrift>>): Thrift => {
  let last = 0;
  const parts = Object.entries(fields).map(([id, [type, bytes]]) => {
    const head = Buffer.from([((Number(id) - last) << 4) | type]);
    last = Number(id);
    return Buffer.concat([head, bytes]);
  });
  return [12, Buffer.concat([...parts, Buffer.from([0])])];
};

/** The one page of a column of texts that may be missing, as its header and its bytes say it. */
export interface MadePage {
  readonly rowCount: number;
  readonly valueCount?: number;
  /** 0 is PLAIN, 7 is DELTA_BYTE_ARRAY. */
  readonly encoding?: number;
  readonly size?: number;
  readonly page: Buffer;
  readonly moreFooter?: Readonly<Record<number, Thrift>>;
}

/** A Parquet file with one page, whose numbers may be lies. https://parquet.apache.org/docs/file-format/, looked up in 2026-11. */
export function madeParquet({ rowCount, valueCount = rowCount, encoding = 0, page, ...more }: MadePage): Buffer {
  const header = struct({
    ...{ 1: int(0), 2: int(page.length), 3: int(more.size ?? page.length) },
    5: struct({ 1: int(valueCount), 2: int(encoding), 3: int(3), 4: int(3) }),
  })[1];
  const size = header.length + page.length;
  const column = struct({
    ...{ 1: int(6), 2: list(int(encoding)), 3: list(text('text')), 4: int(0), 5: long(rowCount) },
    ...{ 6: long(size), 7: long(size), 9: long(4) },
  });
  const footer = struct({
    1: int(1),
    2: list(struct({ 4: text('root'), 5: int(1) }), struct({ 1: int(6), 3: int(1), 4: text('text') })),
    3: long(rowCount),
    4: list(struct({ 1: list(struct({ 2: long(4), 3: column })), 2: long(size), 3: long(rowCount) })),
    ...more.moreFooter,
  })[1];
  const footerSize = Buffer.alloc(4);
  footerSize.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), header, page, footer, footerSize, Buffer.from('PAR1')]);
}

/** Levels of `count` values, all the same. */
export const sameLevels = (level: number, count: number): Buffer => {
  const run = Buffer.concat([varint(count * 2), Buffer.from([level])]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(run.length);
  return Buffer.concat([size, run]);
};

/** `depth` lists, each the first element of the one around it, which say that they have millions of elements. */
export const deepLists = (depth: number): Thrift => [
  9,
  Buffer.concat([
    ...Array.from({ length: depth }, () => [Buffer.from([0xf9]), varint(30_000_000)]).flat(),
    Buffer.from([0x05]),
  ]),
];

/** Lengths of DELTA_BINARY_PACKED that differ by as much each time. */
export const evenLengths = (first: number, count: number): Buffer =>
  // Blocks of 128 values in 4 parts, whose values take no bits.
  Buffer.concat([varint(128), varint(4), varint(count), varint(first * 2), Buffer.from([0, 0, 0, 0, 0])]);
