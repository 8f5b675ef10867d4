import type { Options } from '../../config/options.ts';
import { systemClock } from '../../lib/clock.ts';
import { type Progress, silent } from '../../lib/progress.ts';
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

export async function openSurroundings(
  options: Pick<Options, 'quiet' | 'progress' | 'logJson'>,
): Promise<Surroundings> {
  const stopping = new AbortController();
  const cutting = new AbortController();
  let stoppedBy: 'SIGINT' | 'SIGTERM' | undefined;
  let timer: NodeJS.Timeout | undefined;
  const progress = await progressFor(options);
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

/** Progress of a command, and lines beside it. */
export interface TerminalProgress extends Progress {
  log(line: string): void;
  close(): void;
}

/** `--progress` says it exactly; the older switches stand behind it. */
async function progressFor({
  quiet,
  progress,
  logJson,
}: Pick<Options, 'quiet' | 'progress' | 'logJson'>): Promise<TerminalProgress> {
  // Loaded where it is wanted.
  if (progress === undefined && logJson) return (await import('./log-progress.ts')).logProgress();
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
