import type { ExportInput } from '../../../src/io/input/export-input.ts';
import type { Entry } from '../../../src/model/entry.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import type { TableContext } from '../../../src/sources/table-source.ts';
import { openSample, type Sample, sampleOptions } from '../samples.ts';

/** One thing that is asked of every source: a sentence without its subject, and what throws where it does not hold. */
export interface Check<Subject> {
  readonly says: string;
  readonly run: (subject: Subject) => void | Promise<void>;
}

/** A source and all of its samples. */
export interface SourceSubject {
  readonly adapter: SourceAdapter;
  readonly samples: readonly Sample[];
  /** Entries of a sample; read once for all checks. */
  readonly whole: (sample: Sample) => Promise<readonly Entry[]>;
}

/** A source and one of its samples. */
export interface SampleSubject {
  readonly adapter: SourceAdapter;
  readonly sample: Sample;
  /** Entries of the sample; read once for all checks that do not change it. */
  readonly whole: () => Promise<readonly Entry[]>;
  /** Expected entries: the text of `expected.ndjson`. */
  readonly expected: () => string | Promise<string>;
}

/** Every entry of a sample, whose input may have been altered, read as its mapping says. */
export async function readSample(
  { adapter, sample }: { readonly adapter: SourceAdapter; readonly sample: Sample },
  input?: ExportInput,
  context: Partial<TableContext> = {},
): Promise<Entry[]> {
  return readAll(adapter, input ?? (await openSample(sample)), context, sampleOptions(sample));
}

/** Every entry of an export. */
export async function readAll(
  adapter: SourceAdapter,
  input: ExportInput,
  context: Partial<TableContext> = {},
  options: unknown = {},
): Promise<Entry[]> {
  return (await Array.fromAsync(adapter.read(input, adapter.options.parse(options), contextWith(context)))).flat();
}

export const contextWith = (context: Partial<TableContext>): TableContext => ({
  signal: new AbortController().signal,
  wants: () => true,
  ...context,
});

/** Entries as `expected.ndjson` has them. */
export const toLines = (entries: readonly Entry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

export const pathOf = (entry: Entry): string => (entry.type === 'file' ? entry.path : entry.location.path);

/** Files that can be left out of a reading: those with messages. */
export const rowFilesOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) => (entry.type === 'file' && entry.role === 'rows' ? [entry.path] : []));

export const messagesOf = (entries: readonly Entry[]): MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));

/** Files from which messages come. */
export const messageFilesOf = (entries: readonly Entry[]): string[] => [
  ...new Set(
    entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.location.path] : [],
    ),
  ),
];
