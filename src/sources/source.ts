import type { z } from 'zod';
import type { ExportInput } from '../io/input/export-input.ts';
import type { Location } from '../lib/text/location.ts';
import type { Entry } from '../model/entry.ts';
import { badRow, decision, note, type SourceCode } from './kit/codes.ts';

export { badRow, decision, note, type SourceCode };

/** How sure a source is that an export belongs to it. `because` is shown to the user: "channels.json and users.json at the top". */
export type Probe = { readonly match: 'certain' | 'likely'; readonly because: string } | { readonly match: 'no' };

export interface ReadContext {
  readonly signal: AbortSignal;
  /** Whether this is a look at what is there, which may end after some rows: a copy of what is read would be for nothing. */
  readonly isSurvey?: boolean;
  /** Rows of each table that are read at most, for a look at a few messages: of people beyond, names are not known. Absent: all. */
  readonly rowsMax?: number;
  /**
   * Rows of messages that are wanted, for a look at a few of them: others may come as well. A database that can finds them by their keys, without
   * reading other rows of that table. Absent: all.
   */
  readonly rowsWanted?: readonly Location[];
  /** Whether only messages are wanted: rows of people need not be read. */
  readonly isWithoutPeople?: boolean;
  /**
   * All inputs that are read together, in the order in which they were named, including this one (by its key). They
   * distinguish chats that have only a name from those of other inputs. Absent: this one alone.
   */
  readonly inputs?: readonly ExportInput[];
  /** Whether the export is one of a series of fetches, of which each has what changed: what belongs together may be in several. */
  readonly isIncrement?: boolean;
  /** Value of `--workspace`: used if the export itself does not name its workspace. */
  readonly workspace?: string;
  /**
   * Whether the rows of this file are wanted. Files for which it answers `false` are not mentioned, and not opened, unless rows of
   * others depend on what they say: a log of IRC on who changed a nick in the log of the day before.
   * Shared files are always read. So reading is divisible: the union over any partition of the row files,
   * in any order or process, is the whole export.
   */
  wants(path: string): boolean;
}

/**
 * Settings for a source without fixed fields (tables, JSON of unknown shape), derived from a sample of the export. They
 * are shown and confirmed by the user, and never applied if two readings are possible.
 */
export interface Proposal {
  /** The mapping's `source:` section, as far as the evidence carries it. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
  /** Impossible settings of the user, such as a column that no table has. */
  readonly faults?: readonly AnswerFault[];
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
  /** A row cannot become a message without it. */
  readonly isRequired: boolean;
  /** How it was decided, a line each: candidates with score, margin and evidence. `init --explain` shows them. */
  readonly explained?: readonly string[];
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

/** A chat platform's export format: everything that the rest of the program knows of it. */
export interface SourceAdapter<Schema extends z.ZodType = z.ZodType> {
  /** Lowercase id; part of flags, the store and muids, so it never changes: `slack`. */
  readonly name: string;
  readonly title: string;
  /** Description of its input, in one line of Markdown: used in the README's table of sources and at the head of its page. */
  readonly what: string;
  /** Extra topics of its page, `docs/reference/sources/<name>.md`: the table of sources lists them after the link. */
  readonly notes: string;
  /**
   * Reliability of a message's `sortKey`. `always`: it distinguishes messages of one conversation, file and
   * millisecond. `where-given`: the export may have nothing to order them by; then their position in the export
   * decides.
   */
  readonly sortKeys: 'always' | 'where-given';
  /** For formats that know people by their names alone: whether an id of this source is the name of a person. */
  isName?(id: string): boolean;
  /** Set where exports are made from those of other sources: messages name their own source, invalid rows have its codes. */
  readonly carriesOthers?: true;
  /** Options with defaults and `.describe()`; flags, help and the README table come from here. */
  readonly options: Schema;
  /** Explanations of its own codes of invalid rows and problems; those of the kit are explained there. */
  readonly codes?: readonly SourceCode[];
  /**
   * For formats that number messages one by one, without leaving a number out: inside each conversation, or over the whole
   * export. A number that is missing is then a message that is missing. Absent: nothing is known of them.
   */
  consecutiveIds?(options: z.output<Schema>): 'no' | 'conversation' | 'export';
  /**
   * Paths under which rows are read that are in no file of the input, but made of shared files: results of queries. They have `file`
   * entries like files, and change with the files that they are made of.
   */
  queryPaths?(options: z.output<Schema>): readonly string[];
  /**
   * Reads a few KiB at most. Never throws for a foreign export; answers `no`. While an export is detected, `input.paths()` has at most 32 of
   * the names that differ only in digits: open fewer files of one kind, and do not depend on which digits a name has.
   */
  probe(input: ExportInput): Promise<Probe>;
  /**
   * For formats without fixed fields: how they would be read. Looks at the beginning of each file, a few MiB at most.
   * `options` is what the user has decided already, unparsed.
   *
   * @throws SourceError if the export cannot be read.
   */
  propose?(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Proposal>;
  /**
   * For tables: the mapping of the application that made them, if they are those of one that is known.
   *
   * @throws SourceError if the export cannot be read.
   */
  preset?(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Preset | undefined>;
  /**
   * For tables: what there is, whether it is read or not. Reads a catalogue, or the beginning of each file; of small databases it counts the
   * rows of the tables that the options name.
   *
   * @throws SourceError if the export cannot be read.
   */
  outline?(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<readonly TableOutline[]>;
  /**
   * For tables and databases: returns the rows of messages at some locations, unchanged, by formatted location. Rows that cannot be found are
   * missing; files that are no tables or databases have none.
   *
   * @param bytesMax Of a database that is read from its beginning, or copied, to find a row: a larger one is not searched. Default: no limit.
   */
  rowsAt?(
    input: ExportInput,
    options: z.output<Schema>,
    locations: readonly Location[],
    bytesMax?: number,
  ): Promise<ReadonlyMap<string, ShownRow>>;
  /**
   * Yields shared files first (people, conversations), then the rows of each wanted file, one file after another,
   * each closed by its `file` entry. Every path of the input that is not a wanted row file gets a `file` entry too.
   *
   * Entries come in lists, cut anywhere (`inLists` makes them): a step of an asynchronous loop costs as much as reading a row.
   *
   * @throws SourceError if the export as a whole cannot be read.
   */
  read(input: ExportInput, options: z.output<Schema>, context: ReadContext): AsyncIterable<readonly Entry[]>;
}

/** The `read` of a source, with its options. It is not called if the run was stopped before. */
export type ReadSource<Options = object> = (
  input: ExportInput,
  options: Options,
  context: ReadContext,
) => ReturnType<SourceAdapter['read']>;

/** Of a source with fixed fields: its options decide nothing of it. */
export type RowsAt = NonNullable<SourceAdapter['rowsAt']>;

/** Keeps `options` typed inside `read`, and adds what a manifest of `chatferry fetch` says about the export. */
export const defineSource = <S extends z.ZodType>(source: SourceAdapter<S>): SourceAdapter<S> => ({
  ...source,
  async *read(input, options, context) {
    const { readFetched } = await import('./kit/files/fetch-manifest.ts');
    yield* readFetched(input, context, (rest, about) => source.read(rest, options, { ...context, ...about }));
  },
});
