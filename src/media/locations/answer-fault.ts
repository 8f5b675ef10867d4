import { parseRetryAfter } from '../../lib/flow/retry-after.ts';
import type { MediaAnswer } from './exchange.ts';
import { MediaFault } from '../media-location.ts';

/** What an answer that is no success means. */
export interface Verdict {
  readonly kind: MediaFault['kind'];
  readonly words?: string;
  readonly hint?: string | undefined;
}

/** The longest wait that is passed on, in ms: a day. */
const retryAfterMaxMs = 86_400_000;

/** Those are asked again: the server is busy, or fails for the moment. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);
/** The file itself is what it does not take. */
const aboutTheFile: ReadonlySet<number> = new Set([400, 411, 413, 414, 415, 416, 422, 431]);

/** By its status alone. 501 and 505 are for ever, and so is a full disk for as long as nobody mends it. */
export function verdictOf(status: number, location: string | undefined): Verdict {
  if (status >= 300 && status < 400) return elsewhere(location);
  if (status === 507) return { kind: 'stop', words: 'it is full', hint: 'Make room there; the same command goes on' };
  if (status === 501 || status === 505) return { kind: 'stop' };
  if (status >= 500 || passing.has(status)) return { kind: 'again' };
  return { kind: aboutTheFile.has(status) ? 'never' : 'stop' };
}

/** The origin alone: the rest of an address may hold anything. */
function elsewhere(location: string | undefined): Verdict {
  const isAddress = location !== undefined && /^https?:/i.test(location) && URL.canParse(location);
  const where = isAddress ? ` to ${new URL(location).origin}` : '';
  return {
    kind: 'stop',
    words: `it sends us on${where}`,
    hint: 'Redirects are not followed. Name where it leads, if you trust it',
  };
}

interface FaultOptions {
  /** As in "Cannot put a copy". */
  readonly action: string;
  /** As in "the bucket answered …". */
  readonly who: string;
  readonly status: string;
  readonly verdict: Verdict;
}

/** @param status What it answered, without anything secret: `503 SlowDown`. */
export function answerFault(answer: MediaAnswer, { action, who, status, verdict }: FaultOptions): MediaFault {
  const { kind, words, hint } = verdict;
  const asked = parseRetryAfter(answer.header('retry-after'), answer.header('date'), Date.now(), retryAfterMaxMs);
  return new MediaFault(`Cannot ${action}: ${who} answered ${status}${words === undefined ? '' : `: ${words}`}`, {
    kind,
    hint,
    ...(kind === 'again' && { retryAfterMs: asked }),
  });
}
