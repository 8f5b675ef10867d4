import type { Clock } from '../../lib/clock.ts';
import type { ListMessagesQuery } from '../../service/contract/messages.ts';
import { type FirstLook, firstLook, type Looking } from '../../service/client/first-look.ts';

export interface Asked extends FirstLook {
  /** Questions that it took, the last one included. */
  readonly attempts: number;
}

const attemptsMax = 3;
const pauseMs = 1_000;
/** A service that asks for a longer wait is reported instead. */
const waitMaxMs = 10_000;

/** Asks again what fails in passing, a few times: a single 502 says little about a service. */
export async function ask(
  query: ListMessagesQuery,
  looking: Looking & { readonly clock: Clock },
  signal: AbortSignal,
): Promise<Asked> {
  for (let attempts = 1; ; attempts++) {
    const look = await firstLook(query, looking, signal);
    const { outcome } = look;
    const isPassing = outcome.kind === 'failed' && (outcome.why === 'retry' || outcome.why === 'rate-limited');
    if (!isPassing || attempts >= attemptsMax) return { ...look, attempts };
    const waitMs = outcome.retryAfterMs ?? pauseMs * attempts;
    if (waitMs > waitMaxMs) return { ...look, attempts };
    await looking.clock.sleep(waitMs, signal);
  }
}
