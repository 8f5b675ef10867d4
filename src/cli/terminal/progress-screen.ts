import type { Clock } from '../../lib/clock.ts';
import type { StageState } from './progress-stage.ts';
import type { QuietWriter } from './quiet-writer.ts';

/** Where stages are shown. */
export interface Screen {
  add(stage: StageState): void;
  change(stage: StageState): void;
  /** Takes the stage away and leaves `line` in its place. */
  remove(stage: StageState, line: string): void;
  /** A lasting line. */
  write(line: string): void;
}

export interface ScreenOptions {
  readonly columns: number | (() => number);
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly intervalMs?: number;
}

/** For pipes and log files: a line when a stage begins, at most one every `intervalMs`, and one at its end. */
export function plainScreen(writer: QuietWriter, { clock, intervalMs = 10_000 }: ScreenOptions): Screen {
  const writtenMs = new Map<StageState, number>();
  const write = (line: string) => writer.write(`${line}\n`);
  return {
    add(stage) {
      writtenMs.set(stage, clock.monotonic());
      write(stage.openingLine());
    },
    change(stage) {
      const nowMs = clock.monotonic();
      if (nowMs - (writtenMs.get(stage) ?? nowMs) < intervalMs) return;
      writtenMs.set(stage, nowMs);
      write(stage.line());
    },
    remove(stage, line) {
      writtenMs.delete(stage);
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

/** Clears the last `lineCount` lines, the cursor being at the end of the last, and leaves it where the first began. */
function erase(lineCount: number): string {
  return lineCount === 0 ? '' : `\r\u001b[K${'\u001b[1A\u001b[K'.repeat(lineCount - 1)}`;
}
