import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

const deflated = 8;
/** Names are UTF-8. */
const utf8Flag = 0x800;
/** 1 January 1980, the zero of ZIP: the same bytes every time. */
const date = 0x21;
const max16 = 0xffff;
const max32 = 0xffffffff;
const flushBytes = 1 << 20;

/**
 * Writes a ZIP file entry by entry; with the ZIP64 records where there are more than 65,535 entries or 4 GiB.
 * Memory: 46 bytes and the name of each entry, and the entry being added. A single entry stays below 4 GiB.
 */
export class ZipWriter {
  readonly #file: number;
  readonly #directory: Buffer[] = [];
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Bytes so far, written or pending. */
  #size = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** @param name With forward slashes. */
  add(name: string, content: Uint8Array): void {
    const packed = deflateRawSync(content);
    const sizes = { crc: crc32(content), packed: packed.length, plain: content.length };
    const nameBytes = Buffer.from(name);
    this.#directory.push(directoryEntry(nameBytes, sizes, this.#size));
    this.#push(localHeader(nameBytes, sizes));
    this.#push(packed);
  }

  /** Writes the directory and closes the file. */
  close(): void {
    const start = this.#size;
    for (const entry of this.#directory) this.#push(entry);
    const directory = { count: this.#directory.length, start, size: this.#size - start };
    if (directory.count >= max16 || start >= max32) this.#push(zip64End(directory, this.#size));
    this.#push(end(directory));
    this.#flush();
    closeSync(this.#file);
  }

  #push(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#size += bytes.length;
    if (this.#pendingBytes >= flushBytes) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#pending);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

interface Sizes {
  readonly crc: number;
  readonly packed: number;
  readonly plain: number;
}

interface Directory {
  readonly count: number;
  /** Offset of its first byte. */
  readonly start: number;
  readonly size: number;
}

/** Writes the fields that appear both before an entry and in the directory: 26 bytes from "version needed" on. */
function writeCommon(header: Buffer, at: number, name: Buffer, { crc, packed, plain }: Sizes): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(utf8Flag, at + 2);
  header.writeUInt16LE(deflated, at + 4);
  header.writeUInt16LE(date, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(packed, at + 14);
  header.writeUInt32LE(plain, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

function localHeader(name: Buffer, sizes: Sizes): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, 4, name, sizes);
  return Buffer.concat([header, name]);
}

/** In memory of its own (`alloc`): a slice of Node's shared 64 KiB pool would keep the whole pool with it until the end. */
function directoryEntry(name: Buffer, sizes: Sizes, offset: number): Buffer {
  const far = offset >= max32 ? zip64Offset(offset) : Buffer.alloc(0);
  const entry = Buffer.alloc(46 + name.length + far.length);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(45, 4);
  writeCommon(entry, 6, name, sizes);
  entry.writeUInt16LE(far.length, 30);
  entry.writeUInt32LE(Math.min(offset, max32), 42);
  name.copy(entry, 46);
  far.copy(entry, 46 + name.length);
  return entry;
}

function zip64Offset(offset: number): Buffer {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(BigInt(offset), 4);
  return field;
}

/** Returns the ZIP64 end of the directory, followed by its locator. @param at Offset at which this record will be written. */
function zip64End({ count, start, size }: Directory, at: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(at), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

function end({ count, start, size }: Directory): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(Math.min(count, max16), 8);
  record.writeUInt16LE(Math.min(count, max16), 10);
  record.writeUInt32LE(Math.min(size, max32), 12);
  record.writeUInt32LE(Math.min(start, max32), 16);
  return record;
}
