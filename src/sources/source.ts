import type { z } from 'zod';
import type { ExportInput } from '../io/input/export-input.ts';
import type { Entry } from '../model/entry.ts';
import { badRow, decision, note, type SourceCode } from './kit/codes.ts';

export { badRow, decision, note, type SourceCode };

/** How sure a source is that an export belongs to it. `because` is shown to the user: "channels.json and users.json at the top". */
export type Probe = { readonly match: 'certain' | 'likely'; readonly because: string } | { readonly match: 'no' };

export interface ReadContext {
  readonly signal: AbortSignal;
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

/** A chat platform's export format: everything that the rest of the program knows of it. */
export interface SourceAdapter<Schema extends z.ZodType = z.ZodType> {
  /** Lowercase id; part of flags, the store and muids, so it never changes: `slack`. */
  readonly name: string;
  readonly title: string;
  /**
   * Options with defaults and `.describe()`, in `z.lazy()`: making those of every source takes a tenth of a start. Flags, help and the
   * README's table come from here.
   */
  readonly options: Schema;
  /**
   * Reads a few KiB at most. Never throws for a foreign export; answers `no`. While an export is detected, `input.paths()` has at most 32 of
   * the names that differ only in digits: open fewer files of one kind, and do not depend on which digits a name has.
   */
  probe(input: ExportInput): Promise<Probe>;
  /**
   * Yields shared files first (people, conversations), then the rows of each wanted file, one file after another,
   * each closed by its `file` entry. Every path of the input that is not a wanted row file gets a `file` entry too.
   *
   * Entries come in lists, cut anywhere (`inLists` makes them): a step of an asynchronous loop costs as much as reading a row.
   *
   * @throws SourceError if the export as a whole cannot be read.
   */
  read(input: ExportInput, options: z.output<Schema>, context: ReadContext): AsyncIterable<readonly Entry[]>;
  /**
   * Reliability of a message's `sortKey`. `always`, the default: it distinguishes messages of one conversation, file and
   * millisecond. `where-given`: the export may have nothing to order them by; then their position in the export
   * decides.
   */
  readonly sortKeys?: 'always' | 'where-given';
  /** For formats that know people by their names alone: whether an id of this source is the name of a person. */
  isName?(id: string): boolean;
  /** Set where exports are made from those of other sources: messages name their own source, invalid rows have its codes. */
  readonly carriesOthers?: true;
  /** Explanations of its own codes of invalid rows and problems; those of the kit are explained there. */
  readonly codes?: readonly SourceCode[];
  /**
   * For formats that number messages one by one, without leaving a number out: inside each conversation, or over the whole
   * export. A number that is missing is then a message that is missing. Absent: nothing is known of them.
   */
  consecutiveIds?(options: z.output<Schema>): 'no' | 'conversation' | 'export';
}

/** The `read` of a source, with its options. It is not called if the run was stopped before. */
export type ReadSource<Options = object, Context = ReadContext> = (
  input: ExportInput,
  options: Options,
  context: Context,
) => ReturnType<SourceAdapter['read']>;

/** Keeps `options` typed inside `read`, and adds what a manifest of `chatferry fetch` says about the export. */
export const defineSource = <S extends z.ZodType>(source: SourceAdapter<S>): SourceAdapter<S> => ({
  ...source,
  async *read(input, options, context) {
    const { readFetched } = await import('./kit/files/fetch-manifest.ts');
    yield* readFetched(input, context, (rest, about) => source.read(rest, options, { ...context, ...about }));
  },
});
