import type { Clock } from './clock.ts';

/** A request that takes longer than this is reported, in ms: no one should watch a silent screen for longer. */
export const slowAfterMs = 10_000;

export interface SlowRequestOptions {
  readonly clock: Pick<Clock, 'alarm'>;
  /** Called once, when the request has taken `slowAfterMs`. */
  readonly onSlow: () => void;
  /** Called when a request that was reported has ended, whatever came of it. */
  readonly onEnd?: (() => void) | undefined;
}

/** Makes a request and reports it if it is slow. Resolves and rejects as the request does; a clock without alarms reports nothing. */
export async function reportingSlow<T>(
  request: () => Promise<T>,
  { clock, onSlow, onEnd }: SlowRequestOptions,
): Promise<T> {
  let isSlow = false;
  const cancel = clock.alarm?.(slowAfterMs, () => {
    isSlow = true;
    onSlow();
  });
  try {
    return await request();
  } finally {
    cancel?.();
    if (isSlow) onEnd?.();
  }
}
