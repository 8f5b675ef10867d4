import type { Clock } from '../lib/clock.ts';
import { DestinationError } from '../lib/errors.ts';
import type { ListMessagesQuery } from '../service/contract/messages.ts';
import type { ListedMessage, MessagePage } from '../service/list-answer.ts';
import type { RateHints, ReadOutcome } from '../service/outcome.ts';
import { type Walk, walkConversation } from '../service/pages.ts';
import { backoff } from './backoff.ts';
import type { RequestCounts } from './counts.ts';
import type { Pace } from './pace.ts';

export interface ReaderOptions {
  readonly list: (
    query: ListMessagesQuery,
    signal: AbortSignal,
  ) => Promise<ReadOutcome<MessagePage> & { readonly hints: RateHints }>;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly random: () => number;
  readonly counts: RequestCounts;
  /** Attempts per page. A read changes nothing, so it may be repeated at will. */
  readonly attemptsMax: number;
}

/** Reads one page; repeats what fails in passing. @throws DestinationError when it does not come. */
export type ReadPage = (query: ListMessagesQuery, signal: AbortSignal) => Promise<MessagePage>;

export function createReader({ list, pace, clock, random, counts, attemptsMax }: ReaderOptions): ReadPage {
  return async (query, signal) => {
    for (let attempt = 1; ; attempt++) {
      await pace.take('read', signal);
      counts.list++;
      const outcome = await list(query, signal);
      pace.learn('read', outcome.hints);
      signal.throwIfAborted();
      if (outcome.kind === 'answered') return outcome.value;
      // A conversation that nobody has written in does not exist yet.
      if (outcome.why === 'not-found') return { messages: [] };
      if (outcome.why === 'rate-limited') {
        counts.rateLimited++;
        pace.hold('read', outcome.retryAfterMs ?? 0);
      }
      if (outcome.why === 'stop' || attempt >= attemptsMax) throw readFailed(outcome);
      await clock.sleep(outcome.retryAfterMs ?? backoff(attempt + 1, random()), signal);
    }
  };
}

/** The messages of a conversation, a page at a time, to its end. @throws DestinationError */
export async function* readConversation(
  readPage: ReadPage,
  walk: Walk,
  signal: AbortSignal,
): AsyncGenerator<readonly ListedMessage[]> {
  const list = async (query: ListMessagesQuery) => ({
    kind: 'answered' as const,
    value: await readPage(query, signal),
  });
  for await (const page of walkConversation(list, walk, signal)) {
    if (page.kind === 'failed') throw readFailed(page);
    yield page.value;
  }
}

const readFailed = (outcome: Extract<ReadOutcome<unknown>, { kind: 'failed' }>) =>
  new DestinationError(`Cannot read messages of the destination: ${outcome.code}: ${outcome.detail}`, {
    code: outcome.code,
    requestId: outcome.requestId,
    hint:
      outcome.hint ??
      (outcome.why === 'stop'
        ? 'Check the address and the API key, then run the same command again'
        : 'Run the same command again when the service answers'),
  });
