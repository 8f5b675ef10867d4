import type { Clock } from '../lib/flow/clock.ts';
import { reportingSlow, slowAfterMs } from '../lib/flow/slow-request.ts';
import { usualRequestTimeoutMs } from './profiles.ts';
import type { Transport } from './transport.ts';

export interface SlowReport {
  readonly clock: Pick<Clock, 'alarm'>;
  /** Deadline of a request, in ms: that of the transport. 90 s by default. */
  readonly requestTimeoutMs?: number;
  /** Called when a request has taken 10 s, with the time after which it is given up, in ms. */
  readonly onSlow: (leftMs: number) => void;
}

/** The same transport; a request that is slow is reported. For commands without progress. */
export const withSlowReport = (
  inner: Transport,
  { clock, requestTimeoutMs = usualRequestTimeoutMs, onSlow }: SlowReport,
): Transport => ({
  send: (request, signal) =>
    reportingSlow(() => inner.send(request, signal), { clock, onSlow: () => onSlow(requestTimeoutMs - slowAfterMs) }),
  close: () => inner.close(),
});
