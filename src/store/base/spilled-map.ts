import type { Database, Statement } from 'better-sqlite3';
import { storedId } from '../../lib/text/stored-id.ts';

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
  /** As the table has it. */
  #read = new Map<string, Value>();
  #find: Statement<[string], string> | undefined;
  /** Bits of what the table has: most ids that are new need no look-up. 1 MB. */
  readonly #bits = new Uint8Array(1 << 20);
  #write: Statement<[string, string]> | undefined;

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
    this.#read.delete(id);
    this.#fresh.set(id, value);
    if (this.#fresh.size >= this.#heldMax) this.#spill();
  }

  #spill(): void {
    this.#write ??= this.#makeTable();
    for (const [id, value] of this.#fresh) {
      const bit = bitOf(id);
      this.#bits[bit >>> 3]! |= 1 << (bit & 7);
      this.#write.run(storedId(id), JSON.stringify(value));
    }
    this.#read = this.#fresh;
    this.#fresh = new Map();
  }

  #makeTable(): Statement<[string, string]> {
    const table = this.#table;
    const db = this.#db;
    db.exec(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (id TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`);
    this.#find = db.prepare<[string], string>(`SELECT value FROM ${table} WHERE id = ?`).pluck();
    return db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?)`);
  }
}

/** FNV-1a, 23 bits of it. */
function bitOf(id: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) sum = Math.imul(sum ^ id.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 15)) & 0x7fffff;
}
