import type { Database } from 'better-sqlite3';
import { openTemporaryDatabase, storeErrorOf } from '../../lib/sqlite.ts';

/** Texts by their numbers, in a temporary database. */
export class StoredTexts {
  readonly #db: Database = openTemporaryDatabase();
  readonly #insert;
  readonly #select;

  constructor() {
    this.#db.exec('CREATE TABLE text (number INTEGER PRIMARY KEY, text TEXT NOT NULL); BEGIN');
    this.#insert = this.#db.prepare<[number, string]>('INSERT INTO text VALUES (?, ?)');
    this.#select = this.#db.prepare<[number], string>('SELECT text FROM text WHERE number = ?').pluck();
  }

  /** @throws StoreError if the disk is full. */
  add(number: number, text: string): void {
    try {
      this.#insert.run(number, text);
    } catch (error) {
      throw storeErrorOf(error, 'a temporary file') ?? error;
    }
  }

  get(number: number): string | undefined {
    return this.#select.get(number);
  }

  close(): void {
    this.#db.close();
  }
}
