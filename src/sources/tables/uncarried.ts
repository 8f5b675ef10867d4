import type { Entry } from '../../model/entry.ts';
import type { Row } from './row.ts';

/** Fields of one file that are counted by name: a JSON object with ids for keys has a new one in every row. */
const namesMax = 200;
const otherNames = 'further fields';

/** Columns (csv) and paths (json) that the mapping does not read: in how many rows of a file each has a value. */
export class UncarriedFields {
  readonly #read: readonly string[];
  readonly #nulls: ReadonlySet<unknown>;
  readonly #isRead = new Map<string, boolean>();
  #rows = new Map<string, number>();
  /** Rows of a file of fixed columns share their names. */
  #names: readonly string[] | undefined;
  #unread: readonly string[] = [];

  /** @param read Names that the mapping reads. @param nulls Texts that stand for no value. */
  constructor(read: Iterable<string>, nulls: readonly string[]) {
    this.#read = [...read];
    this.#nulls = new Set<unknown>([...nulls, '', null, undefined]);
  }

  /** Of a row that became a record. */
  note(row: Row): void {
    const names = row.names();
    if (names !== this.#names) {
      this.#names = names;
      this.#unread = names.filter((name) => !this.#reads(name));
    }
    for (const name of this.#unread) {
      const value = row.get(name);
      if (this.#nulls.has(value) || isEmpty(value)) continue;
      const column = this.#rows.has(name) || this.#rows.size < namesMax ? name : otherNames;
      this.#rows.set(column, (this.#rows.get(column) ?? 0) + 1);
    }
  }

  state(): readonly (readonly [name: string, rows: number])[] {
    return [...this.#rows];
  }

  restore(rows: ReturnType<UncarriedFields['state']>): void {
    this.#rows = new Map(rows);
  }

  /** Says what stays behind, and begins anew. Names alone: what nobody asked for may be a password. */
  end(path: string, into: Entry[]): void {
    for (const [name, rows] of this.#rows) {
      const reason = `${JSON.stringify(name)} has a value in ${rows === 1 ? 'a row' : `${rows.toLocaleString('en')} rows`}`;
      into.push({ type: 'problem', code: 'column-not-carried', reason, location: { path }, count: rows, column: name });
    }
    this.#rows = new Map();
  }

  #reads(name: string): boolean {
    let isRead = this.#isRead.get(name);
    if (isRead === undefined) {
      isRead = isReadBy(this.#read, name);
      if (this.#isRead.size < 10_000) this.#isRead.set(name, isRead);
    }
    return isRead;
  }
}

/** A list or an object is read where something inside it is; what stands inside one that is read as a whole is as well. */
export const isReadBy = (reads: readonly string[], name: string): boolean =>
  // Where the row stood is no field.
  name === '$key' ||
  name === '$parentKey' ||
  reads.some((read) => read === name || name.startsWith(`${read}.`) || read.startsWith(`${name}.`));

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** What a reading has said of columns that are not carried, over all files: name, and in how many rows it has a value. */
export class NotCarried {
  readonly #rows = new Map<string, number>();

  note({ column, count = 1 }: { readonly column?: string; readonly count?: number }): void {
    if (column !== undefined) this.#rows.set(column, (this.#rows.get(column) ?? 0) + count);
  }

  /** Most values first. */
  list(): readonly { readonly name: string; readonly rows: number }[] {
    return [...this.#rows].map(([name, rows]) => ({ name, rows })).sort((a, b) => b.rows - a.rows);
  }
}
