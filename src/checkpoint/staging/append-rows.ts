import type { Database, Statement } from 'better-sqlite3';
import { storedId } from '../../lib/stored-id.ts';
import { muidLength } from './finish-staging.ts';
import { RowCounts } from './row-counts.ts';
import { insertSql, type RowHome, type RowWriter, valuesOf } from './stage-rows.ts';
import type { StagedRow } from './staged-item.ts';

/** Writes rows into an empty table without indexes. */
export interface AppendingWriter extends RowWriter {
  /** @returns Bytes of the payload, where there is one. */
  save(row: StagedRow, home: RowHome): number | null;
  /** Of all rows so far. */
  readonly counts: RowCounts;
}

/** Rows keep the order in which they were read. */
export function appendRows(db: Database): AppendingWriter {
  const packed = new PackedRows(db);
  const insert = db.prepare(insertSql);
  const counts = new RowCounts();
  return {
    counts,
    beginFile() {},
    save(row, home) {
      counts.add(row, home);
      if (packed.takes(row, home)) return packed.add(row, home);
      packed.flush();
      insert.run(...valuesOf(row, home));
      return row.payload === null ? null : Buffer.byteLength(row.payload);
    },
    flush: () => packed.flush(),
  };
}

/** Rows of one statement at most: the bytes of their texts are handed over once (no gain beyond, measured). */
const rowsMax = 25;
/** The texts of so many rows, as a rule; a larger one has room made for it. */
const textBytes = 64 * 1024;
/** Characters of what `recordDigest` makes. */
const digestLength = 22;
/** In UTF-8, of a unit of UTF-16. */
const bytesPerCharMax = 3;

/**
 * Rows as nearly all are, several at a time: their texts stand one behind the other in one buffer, which SQLite takes apart. To
 * bind a number takes a third of the time of binding a short text, and a fifteenth of binding a long one (measured): all of
 * them, text by text, were more than half of writing a row.
 */
class PackedRows {
  readonly #db: Database;
  /** By how many rows they write. */
  readonly #statements: (Statement | undefined)[] = [];
  #text = Buffer.allocUnsafeSlow(textBytes);
  #at = 0;
  #numbers: number[] = [];
  #rowCount = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Rejects, parts of texts that were split, and what has reactions to be replayed are written one by one: few, or wide. */
  takes(row: StagedRow, { reactions }: RowHome): boolean {
    const { verdict, reason, detail, muid, originId, sortKey, recordDigest, part } = row;
    const hasItsReason = verdict === 'planned' ? reason === null : verdict === 'skipped' && Boolean(reason);
    const isIdentified = muid?.length === muidLength && recordDigest?.length === digestLength;
    return (
      isIdentified &&
      hasItsReason &&
      Boolean(originId && sortKey) &&
      detail === null &&
      part === undefined &&
      !reactions
    );
  }

  /** @returns Bytes of the payload, where there is one. */
  add(row: StagedRow, { conversation, sender, file }: RowHome): number | null {
    const { payload, place } = row;
    const id = storedId(row.originId!);
    const key = row.sortKey === id ? '' : row.sortKey!;
    const [root, facts, reason] = [row.rootMuid ?? '', row.facts ?? '', row.reason ?? ''];
    const short = row.muid! + row.recordDigest! + id + key + place + root + facts + reason;
    this.#makeRoom((short.length + (payload?.length ?? 0)) * bytesPerCharMax);
    const start = this.#at;
    this.#at += this.#text.write(short, start);
    const bytesOf =
      this.#at - start === short.length ? lengthOfAscii : this.#writeOneByOne(start + muidLength + digestLength);
    this.#numbers.push(
      // SQLite counts from 1, and takes what is no number for NULL.
      start + 1,
      conversation ?? Number.NaN,
      sender ?? Number.NaN,
      row.sentAtMs ?? Number.NaN,
      row.editedAtMs ?? Number.NaN,
      file,
      bytesOf(id),
      bytesOf(key),
      bytesOf(place),
      bytesOf(root),
      bytesOf(facts),
      bytesOf(reason),
    );
    const payloadBytes = payload === null ? 0 : this.#text.write(payload, this.#at);
    this.#at += payloadBytes;
    this.#numbers.push(payloadBytes);
    if (++this.#rowCount === rowsMax) this.flush();
    return payload === null ? null : payloadBytes;
  }

  /** Texts that are not all ASCII: from here on, each is written by itself. @returns Writes one, and gives its length in bytes. */
  #writeOneByOne(start: number): (text: string) => number {
    this.#at = start;
    return (text) => {
      const byteCount = this.#text.write(text, this.#at);
      this.#at += byteCount;
      return byteCount;
    };
  }

  flush(): void {
    if (this.#rowCount === 0) return;
    this.#statements[this.#rowCount] ??= this.#db.prepare(packedSql(this.#rowCount));
    // As arguments: the binding takes them sooner than the elements of an array.
    this.#statements[this.#rowCount]!.run(this.#text.subarray(0, this.#at), ...this.#numbers);
    this.#at = 0;
    this.#numbers = [];
    this.#rowCount = 0;
  }

  #makeRoom(byteCount: number): void {
    if (this.#at + byteCount <= this.#text.length) return;
    this.flush();
    if (byteCount > this.#text.length) this.#text = Buffer.allocUnsafeSlow(byteCount);
  }
}

const lengthOfAscii = (text: string): number => text.length;

/** The texts of a row stand in this order, behind its muid and digest; those that may be absent have no length then. */
const texts = ['id', 'key', 'place', 'root', 'facts', 'reason', 'payload'] as const;
const numbers = ['start', 'conversation', 'sender', 'sent_at', 'edited_at', 'file'] as const;

/** In SQL: one text of a row, by the lengths of those before it. */
function textOf(name: (typeof texts)[number]): string {
  const start = [
    `start + ${muidLength + digestLength}`,
    ...texts.slice(0, texts.indexOf(name)).map((before) => `${before}_bytes`),
  ].join(' + ');
  return `CAST(substr(text, ${start}, ${name}_bytes) AS TEXT)`;
}

const ifAny = (name: (typeof texts)[number], other = 'NULL') => `iif(${name}_bytes, ${textOf(name)}, ${other})`;

function packedSql(rowCount: number): string {
  const names = [...numbers, ...texts.map((name) => `${name}_bytes`)];
  const row = `(${names.map(() => '?').join(', ')})`;
  const columns = names.map((name, index) => `column${index + 1} AS ${name}`).join(', ');
  return `INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, edited_at, record_digest, verdict, reason,
      payload, root_muid, facts, file, place)
    SELECT CAST(substr(text, start, ${muidLength}) AS TEXT), conversation, sender, ${textOf('id')}, sent_at, ${ifAny('key', textOf('id'))}, edited_at,
      CAST(substr(text, start + ${muidLength}, ${digestLength}) AS TEXT),
      iif(reason_bytes, 'skipped', 'planned'), ${ifAny('reason')}, ${ifAny('payload')}, ${ifAny('root')}, ${ifAny('facts')}, file, ${textOf('place')}
    FROM (SELECT ? AS text) CROSS JOIN (SELECT ${columns} FROM (VALUES ${Array(rowCount).fill(row).join(', ')}))`;
}
