import { z } from 'zod';
import { type ProgressLine, progressLineSchema } from '../../model/progress-line.ts';
import { ChatferryError } from '../../lib/errors.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import type { StartedProgram } from '../../lib/started-program.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { RunStage } from '../../viewer/shapes.ts';
import type { DeskError, DeskRun, RunKind } from '../shapes.ts';
import type { CommandLine } from './command-lines.ts';

export interface RunnerOptions {
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

/** How a command is run: its result is the last line of its output. `doctor` is short and shows no progress. */
const forPrograms = (kind: RunKind): readonly string[] =>
  kind === 'doctor' ? ['--json'] : ['--json', '--progress', 'json'];

/** By Ctrl-C. */
const interruptedCode = 130;

/** Work of the desk itself that comes before a command. */
export interface Preparation {
  /** Its name in the list of stages. */
  readonly stage: string;
  readonly work: () => Promise<unknown>;
}

const noPace = { perSecond: null, etaMs: null, waiting: null };
export const noStage: RunStage = { name: '', done: 0, total: null, ...noPace, note: null, summary: null };

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
  #before: DeskRun | null = null;
  #program: StartedProgram | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#run?.endedAtMs === null;
  }

  /** Resolves when the last run has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** The run that goes on, or the last one. */
  now(): DeskRun | null {
    return this.#run;
  }

  /** The run before a count that began by itself, until that has ended well. */
  before(): DeskRun | null {
    return this.#before;
  }

  /** The JSON result of the last run of a kind that printed one. */
  result(kind: RunKind): unknown {
    return this.#results.get(kind);
  }

  /** The findings are about something else. */
  forget(kind: RunKind): void {
    this.#results.delete(kind);
  }

  /** @param prepare Done before, as the first stage of the run. @throws Busy */
  start(kind: RunKind, line: CommandLine, prepare?: Preparation): DeskRun {
    if (this.isBusy) throw new Busy();
    this.#before = null;
    return this.#start(kind, line, prepare);
  }

  /** Starts a count that nobody asked for. The run before it is still to be seen, and is the last one again after it. @throws Busy */
  startByItself(line: CommandLine): void {
    if (this.isBusy) throw new Busy();
    this.#before ??= this.#run?.kind === 'inspect' ? null : this.#run;
    this.#start('inspect', line);
  }

  #start(kind: RunKind, { args, text }: CommandLine, prepare?: Preparation): DeskRun {
    const startedAtMs = this.#options.clock.now();
    const shown = { kind, command: kind, text, destination: '', startedAtMs, endedAtMs: null, outcome: null };
    const stages = prepare === undefined ? [] : [{ ...noStage, name: prepare.stage }];
    const begun = { stages, notices: [], problems: [], findings: [], undo: null, exit: null, error: null };
    const run = { ...shown, ...begun, isOurs: true, canStop: true, isStopping: false };
    this.#run = run;
    this.#program = undefined;
    this.#ended = this.#prepared(prepare)
      .then(() => this.#follow(kind, args))
      .catch((fault) => this.#end(kind, { code: null, result: undefined, words: describeFault(fault) }));
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

  async #prepared(prepare: Preparation | undefined): Promise<void> {
    if (prepare === undefined) return;
    await prepare.work();
    this.#change({ stages: [{ ...noStage, name: prepare.stage, summary: '' }] });
  }

  async #follow(kind: RunKind, args: readonly string[]): Promise<void> {
    // Nothing has begun yet: the same command continues.
    if (this.#run?.isStopping) return this.#end(kind, { code: interruptedCode, result: undefined, words: [] });
    const program = await this.#options.startAgain([...args, ...forPrograms(kind)]);
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
    const wasStopped = this.#run?.isStopping === true && (result === undefined || code === interruptedCode);
    const error = wasStopped ? null : result === undefined ? parsePrintedError(words) : stoppedIn(result);
    const outcome = wasStopped ? 'Stopped' : error ? 'Failed' : 'Done';
    this.#change({
      endedAtMs: this.#options.clock.now(),
      exit: code,
      error,
      outcome,
      findings: findingsIn(result),
      undo: undoIn(result),
    });
    if (this.#before !== null && outcome === 'Done') [this.#run, this.#before] = [this.#before, null];
    this.#options.onChange();
  }

  /** Takes a line of progress. @returns Whether it was one. */
  #note(line: string): boolean {
    const { data } = progressLineSchema.safeParse(parsed(line));
    if (data === undefined || !this.#run) return false;
    const { notices, stages } = this.#run;
    // An unexpected error of a row is for the log; the row is in the report.
    if ('stack' in data) return true;
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

const describeFault = (fault: unknown): readonly string[] =>
  fault instanceof ChatferryError
    ? [fault.message, ...(fault.hint === undefined ? [] : [`  ${fault.hint}`])]
    : [String(fault)];

/** Why a command stopped before its end although it has a result. */
const stopped = z.object({ stopped: z.object({ message: z.string(), hint: z.string().nullable() }) });

function stoppedIn(result: unknown): DeskError | null {
  const { data } = stopped.safeParse(result);
  return data === undefined ? null : { code: 'DESK_RUN_FAILED', ...data.stopped };
}

const findings = z.object({
  findings: z.array(
    z.object({
      level: z.enum(['ok', 'warning', 'error']),
      name: z.string(),
      says: z.string(),
      todo: z.string().nullable().default(null),
    }),
  ),
});

/** What `doctor` found; nothing in the result of another command. */
const findingsIn = (result: unknown): DeskRun['findings'] => findings.safeParse(result).data?.findings ?? [];

/** The error that a command printed. Its hint is indented. */
function parsePrintedError(words: readonly string[]): DeskError {
  const hint = words.at(-1)?.startsWith('  ') ? words.at(-1)!.trim() : null;
  const message = words.slice(0, hint === null ? undefined : -1).join('\n');
  return { code: 'DESK_RUN_FAILED', message: message || 'It ended without a word', hint };
}

const count = z.int().nonnegative();
const sum = z.object({ calls: count, messages: count });
const sums = z.object({ group: sum, conversation: sum, member: sum, person: sum });

/** JSON output of `undo`: `UndoResult`, and whether it was a dry run. */
const undoResult = z.object({
  command: z.literal('undo'),
  dryRun: z.boolean(),
  todo: sums,
  done: sums,
  requests: z.array(z.object({ request: z.string(), name: z.string(), messages: count })),
  left: z.array(sum.extend({ explanation: z.string() })),
});

/** Returns the deletions that `undo` made or would make; null for the result of another command. */
function undoIn(result: unknown): DeskRun['undo'] {
  const { data } = undoResult.safeParse(result);
  if (data === undefined) return null;
  const { dryRun: isDry, requests, left } = data;
  const { group, conversation, member, person } = isDry ? data.todo : data.done;
  return {
    isDry,
    requests,
    members: member.calls,
    people: person.calls,
    conversations: group.calls + conversation.calls,
    messages: group.messages + conversation.messages,
    left: left.map(({ calls, explanation }) => ({ count: calls, explanation })),
  };
}
