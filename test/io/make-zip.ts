import { crc32, deflateRawSync } from 'node:zlib';

/** One entry, and all the false values that a test wants to give it. Omitted values are true. */
export interface ZipPart {
  readonly name: string | Uint8Array;
  readonly content?: Uint8Array | string;
  /** 8, DEFLATE, by default. With 0 the content is stored; with any other number it is stored and said to be packed. */
  readonly method?: number;
  readonly flags?: number;
  /** 3, Unix, by default. */
  readonly host?: number;
  readonly mode?: number;
  readonly extra?: Uint8Array;
  readonly localExtra?: Uint8Array;
  /** Says sizes and offset in the ZIP64 field. */
  readonly isZip64?: boolean;
  /** Says sizes and checksum behind the data, and zeros in the local header. */
  readonly hasDescriptor?: boolean;
  readonly crc?: number;
  readonly sizeBytes?: number;
  readonly packedBytes?: number;
  readonly offset?: number;
  readonly localSignature?: number;
  readonly packed?: Uint8Array;
}

interface ZipOptions {
  readonly hasZip64End?: boolean;
  readonly entryCount?: number;
  readonly directorySize?: number;
  readonly directoryOffset?: number;
  readonly diskNumber?: number;
  readonly comment?: string;
  readonly behind?: Uint8Array;
}

/** Writes an archive by hand, for no library writes broken ones. */
export function makeZip(parts: Iterable<ZipPart>, options: ZipOptions = {}): Buffer {
  const pieces: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  let offset = 0;
  for (const part of parts) {
    const entry = complete(part, offset);
    const local = localHeader(entry);
    const descriptor = entry.hasDescriptor
      ? numbers([4, 0x08074b50, 4, entry.crc, 4, entry.packed.length, 4, entry.size])
      : empty;
    pieces.push(local, entry.packed, descriptor);
    records.push(record(entry));
    offset += local.length + entry.packed.length + descriptor.length;
  }
  const directory = Buffer.concat(records);
  return Buffer.concat([...pieces, directory, end(records.length, directory.length, offset, options)]);
}

const empty = Buffer.alloc(0);

type CompletePart = ReturnType<typeof complete>;

/** By content: many tests put the same megabytes into archives. */
const deflatedBytes = new WeakMap<Uint8Array, Buffer>();

const nothingDeflated = deflateRawSync('');

function deflated(content: string | Uint8Array): Buffer {
  if (content.length === 0) return nothingDeflated;
  if (typeof content === 'string') return deflateRawSync(content);
  const packed = deflatedBytes.get(content) ?? deflateRawSync(content);
  deflatedBytes.set(content, packed);
  return packed;
}

function complete(part: ZipPart, offset: number) {
  const content = Buffer.from(part.content ?? '');
  const method = part.method ?? 8;
  const packed = part.packed ?? (method === 8 ? deflated(part.content ?? '') : content);
  return {
    name: Buffer.from(part.name),
    method,
    packed,
    size: content.length,
    flags: (part.flags ?? 0) | (part.hasDescriptor ? 8 : 0),
    host: part.host ?? 3,
    mode: part.mode ?? 0o100644,
    crc: crc32(content),
    extra: part.extra ?? empty,
    localExtra: part.localExtra ?? empty,
    isZip64: part.isZip64 ?? false,
    hasDescriptor: part.hasDescriptor ?? false,
    localSignature: part.localSignature ?? 0x04034b50,
    said: {
      crc: part.crc ?? crc32(content),
      size: part.sizeBytes ?? content.length,
      packed: part.packedBytes ?? packed.length,
      offset: part.offset ?? offset,
    },
  };
}

function localHeader(entry: CompletePart): Buffer {
  const [crc, packed, size] = entry.hasDescriptor ? [0, 0, 0] : [entry.crc, entry.packed.length, entry.size];
  return Buffer.concat([
    numbers([4, entry.localSignature, 2, 20, 2, entry.flags, 2, entry.method, 4, 0, 4, crc, 4, packed, 4, size]),
    numbers([2, entry.name.length, 2, entry.localExtra.length]),
    entry.name,
    entry.localExtra,
  ]);
}

function record(entry: CompletePart): Buffer {
  const { said, isZip64 } = entry;
  const zip64 = isZip64 ? numbers([2, 1, 2, 24, 8, said.size, 8, said.packed, 8, said.offset]) : empty;
  const extra = Buffer.concat([zip64, entry.extra]);
  const [packed, size, offset] = isZip64 ? [0xffffffff, 0xffffffff, 0xffffffff] : [said.packed, said.size, said.offset];
  return Buffer.concat([
    numbers([4, 0x02014b50, 1, 20, 1, entry.host, 2, 20, 2, entry.flags, 2, entry.method, 4, 0]),
    numbers([4, said.crc, 4, packed, 4, size, 2, entry.name.length, 2, extra.length, 2, 0, 2, 0, 2, 0]),
    numbers([4, entry.mode * 0x10000, 4, offset]),
    entry.name,
    extra,
  ]);
}

function end(count: number, size: number, start: number, options: ZipOptions): Buffer {
  const comment = Buffer.from(options.comment ?? '');
  const said = {
    count: options.entryCount ?? count,
    size: options.directorySize ?? size,
    start: options.directoryOffset ?? start,
    disk: options.diskNumber ?? 0,
  };
  const zip64 = options.hasZip64End
    ? Buffer.concat([
        numbers([4, 0x06064b50, 8, 44, 2, 45, 2, 45, 4, said.disk, 4, 0, 8, said.count, 8, said.count]),
        numbers([8, said.size, 8, said.start]),
        numbers([4, 0x07064b50, 4, 0, 8, start + size, 4, 1]),
      ])
    : empty;
  const [entries, bytes, offset] = options.hasZip64End
    ? [0xffff, 0xffffffff, 0xffffffff]
    : [said.count % 0x10000, said.size, said.start];
  return Buffer.concat([
    zip64,
    numbers([4, 0x06054b50, 2, said.disk, 2, 0, 2, entries, 2, entries, 4, bytes, 4, offset, 2, comment.length]),
    comment,
    options.behind ?? empty,
  ]);
}

/** Pairs of width in bytes and value, little-endian. */
export function numbers(pairs: readonly number[]): Buffer {
  let length = 0;
  for (let at = 0; at < pairs.length; at += 2) length += pairs[at]!;
  const bytes = Buffer.allocUnsafe(length);
  let to = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    let value = pairs[at + 1]!;
    for (let byte = 0; byte < pairs[at]!; byte += 1) {
      bytes[to++] = value % 256;
      value = Math.floor(value / 256);
    }
  }
  return bytes;
}
