import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportInput } from '../../io/input/export-input.ts';
import { openExport } from '../../io/input/open-export.ts';
import { SourceError } from '../../lib/errors.ts';
import { silent, type StageProgress } from '../../lib/flow/progress.ts';
import { checkOf } from '../../mapping/checks/registry.ts';
import type { Mapping } from '../../mapping/rules/load-rules.ts';
import type { Entry } from '../../model/entry.ts';
import type { Origin } from '../../model/records.ts';
import { chooseSource, parseSourceOptions } from '../../plan/choose-source.ts';
import { writeHeader, writeLine, type WrittenLine } from '../../sources/chatferry/write-line.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import { ConversionCount, type ConversionCounts } from './conversion-count.ts';
import { checkOutput, type OutputTarget, writeOutput } from '../output.ts';
import type { PlanRequest } from '../plan.ts';
import type { Surroundings } from '../session.ts';

export interface ReadingOptions
  extends Pick<PlanRequest, 'from' | 'source' | 'workspace'>,
    Partial<Pick<Surroundings, 'progress' | 'signal'>> {
  /** Of which only the source's own options count: what people and messages become is decided by the plan. */
  readonly mapping: Mapping;
}

export interface ConvertOptions extends ReadingOptions {
  readonly to: OutputTarget;
}

/** What was read. */
interface Converted extends ConversionCounts {
  readonly source: string;
  readonly title: string;
  readonly inputs: readonly string[];
}

/** What was read and written. `read = messages + rejects`, and `lines` is the sum of all kinds of lines. */
export interface Conversion extends Converted {
  /** Bytes of the file as it is on disk; of a stream, what was written into it. */
  readonly bytes: number;
  /** False where the reader of a stream went away before the end. */
  readonly isComplete: boolean;
  /** The file was there, and said the same. */
  readonly wasThere: boolean;
}

/** Lines are handed on in pieces of about this many characters. */
export const pieceCharacters = 64 * 1024;

/**
 * Writes any export as records of our own, in the order in which it is read: a plan of the file is a plan of the export.
 * Whatever could not be read, and whatever a person should know, is a line too.
 *
 * A file appears under its name when it is whole, or not at all.
 *
 * @throws SourceError, UsageError, StoreError (the disk is full)
 */
export const convert = async (options: ConvertOptions): Promise<Conversion> =>
  await converting(options, {
    check: (inputs) => checkOutput(options.to, inputs),
    write: (work) => writeOutput(options.to, piecesOf(work)),
  });

/** Opens exports, has them written somewhere, and closes them. @param how `check` is asked before anything is read. */
export async function converting<Result>(
  options: ReadingOptions,
  how: { readonly check: (inputs: readonly ExportInput[]) => void; readonly write: (work: Work) => Promise<Result> },
): Promise<Converted & Result> {
  const inputs = await openExport([options.from].flat());
  try {
    const adapter = await chooseSource(inputs, options.source);
    const sourceOptions = parseSourceOptions(adapter, options.mapping);
    how.check(inputs);
    const stage = (options.progress ?? silent).stage('Converting');
    const count = new ConversionCount();
    const work = { inputs, adapter, sourceOptions, options, count, update: stage.update };
    const written = await how.write(work);
    stage.finish();
    const labels = inputs.map(({ label }) => label);
    return { source: adapter.name, title: adapter.title, inputs: labels, ...count.result(), ...written };
  } finally {
    for (const input of inputs) await input.close();
  }
}

/** What is to be converted, and where it is counted. */
export interface Work {
  readonly inputs: readonly ExportInput[];
  readonly adapter: SourceAdapter;
  readonly sourceOptions: unknown;
  readonly options: Pick<ReadingOptions, 'workspace' | 'signal'>;
  readonly count: ConversionCount;
  readonly update: StageProgress['update'];
}

/** The text of the file. */
async function* piecesOf(work: Work): AsyncGenerator<string> {
  let piece = work.count.take(headerOf(work));
  for await (const lines of linesOf(work)) {
    for (const { text } of lines) piece += text;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Our own records name the source that they come from. */
export const headerOf = ({ adapter }: Pick<Work, 'adapter'>): WrittenLine =>
  writeHeader(adapter.name === 'chatferry' ? undefined : adapter.name);

/** A line, and what it is made of. */
export interface ConvertedLine {
  readonly entry: Exclude<Entry, { type: 'file' }>;
  readonly text: string;
}

/** Everything behind the header, in the order in which it is read. */
export async function* linesOf({
  inputs,
  adapter,
  sourceOptions,
  options,
  count,
  update,
}: Work): AsyncGenerator<readonly ConvertedLine[]> {
  const { signal = new AbortController().signal, workspace } = options;
  const context = { signal, wants: () => true, ...(workspace !== undefined && { workspace }) };
  const home = new Home();
  for (const input of inputs) {
    // One export names its files; of several, each names itself first.
    const folder = inputs.length > 1 ? `${input.label}/` : '';
    yield input.problems.map((problem) => converted({ type: 'problem', ...problem }, folder, count));
    for await (const entries of adapter.read(input, sourceOptions, context)) {
      const lines: ConvertedLine[] = [];
      for (const entry of entries) {
        if (entry.type === 'record' && entry.record.kind === 'message') home.admit(entry.record.origin);
        count.meet(entry);
        if (entry.type !== 'file') lines.push(converted(entry, folder, count));
        else if (entry.role === 'unknown') lines.push(converted(unknownFile(entry), folder, count));
      }
      yield lines;
      update({ done: count.read });
      // Signals and timers get their turn.
      await nextTurn();
      signal.throwIfAborted();
    }
  }
}

function converted(entry: ConvertedLine['entry'], folder: string, count: ConversionCount): ConvertedLine {
  if (entry.type === 'record') return { entry, text: count.take(writeLine(entry)) };
  const { location } = entry;
  if (entry.type === 'problem' && checkOf(entry.code)?.severity === 'blocks') count.unread++;
  const placed = { ...entry, location: { ...location, path: `${folder}${location.path}` } };
  return { entry, text: count.take(writeLine(placed)) };
}

const unknownFile = ({ path, reason }: Extract<Entry, { type: 'file' }>): ConvertedLine['entry'] => ({
  type: 'problem',
  code: 'unknown-file',
  reason: reason ?? 'This file is not part of the format; nothing of it was read',
  location: { path },
});

/** A file belongs to one source and one workspace, as a checkpoint store does: those of its first message. */
class Home {
  #first: Origin | undefined;

  /** @throws SourceError if the message belongs elsewhere. */
  admit(origin: Origin): void {
    this.#first ??= origin;
    for (const field of ['source', 'workspace'] as const) {
      const [wanted, found] = [this.#first[field], origin[field]];
      if (found === wanted) continue;
      throw new SourceError(`Cannot convert: messages of ${field} "${wanted}" and of ${field} "${found}"`, {
        hint: `Convert each ${field} into a file of its own`,
      });
    }
  }
}
