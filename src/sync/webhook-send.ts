import type { Clock } from '../lib/clock.ts';
import type { Secret } from '../lib/secret.ts';
import { version } from '../lib/version.ts';
import type { Transport } from '../service/transport.ts';
import { backoff } from '../upload/pace/backoff.ts';
import type { Waiting } from './webhook-outbox.ts';
import { signatureHeader, signatureOf } from './webhook-signature.ts';

export interface SendDeps {
  readonly transport: Transport;
  /** Path and query of the webhook. */
  readonly path: string;
  readonly secrets: readonly Secret[];
  readonly clock: Clock;
  readonly random: () => number;
}

/** What became of one notice this time: taken, or not, with a reason that repeats nothing of the receiver's. */
export type Sent =
  | { readonly isTaken: true }
  | { readonly isTaken: false; readonly reason: string; readonly isAway: boolean };

/** Four, waiting up to 1, 2 and 4 s in between: a restart of the receiver, not a night without it. */
const attemptsMax = 4;

/**
 * Posts a notice until it is taken (2xx), four times at most, signed anew each time. A receiver that does not answer, is
 * overloaded or broken (408, 429, 5xx) is asked again; one that says no is not, and redirects count as no.
 */
export async function sendNotice(notice: Waiting, deps: SendDeps, signal: AbortSignal): Promise<Sent> {
  for (let attempt = 1; ; attempt++) {
    const sent = await attemptOnce(notice, deps, signal);
    if (sent.isTaken || !sent.isAway || attempt === attemptsMax || signal.aborted) return sent;
    const waitMs = backoff(attempt + 1, deps.random(), { initialMs: 1_000 });
    const isCut = await deps.clock.sleep(waitMs, signal).then(
      () => false,
      () => true,
    );
    if (isCut) return sent;
  }
}

async function attemptOnce(notice: Waiting, deps: SendDeps, signal: AbortSignal): Promise<Sent> {
  const { transport, path, secrets, clock } = deps;
  const headers = {
    'content-type': 'application/json',
    'user-agent': `chatferry/${version}`,
    'x-chatferry-event': notice.id,
    [signatureHeader]: signatureOf(notice.body, secrets, clock.now()),
  };
  try {
    const { status } = await transport.send({ method: 'POST', path, headers, body: notice.body }, signal);
    if (status >= 200 && status < 300) return { isTaken: true };
    return { isTaken: false, reason: `status ${status}`, isAway: status === 408 || status === 429 || status >= 500 };
  } catch (fault) {
    return { isTaken: false, reason: reasonOf(fault), isAway: true };
  }
}

/** Code only: messages of the network may repeat the address. */
const reasonOf = (fault: unknown): string => {
  const { code } = fault as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'no answer';
};
