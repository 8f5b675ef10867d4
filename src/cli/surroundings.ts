import { pino } from 'pino';
import type { Options } from '../config/options.ts';
import { systemClock } from '../lib/clock.ts';
import { forTerminal } from '../lib/plain-text.ts';
import { type Progress, silent } from '../run/progress.ts';
import { createProgress } from './progress.ts';
import { wantsColor } from './style.ts';

/** What every command works in: clock, randomness, progress, and how it is asked to stop. */
export interface Surroundings {
  readonly clock: typeof systemClock;
  readonly random: () => number;
  readonly progress: Progress;
  /** Aborted at the first Ctrl-C: nothing new is begun. */
  readonly stopping: AbortSignal;
  /** Aborted a few seconds later: what is in flight is cut. */
  readonly signal: AbortSignal;
  /** The signal that ended the run, if one did. */
  readonly stoppedBy: () => 'SIGINT' | 'SIGTERM' | undefined;
  close(): void;
}

/** How long requests in flight may take to finish once the run is asked to stop. */
const finishMs = 3000;

export function openSurroundings(options: Pick<Options, 'quiet' | 'progress' | 'logJson'>): Surroundings {
  const stopping = new AbortController();
  const cutting = new AbortController();
  let stoppedBy: 'SIGINT' | 'SIGTERM' | undefined;
  let timer: NodeJS.Timeout | undefined;
  const progress = progressFor(options);
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    // The second one does not wait.
    if (stoppedBy) process.exit(signal === 'SIGINT' ? 130 : 143);
    stoppedBy = signal;
    progress.log('Stopping: requests in flight may finish; the same command continues later');
    stopping.abort(new Error(`stopped by ${signal}`));
    timer = setTimeout(() => cutting.abort(new Error(`stopped by ${signal}`)), finishMs);
  };
  const onInterrupt = () => stop('SIGINT');
  const onTerminate = () => stop('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    clock: systemClock,
    random: Math.random,
    progress,
    stopping: stopping.signal,
    signal: cutting.signal,
    stoppedBy: () => stoppedBy,
    close() {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      progress.close();
    },
  };
}

interface TerminalProgress extends Progress {
  log(line: string): void;
  close(): void;
}

/** `--progress` says it exactly; the older switches stand behind it. */
function progressFor({ quiet, progress, logJson }: Pick<Options, 'quiet' | 'progress' | 'logJson'>): TerminalProgress {
  if (progress === undefined && logJson) return logProgress();
  if (progress === 'none' || (progress === undefined && quiet)) return { ...silent, log() {}, close() {} };
  const { stderr } = process;
  return createProgress({
    stream: stderr,
    style: progress ?? (stderr.isTTY === true ? 'live' : 'plain'),
    columns: () => stderr.columns ?? 80,
    clock: systemClock,
    color: wantsColor(stderr),
  });
}

/** JSON lines for machines: counts and reasons only, never content. */
function logProgress(): TerminalProgress {
  const destination = pino.destination({ dest: 2, sync: true });
  // A full disk or a reader that went away is no reason to stop. What could not be written is kept, a line a second at most,
  // and follows as soon as something can be written again.
  destination.on('error', () => {});
  const logger = pino({ base: null }, destination);
  return {
    stage(stage, options) {
      logger.info({ stage, ...options }, 'started');
      let last = -Infinity;
      return {
        update(state) {
          const now = systemClock.monotonic();
          if (now - last < 1000 && state.waiting === undefined) return;
          last = now;
          logger.info({ stage, ...state }, state.waiting === undefined ? 'progress' : 'waiting');
        },
        finish: (summary) => logger.info({ stage, summary }, 'finished'),
      };
    },
    log: (line) => logger.info(forTerminal(line)),
    close() {},
  };
}
