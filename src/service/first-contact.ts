import type { Clock } from '../lib/flow/clock.ts';
import type { Secret } from '../lib/secret.ts';
import { classifyRead, classifyReadFault } from './classify.ts';
import { listMessages, type ListMessagesQuery } from './messages.ts';
import { readErrorBody } from './answers/error-body.ts';
import { type MessagePage, readMessagePage } from './list-answer.ts';
import type { RateHints, ReadOutcome } from './outcome.ts';
import { serverNow } from '../lib/flow/retry-after.ts';
import { rateHints } from './answers/rate-hints.ts';
import { redactOutcome, withApiKey } from './credentials.ts';
import { pathOf } from './prepare-request.ts';
import type { Transport, TransportAnswer } from './transport.ts';

/** Result of one listing about the server at an address, in addition to its messages. */
export interface FirstContact {
  readonly outcome: ReadOutcome<MessagePage>;
  /** A listing came, or the service's own error body: neither a gateway's page nor another program. */
  readonly byService: boolean;
  /** It was turned down for want of a key that is accepted (401, 403), by the service or by a gateway before it. */
  readonly wantsKey: boolean;
  readonly hints: RateHints;
  /** Names of the rate headers that the answer has, in lower case. */
  readonly rateHeaders: readonly string[];
  /** The server's clock, in epoch ms, by its header `Date`: whole seconds, cut. Absent where it does not say. */
  readonly serverMs?: number;
  /** Our clock half-way between question and answer, in epoch ms. */
  readonly askedAtMs: number;
  readonly tookMs: number;
}

export interface Looking {
  /** Stays the caller's to close. */
  readonly transport: Transport;
  /** Absent: nothing secret leaves. A service then says that the key is missing, in its own words. */
  readonly apiKey: Secret | undefined;
  readonly clock: Clock;
}

/** Lists messages once, whatever comes of it. Changes nothing at the service. @throws UsageError if the key cannot be a header's value. */
export async function firstContact(
  query: ListMessagesQuery,
  { transport, apiKey, clock }: Looking,
  signal: AbortSignal,
): Promise<FirstContact> {
  const carrier = apiKey ? withApiKey(transport, apiKey) : transport;
  const headers = { accept: 'application/json', 'user-agent': 'chatferry' };
  const startedMs = clock.monotonic();
  const startedAtMs = clock.now();
  const answer = await carrier
    .send({ method: listMessages.method, path: pathOf(listMessages, {}, query), headers }, signal)
    .catch((fault: unknown) => {
      signal.throwIfAborted();
      return classifyReadFault<MessagePage>(fault);
    });
  const tookMs = clock.monotonic() - startedMs;
  const times = { tookMs, askedAtMs: startedAtMs + tookMs / 2 };
  const hidden = (outcome: ReadOutcome<MessagePage>) => (apiKey ? redactOutcome(outcome, apiKey) : outcome);
  if ('kind' in answer)
    return { outcome: hidden(answer), byService: false, wantsKey: false, hints: {}, rateHeaders: [], ...times };
  const outcome = classifyRead(answer, readMessagePage, clock.now());
  return { ...factsOf(answer, outcome, clock), outcome: hidden(outcome), ...times };
}

function factsOf({ status, headers, body }: TransportAnswer, outcome: ReadOutcome<MessagePage>, clock: Clock) {
  const serverMs = serverNow(headers.date, Number.NaN);
  return {
    byService: outcome.kind === 'answered' || readErrorBody(body) !== undefined,
    wantsKey: status === 401 || status === 403,
    hints: rateHints(headers, clock.now()),
    rateHeaders: Object.keys(headers).filter((name) => /^x-rate-?limit(?:-|$)/.test(name)),
    ...(!Number.isNaN(serverMs) && { serverMs }),
  };
}
