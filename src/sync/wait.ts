import type { Clock } from '../lib/clock.ts';

/** Timers do not run while a machine sleeps: who wakes in between sees by the wall clock that it is late. */
const pieceMs = 30_000;

/** Resolves when the wall clock shows this instant, or a later one; rejects with the signal's reason. */
export async function waitUntil(atMs: number, clock: Pick<Clock, 'now' | 'sleep'>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  while (clock.now() < atMs) await waitPiece(atMs, clock, signal);
}

/** Waits for an instant, but only so long that the wall clock is to be looked at again; rejects with the signal's reason. */
export const waitPiece = (atMs: number, clock: Pick<Clock, 'now' | 'sleep'>, signal: AbortSignal): Promise<void> =>
  clock.sleep(Math.min(atMs - clock.now(), pieceMs), signal);

/** Tells that the process lives, every 30 s, until it is asked to stop. */
export async function beatUntil(stopping: AbortSignal, clock: Clock, beat: (atMs: number) => void): Promise<void> {
  while (!stopping.aborted) {
    beat(clock.now());
    await clock.sleep(pieceMs, stopping).catch(() => {});
  }
}
