import type { ValueRows } from '../model/value-rows.ts';
import type { z } from 'zod';
import type { ExportInput } from '../io/input/export-input.ts';
import type { Location } from '../lib/text/location.ts';
import type { BesideReading } from '../model/reading-result.ts';
import type { Entry } from '../model/entry.ts';
import type { Option } from '../model/option.ts';
import { defineSource, type ReadContext, type SourceAdapter } from './source.ts';
import { namesInQuery } from './tables/copy/query-names.ts';

/**
 * Settings for a source without fixed fields, derived from a sample of the export. They
 * are shown and confirmed by the user, and never applied if two readings are possible.
 */
export interface Proposal {
  /** The mapping's `source:` section, as far as the evidence carries it. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
  /** Impossible settings of the user, such as a column that no table has. */
  readonly faults?: readonly AnswerFault[];
  /** Signs against this reading; absent without messages. */
  readonly beside?: BesideReading;
}

/** Something that the user has said wrongly. */
export interface AnswerFault {
  /** Dotted key inside the `source:` section. */
  readonly key: string;
  /** The value found and the values expected, with the likely correction. */
  readonly reason: string;
}

/** One way to read something, with what speaks for it. */
export interface Reading {
  readonly value: unknown;
  readonly because: string;
  /** May merge data that belongs to different things: offered last, and never used without the user's decision. */
  readonly isLastResort?: true;
  /** Cannot lose, merge or expose anything: `--assume` takes it. */
  readonly isHarmless?: true;
  /** Something of its own speaks for it, and not only that nothing speaks against it: the next command proposes it. */
  readonly isEvident?: true;
}

/** One decision of a proposal. Its flags are those of a reading. */
export interface Finding extends Pick<Reading, 'isHarmless' | 'isEvident'> {
  /** Dotted key inside the `source:` section: `messages.time.format`. */
  readonly key: string;
  /** The chosen value; absent if nothing fits and the user must choose. */
  readonly value?: unknown;
  /** Shown to the user: `header "created_at"; 1,000 of 1,000 values are 13 digits, 2016-03-01 to 2024-11-02`. */
  readonly because: string;
  /** Other readings that fit too. If there are any, the user has to decide. */
  readonly alternatives: readonly Reading[];
  /** Answers that set other keys to values that only the owner knows. */
  readonly instead?: readonly Option[];
  /** A row cannot become a message without it. */
  readonly isRequired: boolean;
  /** How it was decided, a line each: candidates with score, margin and evidence. `init --explain` shows them. */
  readonly explained?: readonly string[];
  /** Rows of the table that the key is about; absent if it is about no table that is known. */
  readonly rows?: RowsLookedAt;
  /** Columns or tables that an own answer may name, of an open question. */
  readonly choices?: readonly NamedChoice[];
}

/** A column with some of its values, or a table with its columns. */
export interface NamedChoice {
  readonly name: string;
  readonly holds: string;
  /** `7 of 7 rows, 3 different`; of a table its rows. */
  readonly fits: string;
}

/** Rows of a table from which a finding comes. */
export interface RowsLookedAt {
  readonly count: number;
  /** Whether the table has no other rows. */
  readonly isWhole: boolean;
  /** By column, the values by which the readings sort the rows, the commonest first; none for a column of many values. */
  readonly values: Readonly<Record<string, readonly ValueRows[]>>;
}

/** A mapping that comes with the package, for the tables that a known application makes. */
export interface Preset {
  /** The application: `Chatwoot`. */
  readonly title: string;
  /** Its path in the package: `mappings/databases/chatwoot.yaml`. */
  readonly path: string;
  /** Shown to the user: the tables and columns that identify it. */
  readonly because: string;
  /** Its `source:` section, without the parts that these tables do not have. Settings that it leaves to the user are not in it. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A table of an export as its catalogue, or its first rows, describe it. */
export interface TableOutline {
  /** The table of a database, as a mapping names it; the path of a file; that with `#` and the place of a list in it. */
  readonly name: string;
  readonly isView: boolean;
  /** Number of rows, an estimate unless `isExact`; absent if it is not known without reading the whole of a large file. */
  readonly rows?: number;
  readonly isExact?: true;
  /** `type` as the database declares it; empty if nothing says it. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly primaryKey: readonly string[];
  /** Columns that a catalogue says name rows of other tables, by themselves. */
  readonly references: readonly { readonly column: string; readonly table: string; readonly key: string }[];
}

/** A row of a table, unchanged: its columns with their values, long ones cut. */
export type ShownRow = readonly (readonly [column: string, value: string])[];

/** A reading that is a look at some messages: it may end after some rows, and a server is not copied for it. */
export interface Look {
  /** Rows of each table that are read at most: of people beyond, names are not known. Absent: all. */
  readonly rowsMax?: number;
  /** Told that a table has more rows than that. */
  readonly onCut?: () => void;
  /**
   * Rows of messages that are wanted: others may come as well. A database that can finds them by their keys, without reading other rows of that
   * table. Absent: all.
   */
  readonly rowsWanted?: readonly Location[];
  /** Whether only messages are wanted: rows of people need not be read. */
  readonly isWithoutPeople?: boolean;
}

export interface TableContext extends ReadContext {
  readonly look?: Look;
  /** Told of each value by which a condition or a list of values sorts rows, with the role of the table and the column: `messages.kind`. Many times for one value. */
  readonly onWord?: (column: string, word: string) => void;
}

/** A source whose rows have columns with values: tables, and databases of applications. */
export interface ColumnSource<Schema extends z.ZodType = z.ZodType> extends SourceAdapter<Schema> {
  /**
   * Returns the rows of messages at some locations, unchanged, by formatted location. Rows that cannot be found are
   * missing; files that are no tables or databases have none.
   *
   * @param bytesMax Of a database that is read from its beginning, or copied, to find a row: a larger one is not searched. Default: no limit.
   */
  rowsAt(
    input: ExportInput,
    options: z.output<Schema>,
    locations: readonly Location[],
    bytesMax?: number,
  ): Promise<ReadonlyMap<string, ShownRow>>;
}

/** A source without fixed fields: tables, and JSON of unknown shape. A mapping says which column is what. */
export interface TableSource<Schema extends z.ZodType = z.ZodType> extends ColumnSource<Schema> {
  /**
   * How the export would be read. Looks at the beginning of each file, a few MiB at most.
   * `options` is what the user has decided already, unparsed.
   *
   * @throws SourceError if the export cannot be read.
   */
  propose(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Proposal>;
  /**
   * The mapping of the application that made the tables, if they are those of one that is known.
   *
   * @throws SourceError if the export cannot be read.
   */
  preset?(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Preset | undefined>;
  /**
   * All tables, whether they are read or not. Reads a catalogue, or the beginning of each file; of small databases it counts the
   * rows of the tables that the options name.
   *
   * @throws SourceError if the export cannot be read.
   */
  outline(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<readonly TableOutline[]>;
  /**
   * Paths under which rows are read that are in no file of the input, but made of shared files: results of queries. They have `file`
   * entries like files, and change with the files that they are made of.
   */
  queryPaths(options: z.output<Schema>): readonly string[];
  read(input: ExportInput, options: z.output<Schema>, context: TableContext): AsyncIterable<readonly Entry[]>;
}

/** Options of a source with fixed fields decide nothing of it. */
export type RowsAt = ColumnSource['rowsAt'];

export const hasColumns = (adapter: SourceAdapter): adapter is ColumnSource => 'rowsAt' in adapter;

export const isTableSource = (adapter: SourceAdapter): adapter is TableSource => 'propose' in adapter;

export const defineColumnSource = <S extends z.ZodType>(source: ColumnSource<S>): ColumnSource<S> => ({
  ...source,
  ...defineSource(source),
});

export const defineTableSource = <S extends z.ZodType>(source: TableSource<S>): TableSource<S> => ({
  ...source,
  ...defineSource(source),
});

/** Returns those of some tables that a query of a mapping names, as far as its words tell: a column may be called like a table. */
export function tablesInQuery(query: string, tables: readonly string[]): readonly string[] {
  const names = namesInQuery(query);
  return tables.filter((table) => names.has(table));
}
