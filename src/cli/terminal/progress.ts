import type { Clock } from '../../lib/flow/clock.ts';
import type { Progress as RunProgress, StageOptions, StageProgress } from '../../lib/flow/progress.ts';
import {
  jsonScreen,
  type Level,
  liveScreen,
  plainScreen,
  type ProgressStream,
  quietWriter,
  type Screen,
} from './progress-screen.ts';
import { createStage } from './progress-stage.ts';

export interface ProgressOptions {
  /** Standard error, usually. A stream that is closed or breaks is ignored: progress never stops a run. */
  readonly stream: ProgressStream;
  /** `live` redraws lines in place, `plain` adds lines, `json` adds an object a line. */
  readonly style: 'live' | 'plain' | 'json';
  /** Width of the terminal; a function where it may be resized. */
  readonly columns: number | (() => number);
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Least time between two drawings of a stage, in ms. Default 100 for live lines, 10,000 for plain ones, 1,000 for JSON. */
  readonly intervalMs?: number;
  readonly color: boolean;
}

export interface Progress extends Pick<RunProgress, 'unforeseen'> {
  stage(name: string, options?: StageOptions): StageProgress;
  /** A lasting line above the live ones, as it is: what comes from outside goes through `forTerminal` first. */
  log(line: string, level?: Level): void;
  /** Call it in `finally`: keeps the last state of unfinished stages on the screen and stops the redrawing. */
  close(): void;
}

const screens = { live: liveScreen, plain: plainScreen, json: jsonScreen } as const;

/**
 * One live line per running stage; or lines at the start of a stage, every `intervalMs` while it is updated, and at its
 * end, to be read by people or by programs. The cursor is never hidden, so nothing is left to restore when we are killed.
 */
export function createProgress(options: ProgressOptions): Progress {
  const screen: Screen = screens[options.style](quietWriter(options.stream), options);
  const running = new Map<StageProgress, () => void>();
  return {
    stage(name, given = {}) {
      const state = createStage(name, given, options);
      const end = (line: string, summary?: string) => {
        if (running.delete(stage)) screen.remove(state, line, summary);
      };
      const stage: StageProgress = {
        update(update) {
          state.set(update);
          if (running.has(stage)) screen.change(state);
        },
        finish: (summary) => end(state.closingLine(summary), summary),
      };
      running.set(stage, () => end(state.line()));
      screen.add(state);
      return stage;
    },
    log: (line, level) => screen.write(line, level),
    ...(screen.fault && { unforeseen: screen.fault }),
    close: () => {
      for (const interrupt of [...running.values()]) interrupt();
    },
  };
}
