import { type ProgressLine, progressLineSchema } from '../../commands/progress-line.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import type { StartedProgram } from '../../lib/started-program.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { RunStage } from '../../viewer/shapes.ts';
import type { DeskError, DeskRun, RunKind } from '../shapes.ts';
import type { CommandLine } from './command-lines.ts';

export interface RunnerOptions {
  /** Starts this program again. */
  readonly startAgain: (args: readonly string[]) => Promise<StartedProgram>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Called when a run has begun or ended. */
  readonly onChange: () => void;
}

/** A run goes on already. */
export class Busy extends Error {}

/** Kept of a run: its last notices, the last lines that are no progress, and characters of each. */
const noticesMax = 50;
const wordsMax = 20;
const wordLengthMax = 2_000;

/** How long a run may take to stop before it is ended, in ms. */
const closeMs = 10_000;

/** How a command is run: its result is the last line of its output. */
const forPrograms = ['--json', '--progress', 'json'];

interface Ended {
  readonly code: number | null;
  /** Undefined if it printed none. */
  readonly result: unknown;
  /** Lines of standard error that are no progress. */
  readonly words: readonly string[];
}

/** Runs commands of this program as processes, one at a time, and follows their progress. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #results = new Map<RunKind, unknown>();
  #run: DeskRun | null = null;
  #program: StartedProgram | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** The run that goes on, or the last one. */
  now(): DeskRun | null {
    return this.#run;
  }

  /** The JSON result of the last run of a kind that printed one. */
  result(kind: RunKind): unknown {
    return this.#results.get(kind);
  }

  /** @throws Busy */
  start(kind: RunKind, { args, text }: CommandLine): DeskRun {
    if (this.#run?.endedAtMs === null) throw new Busy();
    const startedAtMs = this.#options.clock.now();
    const shown = { kind, command: kind, text, destination: '', startedAtMs, endedAtMs: null, outcome: null };
    const run = { ...shown, stages: [], notices: [], problems: [], isStopping: false, exit: null, error: null };
    this.#run = run;
    this.#program = undefined;
    this.#ended = this.#follow(kind, args).catch((fault) =>
      this.#end(kind, { code: null, result: undefined, words: [String(fault)] }),
    );
    this.#options.onChange();
    return run;
  }

  /** Asks the run that goes on to stop, once: asked twice, a command ends at once. */
  stop(): DeskRun | null {
    if (this.#run?.endedAtMs === null && !this.#run.isStopping) {
      this.#change({ isStopping: true });
      this.#program?.interrupt();
    }
    return this.#run;
  }

  /** Stops what runs and waits for its end; ends it at once after `closeMs`. */
  async close(): Promise<void> {
    this.stop();
    const closing = new AbortController();
    const { clock } = this.#options;
    const isSlow = clock.sleep(closeMs, closing.signal).then(
      () => true,
      () => false,
    );
    const ended = this.#ended.then(() => false);
    if (await Promise.race([isSlow, ended])) this.#program?.interrupt();
    closing.abort();
  }

  async #follow(kind: RunKind, args: readonly string[]): Promise<void> {
    const program = await this.#options.startAgain([...args, ...forPrograms]);
    this.#program = program;
    if (this.#run?.isStopping) program.interrupt();
    let last = '';
    const words: string[] = [];
    program.onLine((stream, line) => {
      if (stream === 'stdout') last = line;
      else if (!this.#note(line)) words.push(line.slice(0, wordLengthMax));
      if (words.length > wordsMax) words.shift();
    });
    const { code } = await program.ended;
    this.#end(kind, { code, result: parsed(last), words });
  }

  #end(kind: RunKind, { code, result, words }: Ended): void {
    if (result !== undefined) this.#results.set(kind, result);
    const wasStopped = this.#run?.isStopping === true && result === undefined;
    const error = result === undefined && !wasStopped ? errorOf(words) : null;
    const outcome = wasStopped ? 'Stopped' : error ? 'Failed' : 'Done';
    this.#change({ endedAtMs: this.#options.clock.now(), exit: code, error, outcome });
    this.#options.onChange();
  }

  /** Takes a line of progress. @returns Whether it was one. */
  #note(line: string): boolean {
    const { data } = progressLineSchema.safeParse(parsed(line));
    if (data === undefined || !this.#run) return false;
    const { notices, stages } = this.#run;
    if ('message' in data) this.#change({ notices: [...notices, data.message].slice(-noticesMax) });
    else this.#change({ stages: withStage(stages, data) });
    return true;
  }

  #change(changes: Partial<DeskRun>): void {
    if (this.#run) this.#run = { ...this.#run, ...changes };
  }
}

type StageLine = Extract<ProgressLine, { readonly stage: string }>;

/** A stage of the same name that has not ended goes on; any other begins. */
function withStage(stages: readonly RunStage[], line: StageLine): readonly RunStage[] {
  const { stage: name, done, total, ratePerSecond: perSecond, etaMs, waiting, note, finished } = line;
  const now = { name, done, total, perSecond, etaMs, waiting, note, summary: finished ? formatCount(done) : null };
  const at = stages.findIndex((stage) => stage.name === name && stage.summary === null);
  return at === -1 ? [...stages, now] : stages.with(at, now);
}

/** Returns the JSON object of a line; undefined if the line is none. */
function parsed(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The error that a command printed. Its hint is indented. */
function errorOf(words: readonly string[]): DeskError {
  const hint = words.at(-1)?.startsWith('  ') ? words.at(-1)!.trim() : null;
  const message = words.slice(0, hint === null ? undefined : -1).join('\n');
  return { code: 'DESK_RUN_FAILED', message: message || 'It ended without a word', hint };
}
