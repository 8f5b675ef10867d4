import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceError } from '../../../lib/errors.ts';
import type { RawValue } from './cells.ts';

/** A block ends behind the row with which it has as many bytes or rows. */
const bytesMax = 2 * 1024 * 1024;
const rowsMax = 5000;
/** Stands for NULL in the place of a length. */
const nullLength = 0xff_ff_ff_ff;
const lengthBytes = 4;

/**
 * Rows that wait on the disk to be read, once, in their order. One block of them is in memory at a time; where all fit into one there is no
 * file. Each value has four bytes with its length before it, and so has each block.
 */
export class Spool {
  readonly #width: number;
  #block = Buffer.allocUnsafe(64 * 1024);
  #bytes = 0;
  #rows = 0;
  #file: TemporaryFile | undefined;

  /** @param width Values of a row. */
  constructor(width: number) {
    this.#width = width;
  }

  /**
   * @throws SourceError if the temporary folder is full.
   */
  write(values: readonly RawValue[]): void {
    for (const value of values) this.#append(value);
    this.#rows += 1;
    if (this.#bytes < bytesMax && this.#rows < rowsMax) return;
    explained(() => {
      this.#file ??= new TemporaryFile();
      this.#file.append(writeLength(this.#bytes));
      this.#file.append(this.#block.subarray(0, this.#bytes));
    });
    [this.#bytes, this.#rows] = [0, 0];
  }

  #append(value: RawValue): void {
    const end = this.#bytes + lengthBytes + (value?.length ?? 0);
    if (end > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, 2 * this.#block.length));
      this.#block.copy(larger, 0, 0, this.#bytes);
      this.#block = larger;
    }
    this.#block.writeUInt32LE(value?.length ?? nullLength, this.#bytes);
    value?.copy(this.#block, this.#bytes + lengthBytes);
    this.#bytes = end;
  }

  *read(): Generator<readonly (readonly RawValue[])[]> {
    for (let block = this.#nextBlock(); block; block = this.#nextBlock()) yield this.#rowsOf(block);
    if (this.#bytes > 0) yield this.#rowsOf(this.#block.subarray(0, this.#bytes));
  }

  close(): void {
    this.#file?.close();
  }

  #nextBlock(): Buffer | undefined {
    const head = this.#file?.next(lengthBytes);
    return head && this.#file?.next(head.readUInt32LE());
  }

  #rowsOf(block: Buffer): readonly (readonly RawValue[])[] {
    const rows: RawValue[][] = [];
    for (let at = 0; at < block.length; ) {
      const row: RawValue[] = [];
      while (row.length < this.#width) {
        const length = block.readUInt32LE(at);
        at += lengthBytes;
        row.push(length === nullLength ? null : block.subarray(at, at + length));
        if (length !== nullLength) at += length;
      }
      rows.push(row);
    }
    return rows;
  }
}

function explained(work: () => void): void {
  try {
    work();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SourceError(`Cannot keep rows in "${tmpdir()}" until they are read: ${code}`, {
      hint: 'Free some space there, or set TMPDIR to a folder on another disk',
      cause,
    });
  }
}

function writeLength(bytes: number): Buffer {
  const head = Buffer.allocUnsafe(lengthBytes);
  head.writeUInt32LE(bytes);
  return head;
}

/** In the folder for such files, for this user alone. */
class TemporaryFile {
  readonly #folder = mkdtempSync(join(tmpdir(), 'chatferry-'));
  readonly #file = openSync(join(this.#folder, 'rows'), 'wx+', 0o600);
  #position = 0;

  constructor() {
    // Its name is not needed any more; Windows wants it to be closed first.
    if (process.platform !== 'win32') this.#removeName();
  }

  append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  /** From the beginning on; nothing behind the end. */
  next(length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length);
    let at = 0;
    while (at < length) {
      const count = readSync(this.#file, bytes, at, length - at, this.#position + at);
      if (count === 0) return undefined;
      at += count;
    }
    this.#position += length;
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
    if (process.platform === 'win32') this.#removeName();
  }

  #removeName(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
