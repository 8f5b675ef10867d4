import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportInput } from '../../io/input/export-input.ts';
import { openExport } from '../../io/input/open-export.ts';
import { SourceError } from '../../lib/errors.ts';
import { silent, type StageProgress } from '../../lib/flow/progress.ts';
import { findCheck } from '../../mapping/checks.ts';
import { type Entry, isTimelineRow } from '../../model/entry.ts';
import type { Origin } from '../../model/records.ts';
import { chooseSource, parseSourceOptions } from '../../plan/choose-source.ts';
import { ignoring, withoutIgnored } from '../../plan/ignored-files.ts';
import { writeHeader, writeLine, type WrittenLine } from '../../sources/chatferry-lines.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import { UnreadChats } from '../../sources/detect.ts';
import { checkOutput, writeOutput } from '../../io/output.ts';
import type { ConvertOptions } from '../requests.ts';
import type { Conversion, ConversionCounts } from '../results.ts';

/** Lines are handed on in pieces of about this many characters. */
const pieceCharacters = 64 * 1024;

export async function convert(options: ConvertOptions): Promise<Conversion> {
  const isIgnored = ignoring(options.mapping.rules.files.ignore);
  const inputs = (await openExport([options.from].flat())).map((input) => withoutIgnored(input, isIgnored));
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

async function* piecesOf({ inputs, adapter, sourceOptions, options, count, update }: Work): AsyncGenerator<string> {
  const { signal = new AbortController().signal, workspace } = options;
  const context = { signal, inputs, wants: () => true, ...(workspace !== undefined && { workspace }) };
  const home = new Home();
  // Our own records name the source that they come from.
  let piece = count.take(writeHeader(adapter.name === 'chatferry' ? undefined : adapter.name));
  for (const input of inputs) {
    // One export names its files; of several, each names itself first.
    const folder = inputs.length > 1 ? `${input.label}/` : '';
    for (const problem of input.problems) piece += lineOf({ type: 'problem', ...problem }, folder, count);
    const unread = new UnreadChats(input, adapter);
    for await (const entries of adapter.read(input, sourceOptions, context)) {
      for (const given of entries) {
        const entry = given.type === 'file' ? await unread.judge(given) : given;
        if (entry.type === 'record' && entry.record.kind === 'message') home.admit(entry.record.origin);
        count.meet(entry);
        piece += lineOf(entry, folder, count);
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

/** Empty for a file that was read: its contents are in the lines before. */
function lineOf(entry: Entry, folder: string, count: ConversionCount): string {
  if (entry.type === 'record') return count.take(writeLine(entry));
  if (entry.type !== 'file') {
    const { location } = entry;
    if (entry.type === 'problem' && findCheck(entry.code)?.severity === 'blocks') count.unread++;
    return count.take(writeLine({ ...entry, location: { ...location, path: `${folder}${location.path}` } }));
  }
  if (entry.role !== 'unknown') return '';
  const { path, reason = 'This file is not part of the format; nothing of it was read' } = entry;
  const code = entry.isChat ? 'unread-chat' : 'unknown-file';
  return lineOf({ type: 'problem', code, reason, location: { path } }, folder, count);
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

export class ConversionCount {
  read = 0;
  unread = 0;
  #lines = 0;
  readonly #kinds = {
    chatferry: 0,
    user: 0,
    conversation: 0,
    relation: 0,
    message: 0,
    invalid: 0,
    skipped: 0,
    problem: 0,
  };
  readonly #files = { shared: 0, rows: 0, skipped: 0, unknown: 0 };

  meet(entry: Entry): void {
    if (entry.type === 'file') this.#files[entry.role]++;
    else if (isTimelineRow(entry)) this.read++;
  }

  /** Counts a line that is written. @returns The line's text. */
  take({ kind, text }: WrittenLine): string {
    this.#lines++;
    this.#kinds[kind]++;
    return text;
  }

  result(): ConversionCounts {
    const { message, invalid, skipped, user, conversation, relation, problem } = this.#kinds;
    return {
      read: this.read,
      messages: message,
      invalid,
      skipped,
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
