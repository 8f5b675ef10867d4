import type { ProgressLine } from '../../model/progress-line.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import type { UnforeseenFault } from '../../lib/flow/progress.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { StageState } from './progress-stage.ts';

export type Level = 'info' | 'warn';

export interface Screen {
  add(stage: StageState): void;
  change(stage: StageState): void;
  /** Takes the stage away and leaves `line` in its place. */
  remove(stage: StageState, line: string, summary?: string): void;
  /** A lasting line. */
  write(line: string, level?: Level): void;
  /** An unexpected error that a row threw; people are not shown one. */
  fault?(fault: UnforeseenFault): void;
}

export interface ScreenOptions {
  readonly columns: number | (() => number);
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly intervalMs?: number;
}

/**
 * Growth after which a plain line waits only a second: this many more, and twice as many as the last line showed. About
 * twenty such lines, whatever the total.
 */
const step = 1_000;
const stepMs = 1_000;

/** For pipes and log files: a line when a stage begins, one every `intervalMs`, after a step or before a longer wait, and one at its end. */
export function plainScreen(writer: QuietWriter, { clock, intervalMs = 10_000 }: ScreenOptions): Screen {
  const written = new Map<StageState, { readonly atMs: number; readonly done: number; readonly isWaiting?: boolean }>();
  const write = (line: string) => writer.write(`${line}\n`);
  return {
    add(stage) {
      written.set(stage, { atMs: clock.monotonic(), done: 0 });
      write(stage.openingLine());
    },
    change(stage) {
      const nowMs = clock.monotonic();
      const { done, waiting } = stage.now();
      // Nothing else is said until it is over.
      const isWaiting = waiting !== undefined && (waiting.ms ?? 0) > intervalMs;
      const last = written.get(stage) ?? { atMs: nowMs, done };
      const waitMs = done - last.done >= Math.max(step, last.done) ? Math.min(stepMs, intervalMs) : intervalMs;
      if (nowMs - last.atMs < waitMs && (!isWaiting || last.isWaiting)) return;
      written.set(stage, { atMs: nowMs, done, isWaiting });
      write(stage.line());
    },
    remove(stage, line) {
      written.delete(stage);
      write(line);
    },
    write,
  };
}

/**
 * For terminals: the lines of all stages at the bottom, redrawn in place at most every `intervalMs`. A timer redraws
 * them between updates too, so that waits and times left run on; it keeps no process alive.
 */
export function liveScreen(writer: QuietWriter, { columns, clock, intervalMs = 100 }: ScreenOptions): Screen {
  const stages = new Set<StageState>();
  let drawn: readonly string[] = [];
  let drawnMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const draw = (lasting = '') => {
    // One column less: a full line makes some terminals wrap.
    const width = (typeof columns === 'function' ? columns() : columns) - 1;
    const lines = [...stages].map((stage) => stage.line(width));
    drawnMs = clock.monotonic();
    if (lasting === '' && lines.join('\n') === drawn.join('\n')) return;
    writer.write(erase(drawn.length) + lasting + lines.join('\n'));
    drawn = lines;
  };
  const drawIfDue = () => {
    if (clock.monotonic() - drawnMs >= intervalMs && writer.isReady()) draw();
  };
  return {
    add(stage) {
      stages.add(stage);
      timer ??= setInterval(drawIfDue, intervalMs).unref();
      drawIfDue();
    },
    change: drawIfDue,
    remove(stage, line) {
      stages.delete(stage);
      if (stages.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      draw(`${line}\n`);
    },
    write: (line) => draw(`${line}\n`),
  };
}

/** Clears the last `lineCount` lines; the cursor is at the end of the last, and ends where the first began. */
const erase = (lineCount: number): string =>
  lineCount === 0 ? '' : `\r\u001b[K${'\u001b[1A\u001b[K'.repeat(lineCount - 1)}`;

/** For programs: an object when a stage begins, at most one every `intervalMs`, one when it begins or ends to wait, and one at its end. */
export function jsonScreen(writer: QuietWriter, { clock, intervalMs = 1_000 }: ScreenOptions): Screen {
  const written = new Map<StageState, { atMs: number; wasWaiting: boolean }>();
  const write = (line: UntimedLine, level: Level = 'info') =>
    writer.write(
      `${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, ...line } satisfies ProgressLine)}\n`,
    );
  const show = (stage: StageState) => {
    written.set(stage, { atMs: clock.monotonic(), wasWaiting: isWaiting(stage) });
    write(buildLine(stage, { finished: false, summary: null }));
  };
  return {
    add: show,
    change(stage) {
      const last = written.get(stage);
      const isDue = !last || clock.monotonic() - last.atMs >= intervalMs;
      if (isDue || last.wasWaiting !== isWaiting(stage)) show(stage);
    },
    remove(stage, _, summary) {
      written.delete(stage);
      write(buildLine(stage, { finished: true, summary: summary === undefined ? null : oneLine(summary) }));
    },
    write: (message, level) => write({ message: oneLine(message) }, level),
    fault: ({ of, ...fault }) => write({ ...of, message: 'A row was not understood', ...fault }, 'warn'),
  };
}

type Untimed<Line> = Line extends ProgressLine ? Omit<Line, 'time' | 'level'> : never;
type UntimedLine = Untimed<ProgressLine>;

const isWaiting = (stage: StageState): boolean => stage.now().waiting !== undefined;

function buildLine(
  stage: StageState,
  end: { readonly finished: boolean; readonly summary: string | null },
): UntimedLine {
  const { name, of, done, failed, total = null, rate, etaMs, waiting, note } = stage.now();
  return {
    ...of,
    stage: oneLine(name),
    done,
    failed,
    total,
    ratePerSecond: rate === null ? null : Math.round(rate * 100) / 100,
    etaMs: etaMs === null ? null : Math.round(etaMs),
    waiting: waiting
      ? { reason: oneLine(waiting.reason), ms: waiting.ms === undefined ? null : Math.round(waiting.ms) }
      : null,
    note: note === undefined ? null : oneLine(note),
    ...end,
  };
}

/** As much of a writable stream as progress needs. */
export interface ProgressStream {
  write(text: string): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  readonly writable?: boolean;
  readonly writableNeedDrain?: boolean;
}

export interface QuietWriter {
  write(text: string): void;
  /** False while the reader is behind: what will be redrawn anyway need not be written. */
  isReady(): boolean;
}

/**
 * Writes until the stream breaks, and says nothing about it: when the reader of a pipe has gone (EPIPE) or a terminal
 * was closed, the run goes on. The listener stays, since the error of a last write comes after we are done.
 */
export function quietWriter(stream: ProgressStream): QuietWriter {
  let isBroken = false;
  stream.on('error', () => {
    isBroken = true;
  });
  const canWrite = () => !isBroken && stream.writable !== false;
  return {
    write(text) {
      if (!canWrite() || text === '') return;
      try {
        stream.write(text);
      } catch {
        isBroken = true;
      }
    },
    isReady: () => canWrite() && stream.writableNeedDrain !== true,
  };
}
