import type { CellCondition } from '../tables/row.ts';

/** A value as text, digit by digit as the database has it; `null` for NULL. Bytes are hexadecimal digits in lower case, without a prefix. */
export type CellText = string | null;

/** A row: its values in the order of the columns that were asked for. */
export interface DatabaseRow {
  readonly values: readonly CellText[];
  /** In a dump: the line on which the row begins. */
  readonly line?: number;
  /** Why the row cannot be read. Its values are then null, and the rows after it are read. */
  readonly fault?: { readonly code: string; readonly reason: string };
}

export interface DatabaseColumn {
  readonly name: string;
  /**
   * As the database declares it, in lower case and without a length: `timestamp with time zone`, `bigint unsigned`, `datetime`; empty
   * where it says none.
   */
  readonly type: string;
  /** The words of an enum type, or those that a CHECK allows. */
  readonly words?: readonly string[];
  /** A comment of its makers: `0: text, 1: image`. */
  readonly comment?: string;
}

/** A column of an engine without what only that needs. */
export const asColumn = ({ name, type, words, comment }: DatabaseColumn): DatabaseColumn => ({
  name,
  type,
  ...(words && { words }),
  ...(comment !== undefined && { comment }),
});

export interface ForeignKey {
  readonly columns: readonly string[];
  /** Name of the table that it points to, as in `DatabaseTable.name`. */
  readonly table: string;
  /** Columns there, one for each of `columns`. */
  readonly references: readonly string[];
}

/** A table or view as the catalogue describes it. */
export interface DatabaseTable {
  /** Name in a mapping: `messages`; with its schema if that is not the one that is searched first: `chat.messages`. */
  readonly name: string;
  readonly columns: readonly DatabaseColumn[];
  /** Empty if there is none. */
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Or a virtual table of SQLite. */
  readonly isView: boolean;
  /** Approximate number of rows, if that is known without counting. */
  readonly rowsAbout?: number;
  /** Why nothing of it can be read, in the words of the database: a view of a function or table that is not there. It has no columns then. */
  readonly fault?: string;
}

/** Rows that may have changed: their value in a column is `from` or later, or NULL. The bound is closed: rows of one time may come again. */
export interface RowsSince {
  readonly column: string;
  /** Written as the database gives values of this column. */
  readonly from: string;
}

export interface RowConditions {
  readonly anyOf: readonly CellCondition[];
  readonly max: number;
}

/** Time of a server, taken right before the state of its rows that is read. */
export interface ServerClock {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Age of the oldest transaction of others that is still open, in ms: it may commit rows with older times. Absent if transactions are hidden. */
  readonly openTransactionMs?: number;
  /** Why transactions of others cannot be seen, and the remedy. */
  readonly hidden?: { readonly reason: string; readonly remedy: string };
  /** Open transactions of which nothing shows when they began, by an id of the server's: prepared ones (`PREPARE TRANSACTION`, `XA PREPARE`). */
  readonly prepared?: readonly string[];
}

/** How a database of a server is opened. */
export interface OpenGiven {
  /** Ends the connection at once, until it is closed. */
  readonly signal: AbortSignal;
  /** Names of tables: the catalogue and its problems are of these alone. Names of none are passed over. */
  readonly tables?: readonly string[] | undefined;
}

/** Something that a user should know before he trusts what is read: a superuser's role, a table without a snapshot. */
export interface DatabaseProblem {
  readonly code: string;
  readonly reason: string;
}

/** A database that was opened to read: a file, a dump, a connection. All rows that it gives belong to one state of it. */
export interface Database {
  /** Name of the system in messages: `PostgreSQL`. */
  readonly system: 'PostgreSQL' | 'MySQL' | 'MariaDB' | 'SQLite' | 'SQL dump';
  /** Every table and view that may be read, by name; partitions are listed only under their parent. */
  readonly tables: readonly DatabaseTable[];
  readonly problems: readonly DatabaseProblem[];
  /** A copy that lacks columns of `tables`: whether it has one. */
  has?(table: string, column: string): boolean;
  /** Servers alone. */
  readonly clock?: ServerClock | undefined;
  /**
   * Yields the rows of one table, in lists of some hundred, with the columns named and no others. Memory does not grow
   * with the table, however slowly lists are taken. Ends early, without an error, when no more lists are taken.
   *
   * @param table One of `tables`, by name.
   * @param columns Some of its columns, by name.
   * @param since Only rows that may have changed. Files and dumps give all rows.
   * @throws SourceError if the table cannot be read to its end: with advice for the user.
   */
  rows(
    table: string,
    columns: readonly string[],
    signal: AbortSignal,
    since?: RowsSince,
  ): AsyncGenerator<readonly DatabaseRow[]>;
  /** Finds rows by the values of their primary key, without reading others, where a database can. Rows of keys that are written alike may come as well. */
  rowsOfKey?(
    table: DatabaseTable,
    columns: readonly string[],
    key: readonly string[],
  ): AsyncGenerator<readonly DatabaseRow[]>;
  /**
   * Finds rows that meet one of some conditions, at most `max`: the database reads its table, and gives these alone. Cells of times and of
   * numbers with fractions may be written otherwise than `rows` gives them: then other rows come as well, or some are missing.
   */
  rowsWhere?(
    table: string,
    columns: readonly string[],
    conditions: RowConditions,
  ): AsyncGenerator<readonly DatabaseRow[]>;
  /** Number of rows of a table, up to `max`; undefined if counting them would take long. Absent if the database cannot count by itself. */
  countRows?(table: string, max?: number): number | undefined;
  /** Whether rows that were read had bytes in a column, where the types of columns do not say that. */
  holdsBytes?(table: string, column: string): boolean;
  close(): Promise<void>;
}
