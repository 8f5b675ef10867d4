import type { Database, Statement } from 'better-sqlite3';
import {
  byteLengthOf,
  digestLength,
  isPackable,
  numbersPerRow,
  outlineOf,
  packedNumbers,
  type PackedRows,
  packedTexts,
  type RowOutline,
  RowPacker,
} from './packed-rows.ts';
import { RowCounts } from './row-counts.ts';
import { insertSql, type RowHome, type RowWriter, valuesOf } from './stage-rows.ts';
import { muidLength, type StagedRow } from './staged-item.ts';

/** Writes rows into an empty table without indexes. */
export interface AppendingWriter extends RowWriter {
  /** @returns Bytes of the payload, where there is one. */
  save(row: StagedRow, home: RowHome): number | null;
  savePacked(rows: PackedRows, index: number, home: RowHome): RowOutline;
  /** Of all rows so far. */
  readonly counts: RowCounts;
}

/** Rows keep the order in which they were read. */
export function appendRows(db: Database): AppendingWriter {
  const packer = new RowPacker();
  const packed = new PackedWriter(db);
  const insert = db.prepare(insertSql);
  const counts = new RowCounts();
  const flush = () => {
    packed.flush();
    packer.clear();
  };
  return {
    counts,
    flush,
    beginFile() {},
    save(row, home) {
      counts.add(row, home);
      if (isPackable(row) && !home.reactions) {
        if (packed.isFull) flush();
        const bytes = packer.add(row);
        packed.add(packer, packer.rowCount - 1, home);
        return row.payload === null ? null : bytes;
      }
      flush();
      insert.run(...valuesOf(row, home));
      return row.payload === null ? null : Buffer.byteLength(row.payload);
    },
    savePacked(rows, index, home) {
      const outline = outlineOf(rows, index);
      counts.add(outline, home);
      if (packed.isFull) flush();
      packed.add(rows, index, home);
      return outline;
    },
  };
}

/** Rows of one statement at most: their bytes are handed over once (no gain beyond, measured). */
const rowsMax = 25;

interface Packed {
  readonly text: Uint8Array;
  readonly numbers: ArrayLike<number>;
}

/** Writes packed rows, several at a time. */
class PackedWriter {
  readonly #db: Database;
  /** By how many rows they write. */
  readonly #statements: (Statement | undefined)[] = [];
  /** Those that wait: some that stand one behind the other. */
  #rows: Packed | undefined;
  #next = 0;
  #count = 0;
  /** Bytes of their texts, from and to. */
  #start = 0;
  #end = 0;
  #numbers: number[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  get isFull(): boolean {
    return this.#count === rowsMax;
  }

  add(rows: Packed, index: number, { conversation, sender, file }: RowHome): void {
    if (rows !== this.#rows || index !== this.#next) this.flush();
    const { numbers } = rows;
    const at = index * numbersPerRow;
    const start = numbers[at]! - 1;
    if (this.#count === 0) {
      this.#rows = rows;
      this.#start = start;
    }
    this.#numbers.push(conversation ?? Number.NaN, sender ?? Number.NaN, file, start - this.#start + 1);
    for (let number = 1; number < numbersPerRow; number++) this.#numbers.push(numbers[at + number]!);
    this.#end = start + byteLengthOf(numbers, at);
    this.#next = index + 1;
    this.#count++;
  }

  flush(): void {
    if (this.#count === 0) return;
    this.#statements[this.#count] ??= this.#db.prepare(packedSql(this.#count));
    const { buffer, byteOffset } = this.#rows!.text;
    const text = Buffer.from(buffer, byteOffset + this.#start, this.#end - this.#start);
    // As arguments: the binding takes them sooner than the elements of an array.
    this.#statements[this.#count]!.run(text, ...this.#numbers);
    this.#numbers = [];
    this.#count = 0;
  }
}

/** In SQL: one text of a row, by the lengths of those before it. */
function textOf(name: (typeof packedTexts)[number]): string {
  const before = packedTexts.slice(0, packedTexts.indexOf(name)).map((other) => `${other}_bytes`);
  const start = [`start + ${muidLength + digestLength}`, ...before].join(' + ');
  return `CAST(substr(text, ${start}, ${name}_bytes) AS TEXT)`;
}

const ifAny = (name: (typeof packedTexts)[number], other = 'NULL') => `iif(${name}_bytes, ${textOf(name)}, ${other})`;

function packedSql(rowCount: number): string {
  const names = ['conversation', 'sender', 'file', ...packedNumbers];
  const row = `(${names.map(() => '?').join(', ')})`;
  const columns = names.map((name, index) => `column${index + 1} AS ${name}`).join(', ');
  return `INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, edited_at, record_digest, verdict, reason,
      payload, root_muid, facts, file, place)
    SELECT CAST(substr(text, start, ${muidLength}) AS TEXT), conversation, sender, ${textOf('id')}, sent_at, ${ifAny('key', textOf('id'))}, edited_at,
      CAST(substr(text, start + ${muidLength}, ${digestLength}) AS TEXT),
      iif(reason_bytes, 'skipped', 'planned'), ${ifAny('reason')}, ${ifAny('payload')}, ${ifAny('root')}, ${ifAny('facts')}, file, ${textOf('place')}
    FROM (SELECT ? AS text) CROSS JOIN (SELECT ${columns} FROM (VALUES ${Array(rowCount).fill(row).join(', ')}))`;
}
