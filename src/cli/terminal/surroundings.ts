import type { Options } from '../../config/options.ts';
import type { Clock } from '../../lib/clock.ts';
import { silent } from '../../lib/progress.ts';
import type { Host, StopSignal } from '../host.ts';
import { wantsColor } from './print.ts';
import { createProgress, type Progress } from './progress.ts';

/** What every command works in: the host with its clock and randomness, progress, and how it is asked to stop. */
export interface Surroundings {
  readonly host: Host;
  readonly clock: Clock;
  readonly random: () => number;
  readonly progress: Progress;
  /** Aborted at the first Ctrl-C: nothing new is begun. */
  readonly stopping: AbortSignal;
  /** Aborted a few seconds later: what is in flight is cut. */
  readonly signal: AbortSignal;
  /** The signal that ended the run, if one did. */
  readonly stoppedBy: () => StopSignal | undefined;
  close(): void;
}

/** How long requests in flight may take to finish once the run is asked to stop. */
const finishMs = 3000;

export async function openSurroundings(
  host: Host,
  options: Pick<Options, 'quiet' | 'progress' | 'logJson'>,
): Promise<Surroundings> {
  const stopping = new AbortController();
  const cutting = new AbortController();
  let stoppedBy: StopSignal | undefined;
  let timer: NodeJS.Timeout | undefined;
  const progress = await progressFor(host, options);
  const stop = (signal: StopSignal) => {
    // The second one does not wait.
    if (stoppedBy) return host.exit(signal === 'SIGINT' ? 130 : 143);
    stoppedBy = signal;
    progress.log('Stopping: requests in flight may finish; the same command continues later');
    stopping.abort(new Error(`stopped by ${signal}`));
    timer = setTimeout(() => cutting.abort(new Error(`stopped by ${signal}`)), finishMs);
  };
  const onInterrupt = () => stop('SIGINT');
  const onTerminate = () => stop('SIGTERM');
  host.on('SIGINT', onInterrupt);
  host.on('SIGTERM', onTerminate);
  return {
    host,
    clock: host.clock,
    random: host.random,
    progress,
    stopping: stopping.signal,
    signal: cutting.signal,
    stoppedBy: () => stoppedBy,
    close() {
      clearTimeout(timer);
      host.off('SIGINT', onInterrupt);
      host.off('SIGTERM', onTerminate);
      progress.close();
    },
  };
}

/** `--progress` says it exactly; the older switches stand behind it. */
async function progressFor(
  { stderr, clock, env }: Host,
  { quiet, progress, logJson }: Pick<Options, 'quiet' | 'progress' | 'logJson'>,
): Promise<Progress> {
  // Loaded where it is wanted.
  if (progress === undefined && logJson) return (await import('./log-progress.ts')).logProgress(stderr, clock);
  if (progress === 'none' || (progress === undefined && quiet)) return { ...silent, log() {}, close() {} };
  return createProgress({
    stream: stderr,
    style: progress ?? (stderr.isTTY === true ? 'live' : 'plain'),
    columns: () => stderr.columns ?? 80,
    clock,
    color: wantsColor(stderr, env),
  });
}
