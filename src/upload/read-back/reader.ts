import { DestinationError } from '../../lib/errors.ts';
import type { ListMessagesQuery } from '../../service/contract/messages.ts';
import type { ListedMessage, MessagePage } from '../../service/client/list-answer.ts';
import type { RateHints, ReadOutcome } from '../../service/client/outcome.ts';
import { type Walk, walkConversation } from '../../service/client/pages.ts';
import { type AskOptions, createAsk } from './ask.ts';

export interface ReaderOptions extends AskOptions {
  readonly list: (
    query: ListMessagesQuery,
    signal: AbortSignal,
  ) => Promise<ReadOutcome<MessagePage> & { readonly hints: RateHints }>;
}

/** Reads one page; repeats what fails in passing. @throws DestinationError when it does not come. */
export type ReadPage = (query: ListMessagesQuery, signal: AbortSignal) => Promise<MessagePage>;

export function createReader({ list, ...options }: ReaderOptions): ReadPage {
  const ask = createAsk(options);
  return async (query, signal) => {
    const outcome = await ask((abort) => list(query, abort), signal);
    if (outcome.kind === 'answered') return outcome.value;
    // A conversation that nobody has written in does not exist yet.
    if (outcome.why === 'not-found') return { messages: [] };
    throw readFailed(outcome);
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
