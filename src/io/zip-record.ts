const recordSignature = 0x02014b50;

/** Bytes of a record before its name, extra fields and comment, whose lengths it names. */
export const recordHeadBytes = 46;

/** One record of the central directory. `name` and `extra` are views that live as long as the bytes they were read from. */
export interface ZipRecord {
  /** 3 Unix, 0 MS-DOS, 10 NTFS, 19 macOS: says what `attributes` mean. */
  readonly host: number;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  /** Upper 16 bits: the Unix file mode, where the host is one that has it. */
  readonly attributes: number;
  /** Of the local header. */
  readonly offset: number;
  readonly name: Buffer;
  readonly extra: Buffer;
}

/** Length of the whole record, or nothing if no record begins here. */
export function recordBytes(head: Buffer): number | undefined {
  if (head.length < recordHeadBytes || head.readUInt32LE() !== recordSignature) return undefined;
  return recordHeadBytes + head.readUInt16LE(28) + head.readUInt16LE(30) + head.readUInt16LE(32);
}

// APPNOTE.TXT 6.3.10, section 4.3.12
export function decodeRecord(bytes: Buffer): ZipRecord {
  const nameEnd = recordHeadBytes + bytes.readUInt16LE(28);
  const record = {
    host: bytes[5]!,
    flags: bytes.readUInt16LE(8),
    method: bytes.readUInt16LE(10),
    crc: bytes.readUInt32LE(16),
    packedBytes: bytes.readUInt32LE(20),
    sizeBytes: bytes.readUInt32LE(24),
    attributes: bytes.readUInt32LE(38),
    offset: bytes.readUInt32LE(42),
    name: bytes.subarray(recordHeadBytes, nameEnd),
    extra: bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(30)),
  };
  return isZip64(record) ? withZip64(record) : record;
}

/** Stands where the ZIP64 field has the value. */
const inZip64 = 0xffffffff;

function isZip64({ sizeBytes, packedBytes, offset }: ZipRecord): boolean {
  return sizeBytes === inZip64 || packedBytes === inZip64 || offset === inZip64;
}

/** The field holds, in this order, the 64-bit value of each of the three that stands in it. One that is missing becomes NaN. */
function withZip64(record: ZipRecord): ZipRecord {
  const field = extraField(record.extra, 0x0001) ?? Buffer.alloc(0);
  let at = 0;
  const next = (value: number): number => {
    if (value !== inZip64) return value;
    at += 8;
    return at <= field.length ? readUInt64(field, at - 8) : Number.NaN;
  };
  const sizeBytes = next(record.sizeBytes);
  const packedBytes = next(record.packedBytes);
  return { ...record, sizeBytes, packedBytes, offset: next(record.offset) };
}

/** Exact up to 2^53; what is larger lies outside of any file anyway. */
export function readUInt64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at);
}

/** The data of one extra field. What does not look like a field ends the search: some writers pad with zeros. */
export function extraField(extra: Buffer, id: number): Buffer | undefined {
  let at = 0;
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length) return undefined;
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, end);
    at = end;
  }
  return undefined;
}
