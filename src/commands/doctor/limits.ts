import { formatBytes, formatCount, formatDuration } from '../../report/render/format.ts';
import type { FirstLook } from '../../service/client/first-look.ts';
import type { Profile } from '../../service/profiles.ts';
import { type Finding, good, warn } from './finding.ts';

/** What an import will keep to, and what the service says of its own limits in the headers of a listing. */
export function judgeLimits({ outcome, hints, rateHeaders }: FirstLook, profile: Profile): Finding {
  const { name, batchItemsMax, batchBytesMax, importsPerMinute, readsPerMinute } = profile;
  const rate =
    importsPerMinute === undefined ? 'no fixed rate, every 429 obeyed' : `${formatCount(importsPerMinute)} a minute`;
  const plan = `Imports of ${batchItemsMax} messages and ${formatBytes(batchBytesMax)} at most, ${rate} (profile ${name})`;
  const { limitPerMinute, remaining } = hints;
  if (outcome.kind === 'failed' && outcome.why === 'rate-limited') {
    const wait = outcome.retryAfterMs === undefined ? '' : `, and asks for ${formatDuration(outcome.retryAfterMs)}`;
    return warn(
      'limits',
      `The service turns down listings at this moment (429${wait}). ${plan}`,
      'Is another program using up the rate? An import waits as long as it is asked to',
    );
  }
  if (limitPerMinute === undefined) {
    return good(
      'limits',
      `${plan}. ${rateHeaders.length === 0 ? 'Answers have no rate headers' : `The rate headers (${rateHeaders.join(', ')}) are not understood`}`,
    );
  }
  const left = remaining === undefined ? '' : `, ${formatCount(remaining)} left`;
  const says = `${plan}. Listings: ${formatCount(limitPerMinute)} a minute${left} (${rateHeaders.join(', ')})`;
  if (readsPerMinute !== undefined && limitPerMinute < readsPerMinute) {
    return warn(
      'limits',
      `${says}, fewer than the profile says (${formatCount(readsPerMinute)})`,
      'Nothing to set: an import waits where it is asked to, and verifying takes longer',
    );
  }
  return good('limits', says);
}
