import { unescaped } from './cell-values.ts';
import { WorkbookFault, type PartHandler } from './xml-reader.ts';
import type { Database } from 'better-sqlite3';
import { openTemporaryDatabase, toStoreError } from '../../lib/sqlite.ts';

/** Characters that are held in memory: 64 MiB. */
const heldMax = 32 * 2 ** 20;
/** What an entry takes besides its text, in characters. */
const entryLength = 32;
const textLengthMax = 2 ** 20;

/**
 * The texts of a workbook, by their numbers: cells refer to them. Filled from the part `sharedStrings.xml`.
 *
 * The first 64 MiB are held in memory; the others are in a temporary database until `release`.
 */
export class SharedStrings implements PartHandler {
  readonly #heldMax: number;
  readonly #texts: string[] = [];
  #held = 0;
  #count = 0;
  #stored: StoredTexts | undefined;
  #text = '';
  #isText = false;
  #isPhonetic = false;

  /** @param lengthMax Characters in memory. */
  constructor(lengthMax = heldMax) {
    this.#heldMax = lengthMax;
  }

  get(index: number): string | undefined {
    return this.#texts[index] ?? (index < this.#count ? this.#stored?.get(index) : undefined);
  }

  release(): void {
    this.#stored?.close();
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'si') this.#add(unescaped(this.#text));
  }

  open(name: string): void {
    if (name === 'si') this.#text = '';
    else if (name === 't') this.#isText = !this.#isPhonetic;
    else if (name === 'rPh') this.#isPhonetic = true;
  }

  text(text: string): void {
    if (this.#isText) this.#text += text;
    if (this.#text.length > textLengthMax) throw new WorkbookFault('one of its texts is too long');
  }

  #add(text: string): void {
    const index = this.#count++;
    this.#held += text.length + entryLength;
    if (this.#held <= this.#heldMax) this.#texts.push(text);
    else {
      this.#stored ??= new StoredTexts();
      this.#stored.add(index, text);
    }
  }
}

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
      throw toStoreError(error, 'a temporary file') ?? error;
    }
  }

  get(number: number): string | undefined {
    return this.#select.get(number);
  }

  close(): void {
    this.#db.close();
  }
}
