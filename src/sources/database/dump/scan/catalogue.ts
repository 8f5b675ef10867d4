import type { DatabaseColumn } from '../../database.ts';
import type { DumpSettings } from '../dialect.ts';

/** A table by its whole name. `database` is empty until the dump names one; `schema` is PostgreSQL's, empty elsewhere. */
export interface TableName {
  readonly database: string;
  readonly schema: string;
  readonly table: string;
}

export interface ScannedColumn extends DatabaseColumn {
  /** Computed by the database. */
  readonly isGenerated: boolean;
}

interface ScannedKey {
  readonly columns: readonly string[];
  readonly table: TableName;
  /** Empty if the statement leaves it out: the primary key. */
  readonly references: readonly string[];
}

/** How the data of some statements is written. */
export interface DataForm {
  readonly kind: 'copy' | 'insert';
  /** In their order in the statement; undefined if it names none. */
  readonly columns: readonly string[] | undefined;
  /** Beginning of each INSERT, up to and including VALUES. */
  readonly head: Buffer;
  readonly settings: DumpSettings;
}

/** Rows that follow one another in the file, in one form. */
export interface DataSection {
  readonly form: DataForm;
  /** Place in the file of the first row of COPY, of the first INSERT. */
  readonly start: number;
  end: number;
  readonly line: number;
  /** Whether the file ends in it. */
  isCut: boolean;
  /** `(1,'a')` of an `INSERT … SET`, which has its values between names. */
  readonly row?: Buffer;
}

export class ScannedTable {
  readonly name: TableName;
  readonly columns: ScannedColumn[] = [];
  primaryKey: readonly string[] = [];
  readonly foreignKeys: ScannedKey[] = [];
  /** Partitions, and tables that inherit from it. */
  readonly children: ScannedTable[] = [];
  isPartition = false;
  readonly sections: DataSection[] = [];
  rowCount = 0;
  /** The first statements that would change its rows, and are not read; `unreadCount` has all. */
  readonly unread: { readonly word: string; readonly line: number }[] = [];
  unreadCount = 0;

  constructor(name: TableName) {
    this.name = name;
  }

  addKey(columns: readonly string[], table: TableName, references: readonly string[]): void {
    if (columns.length > 0) this.foreignKeys.push({ columns, table, references });
  }

  /** The table, and those whose rows are its rows. */
  family(): readonly ScannedTable[] {
    return [this, ...this.children.flatMap((child) => child.family())];
  }

  /** Its sections and those of its children. */
  allSections(): { readonly table: ScannedTable; readonly section: DataSection }[] {
    const own = this.sections.map((section) => ({ table: this as ScannedTable, section }));
    return [...own, ...this.children.flatMap((child) => child.allSections())];
  }

  get allRows(): number {
    return this.children.reduce((sum, child) => sum + child.allRows, this.rowCount);
  }
}

/** Tables and enum types of a dump, as its statements make them. */
export class Catalogue {
  readonly #tables = new Map<string, ScannedTable>();
  readonly #enums = new Map<string, readonly string[]>();
  readonly #folds: boolean;

  /** @param folds Whether names are the same in any case, as in SQLite and often in MySQL. */
  constructor(folds: boolean) {
    this.#folds = folds;
  }

  find(name: TableName): ScannedTable | undefined {
    return this.#tables.get(this.#keyOf(name));
  }

  /** Returns the table of this name; a new one if there is none. */
  obtain(name: TableName): ScannedTable {
    const found = this.find(name);
    if (found) return found;
    const table = new ScannedTable(name);
    this.#tables.set(this.#keyOf(name), table);
    return table;
  }

  drop(name: TableName): void {
    this.#tables.delete(this.#keyOf(name));
  }

  addEnum(name: TableName, words: readonly string[]): void {
    this.#enums.set(this.#keyOf(name), words);
  }

  wordsOf(type: TableName): readonly string[] | undefined {
    return this.#enums.get(this.#keyOf(type));
  }

  get tables(): readonly ScannedTable[] {
    return [...this.#tables.values()];
  }

  #keyOf({ database, schema, table }: TableName): string {
    const key = JSON.stringify([database, schema, table]);
    return this.#folds ? key.toLowerCase() : key;
  }
}
