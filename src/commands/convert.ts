import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportInput } from '../io/input/export-input.ts';
import { openExport } from '../io/input/open-export.ts';
import { SourceError } from '../lib/errors.ts';
import { silent, type StageProgress } from '../lib/flow/progress.ts';
import { checkOf } from '../mapping/checks/registry.ts';
import type { Mapping } from '../mapping/rules/load-rules.ts';
import type { Entry } from '../model/entry.ts';
import type { Origin } from '../model/records.ts';
import { chooseSource, parseSourceOptions } from '../plan/choose-source.ts';
import { writeHeader, writeLine, type WrittenLine } from '../sources/chatferry/write-line.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { checkOutput, type OutputTarget, writeOutput } from './output.ts';
import type { PlanRequest } from './plan.ts';
import type { Surroundings } from './session.ts';

export interface ConvertOptions
  extends Pick<PlanRequest, 'from' | 'source' | 'workspace'>,
    Partial<Pick<Surroundings, 'progress' | 'signal'>> {
  /** Of which only the source's own options count: what people and messages become is decided by the plan. */
  readonly mapping: Mapping;
  readonly to: OutputTarget;
}

/** What was read and written. `read = messages + rejects`, and `lines` is the sum of all kinds of lines. */
export interface Conversion extends ConversionCounts {
  readonly source: string;
  readonly title: string;
  readonly inputs: readonly string[];
  /** Bytes of the file as it is on disk; of a stream, what was written into it. */
  readonly bytes: number;
  /** False where the reader of a stream went away before the end. */
  readonly isComplete: boolean;
  /** The file was there, and said the same. */
  readonly wasThere: boolean;
}

/** Lines are handed on in pieces of about this many characters. */
const pieceCharacters = 64 * 1024;

/**
 * Writes any export as records of our own, in the order in which it is read: a plan of the file is a plan of the export.
 * Whatever could not be read, and whatever a person should know, is a line too.
 *
 * A file appears under its name when it is whole, or not at all.
 *
 * @throws SourceError, UsageError, StoreError (the disk is full)
 */
export async function convert(options: ConvertOptions): Promise<Conversion> {
  const inputs = await openExport([options.from].flat());
  try {
    const adapter = await chooseSource(inputs, options.source);
    const sourceOptions = parseSourceOptions(adapter, options.mapping);
    checkOutput(options.to, inputs);
    const stage = (options.progress ?? silent).stage('Converting');
    const count = new ConversionCount();
    const pieces = piecesOf({ inputs, adapter, sourceOptions, options, count, update: stage.update });
    const written = await writeOutput(options.to, pieces);
    stage.finish();
    const labels = inputs.map(({ label }) => label);
    return { source: adapter.name, title: adapter.title, inputs: labels, ...count.result(), ...written };
  } finally {
    for (const input of inputs) await input.close();
  }
}

interface Work {
  readonly inputs: readonly ExportInput[];
  readonly adapter: SourceAdapter;
  readonly sourceOptions: unknown;
  readonly options: Pick<ConvertOptions, 'workspace' | 'signal'>;
  readonly count: ConversionCount;
  readonly update: StageProgress['update'];
}

/** The text of the file. */
async function* piecesOf({ inputs, adapter, sourceOptions, options, count, update }: Work): AsyncGenerator<string> {
  const { signal = new AbortController().signal, workspace } = options;
  const context = { signal, wants: () => true, ...(workspace !== undefined && { workspace }) };
  const home = new Home();
  // Our own records name the source that they come from.
  let piece = count.take(writeHeader(adapter.name === 'chatferry' ? undefined : adapter.name));
  for (const input of inputs) {
    // One export names its files; of several, each names itself first.
    const folder = inputs.length > 1 ? `${input.label}/` : '';
    for (const problem of input.problems) piece += textOf({ type: 'problem', ...problem }, folder, count);
    for await (const entries of adapter.read(input, sourceOptions, context)) {
      for (const entry of entries) {
        if (entry.type === 'record' && entry.record.kind === 'message') home.admit(entry.record.origin);
        count.meet(entry);
        piece += textOf(entry, folder, count);
        if (piece.length < pieceCharacters) continue;
        yield piece;
        piece = '';
      }
      update({ done: count.read });
      // Signals and timers get their turn.
      await nextTurn();
      signal.throwIfAborted();
    }
  }
  yield piece;
}

/** Nothing for a file that was read: what it holds stands before. */
function textOf(entry: Entry, folder: string, count: ConversionCount): string {
  if (entry.type === 'record') return count.take(writeLine(entry));
  if (entry.type !== 'file') {
    const { location } = entry;
    if (entry.type === 'problem' && checkOf(entry.code)?.severity === 'blocks') count.unread++;
    return count.take(writeLine({ ...entry, location: { ...location, path: `${folder}${location.path}` } }));
  }
  if (entry.role !== 'unknown') return '';
  const { path, reason = 'This file is not part of the format; nothing of it was read' } = entry;
  return count.take(
    writeLine({ type: 'problem', code: 'unknown-file', reason, location: { path: `${folder}${path}` } }),
  );
}

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

/** What went into a converted file. */
export interface ConversionCounts {
  /** Timeline rows of the export: `messages + rejected`. */
  readonly read: number;
  readonly messages: number;
  readonly rejected: number;
  /** Descriptions: a person whom two exports describe counts twice. */
  readonly people: number;
  readonly conversations: number;
  readonly relations: number;
  readonly problems: number;
  /** Of the problems, those that kept something from being read. */
  readonly unread: number;
  /** All of the above but `unread`, and the header. */
  readonly lines: number;
  /** Files of the export by what was done with them. */
  readonly files: Readonly<Record<'shared' | 'rows' | 'skipped' | 'unknown', number>>;
}

/** Counts lines on their way into the file. */
class ConversionCount {
  /** Timeline rows so far. */
  read = 0;
  unread = 0;
  #lines = 0;
  readonly #kinds = { chatferry: 0, user: 0, conversation: 0, relation: 0, message: 0, reject: 0, problem: 0 };
  readonly #files = { shared: 0, rows: 0, skipped: 0, unknown: 0 };

  /** What was read. */
  meet(entry: Entry): void {
    if (entry.type === 'file') this.#files[entry.role]++;
    else if (entry.type === 'reject' || (entry.type === 'record' && entry.record.kind === 'message')) this.read++;
  }

  /** What is written. @returns The line's text. */
  take({ kind, text }: WrittenLine): string {
    this.#lines++;
    this.#kinds[kind]++;
    return text;
  }

  result(): ConversionCounts {
    const { message, reject, user, conversation, relation, problem } = this.#kinds;
    return {
      read: this.read,
      messages: message,
      rejected: reject,
      people: user,
      conversations: conversation,
      relations: relation,
      problems: problem,
      unread: this.unread,
      lines: this.#lines,
      files: this.#files,
    };
  }
}
