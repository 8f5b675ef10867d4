import type { Database, Statement } from 'better-sqlite3';
import { storedId } from '../../lib/text/stored-id.ts';
import { RowBuffer } from './row-buffer.ts';

/** Values that memory holds of what is new, and as many of what was asked for lately: some 3 MB of people each. */
const heldMax = 10_000;

/**
 * Values by ids of an export, held like a `Map` for the duration of a plan: beyond some ten thousand, the others are
 * stored in a temporary table, as JSON. One map per name at a time; a new one is empty.
 */
export class SpilledMap<Value> {
  readonly #db: Database;
  readonly #heldMax: number;
  readonly #table: string;
  /** Entries that the table lacks, or has with another value. */
  #fresh = new Map<string, Value>();
  /** As the table had it: what is fresh comes first. */
  #read = new Map<string, Value>();
  #find: Statement<[string], string> | undefined;
  /** Bits of what the table has: most ids that are new need no look-up. 1 MB. */
  readonly #bits = new Uint8Array(1 << 20);
  #rows: RowBuffer | undefined;

  constructor(db: Database, name: string, max = heldMax) {
    this.#heldMax = max;
    this.#db = db;
    this.#table = `temp.spilled_${name}`;
  }

  get(id: string): Value | undefined {
    const held = this.#fresh.get(id) ?? this.#read.get(id);
    if (held !== undefined || !this.#find) return held;
    const bit = bitOf(id);
    if ((this.#bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return undefined;
    const json = this.#find.get(storedId(id));
    if (json === undefined) return undefined;
    const value = JSON.parse(json) as Value;
    if (this.#read.size >= this.#heldMax) this.#read.clear();
    this.#read.set(id, value);
    return value;
  }

  set(id: string, value: Value): void {
    this.#fresh.set(id, value);
    if (this.#fresh.size >= this.#heldMax) this.#spill();
  }

  #spill(): void {
    this.#rows ??= this.#makeTable();
    for (const [id, value] of this.#fresh) {
      const bit = bitOf(id);
      this.#bits[bit >>> 3]! |= 1 << (bit & 7);
      this.#rows.add([storedId(id), JSON.stringify(value)]);
    }
    this.#rows.flush();
    this.#read = this.#fresh;
    this.#fresh = new Map();
  }

  #makeTable(): RowBuffer {
    const [db, table] = [this.#db, this.#table];
    db.exec(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (id TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`);
    this.#find = db.prepare<[string], string>(`SELECT value FROM ${table} WHERE id = ?`).pluck();
    return new RowBuffer(db, (rows) => `INSERT OR REPLACE INTO ${table} VALUES ${rows}`);
  }
}

/** FNV-1a, 23 bits of it. */
function bitOf(id: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) sum = Math.imul(sum ^ id.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 15)) & 0x7fffff;
}
