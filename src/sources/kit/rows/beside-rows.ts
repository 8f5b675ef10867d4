import type { DatabaseRow as Row } from './database-row.ts';

/** Rows that belong to messages, from a query in the order of `message`: read along with the messages. */
export class BesideRows {
  readonly #rows: Iterator<Row>;
  #next: Row | undefined;
  #current: { readonly message: bigint; readonly rows: Row[] } | undefined;

  constructor(rows: Iterable<Row>) {
    this.#rows = rows[Symbol.iterator]();
    this.#step();
  }

  /** @param message Number of a message, not below that of the call before. */
  of(message: unknown): readonly Row[] {
    const wanted = message as bigint;
    if (this.#current?.message === wanted) return this.#current.rows;
    while (this.#next !== undefined && (this.#next.message as bigint) < wanted) this.#step();
    const rows: Row[] = [];
    for (; this.#next !== undefined && this.#next.message === wanted; this.#step()) rows.push(this.#next);
    this.#current = { message: wanted, rows };
    return rows;
  }

  #step(): void {
    const { value, done } = this.#rows.next();
    this.#next = done ? undefined : value;
  }
}
