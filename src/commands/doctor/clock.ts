import { formatDuration } from '../../report/render/format.ts';
import type { FirstLook } from '../../service/client/first-look.ts';
import { type Finding, good, warn } from './finding.ts';

/** The header `Date` is cut to seconds, and half a round trip is a guess. */
const toleratedMs = 5_000;

/** Our clock against the server's. Chatferry itself compares a server's dates with the server's own clock. */
export function judgeClock({
  serverMs,
  askedAtMs,
  tookMs,
}: Pick<FirstLook, 'serverMs' | 'askedAtMs' | 'tookMs'>): Finding {
  if (serverMs === undefined) {
    return warn(
      'clock',
      'The service does not tell its time (no header Date)',
      'See that this machine keeps time by NTP',
    );
  }
  // Cut to seconds: half a second later on average.
  const aheadMs = askedAtMs - (serverMs + 500);
  if (Math.abs(aheadMs) <= toleratedMs + tookMs / 2)
    return good('clock', 'Agrees with the clock of the service to some seconds');
  const says = `This machine is ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the service`;
  return warn('clock', says, 'Let NTP set it: what was just written may be refused as of the future, or seem too old');
}
