import { SourceError } from '../../lib/errors.ts';
import type { ProblemList } from '../input/export-input.ts';
import { SortedPaths } from '../input/sorted-paths.ts';
import { localHeaderBytes } from './zip-entry-fault.ts';
import type { ZipRecord } from './zip-record.ts';

export interface ZipEntry {
  readonly path: string;
  /** Offset of the local header. */
  readonly offset: number;
  /** Start of the next entry or the central directory: this entry ends before. */
  readonly limit: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  readonly crc: number;
  readonly method: number;
}

/**
 * The readable entries of an archive as columns of numbers, plus the list of names: some 75 bytes for each entry. As
 * objects they would take several times that, and a large Slack export has 330,000.
 *
 * First `add` each record, then `finish` once.
 */
export class ZipEntries {
  readonly #names: string[] = [];
  readonly #offset: NumberColumn;
  readonly #limit: NumberColumn;
  readonly #packedBytes: NumberColumn;
  readonly #sizeBytes: NumberColumn;
  readonly #crc: Uint32Array;
  readonly #method: Uint8Array;

  /** @param countMax Reserved as address space; the system gives memory to what is used. */
  constructor(countMax: number) {
    this.#offset = new NumberColumn(countMax);
    this.#limit = new NumberColumn(countMax);
    this.#packedBytes = new NumberColumn(countMax);
    this.#sizeBytes = new NumberColumn(countMax);
    this.#crc = new Uint32Array(countMax);
    this.#method = new Uint8Array(countMax);
  }

  add(name: string, record: ZipRecord): void {
    const row = this.#names.push(name) - 1;
    this.#offset.set(row, record.offset);
    // For now the end of the data if the local header has no extra fields: the earliest possible end.
    this.#limit.set(row, record.offset + localHeaderBytes + record.nameLength + record.packedBytes);
    this.#packedBytes.set(row, record.packedBytes);
    this.#sizeBytes.set(row, record.sizeBytes);
    this.#crc[row] = record.crc;
    this.#method[row] = record.method;
  }

  /**
   * @param dataEnd Start of the central directory.
   * @throws SourceError if two entries share bytes: a way to unpack one piece of data many times (a "zip bomb").
   */
  finish(label: string, dataEnd: number, problems: ProblemList): FinishedEntries {
    this.#setLimits(label, dataEnd);
    const rows = this.#sortedRows(problems);
    const list = new Array<string>(rows.length);
    for (let index = 0; index < rows.length; index += 1) list[index] = this.#names[rows[index]!]!;
    this.#names.length = 0;
    const paths = new SortedPaths(list);
    return { paths, entryAt: (index) => this.#entry(paths.list[index]!, rows[index]!) };
  }

  /** Returns the row of each name in order. If several rows have the same name, the first counts and the others are problems. */
  #sortedRows(problems: ProblemList): Uint32Array {
    const names = this.#names;
    const rows = ascending(names.length);
    // Most tools write them in order: looking costs a tenth of sorting.
    if (rows.some((row) => row > 0 && names[row]! < names[row - 1]!))
      rows.sort((a, b) => compare(names[a]!, names[b]!) || a - b);
    let count = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]!;
      const kept = rows[count - 1];
      if (kept !== undefined && names[kept] === names[row]) {
        problems.add('duplicate-name', this.#duplicateReason(kept, row), names[row]!);
      } else {
        rows[count] = row;
        count += 1;
      }
    }
    return rows.subarray(0, count);
  }

  #entry(path: string, row: number): ZipEntry {
    return {
      path,
      offset: this.#offset.get(row),
      limit: this.#limit.get(row),
      packedBytes: this.#packedBytes.get(row),
      sizeBytes: this.#sizeBytes.get(row),
      crc: this.#crc[row]!,
      method: this.#method[row]!,
    };
  }

  /** Walks through the entries in the order in which they lie in the file. */
  #setLimits(label: string, dataEnd: number): void {
    const offset = this.#offset;
    const rows = ascending(this.#names.length);
    if (rows.some((row) => row > 0 && offset.get(row) < offset.get(row - 1)))
      rows.sort((a, b) => offset.get(a) - offset.get(b));
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]!;
      const next = rows[index + 1];
      const limit = next === undefined ? dataEnd : offset.get(next);
      if (this.#limit.get(row) > limit) throw overlapping(label, this.#names[row]!, this.#names[next!]!);
      this.#limit.set(row, limit);
    }
  }

  #duplicateReason(kept: number, dropped: number): string {
    const isSame = this.#crc[kept] === this.#crc[dropped] && this.#sizeBytes.get(kept) === this.#sizeBytes.get(dropped);
    return isSame
      ? 'the archive has this file twice with the same content; the first one is read'
      : 'the archive has another file of this name; the first one is read, this one is not';
  }
}

/** Paths and, for the path at an index of that list, its entry. */
export interface FinishedEntries {
  readonly paths: SortedPaths;
  entryAt(index: number): ZipEntry;
}

/** 0, 1, 2 … */
function ascending(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) numbers[index] = index;
  return numbers;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const overlapping = (label: string, a: string, b: string): SourceError =>
  new SourceError(`Cannot read "${label}": its entries "${a}" and "${b}" share bytes of the archive`, {
    hint: 'If this is a real export, unpack it with another tool and pass the folder',
  });

/**
 * A column of whole numbers from 0 to 2^53: four bytes each as long as all are below 2^32, eight afterwards. Most archives
 * are smaller than 4 GiB, and a large one has a million entries.
 */
export class NumberColumn {
  #values: Uint32Array | Float64Array;

  /** @param countMax Reserved as address space; the system gives memory to what is used. */
  constructor(countMax: number) {
    this.#values = new Uint32Array(countMax);
  }

  get(row: number): number {
    return this.#values[row]!;
  }

  set(row: number, value: number): void {
    if (value > 0xffff_ffff && this.#values instanceof Uint32Array) this.#values = Float64Array.from(this.#values);
    this.#values[row] = value;
  }
}
