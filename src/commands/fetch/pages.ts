import type { Clock } from '../../lib/clock.ts';
import type { Secret } from '../../lib/secret.ts';
import type { ListMessagesQuery } from '../../service/contract/messages.ts';
import { DeliveryClient } from '../../service/client/delivery-client.ts';
import type { ListedMessage } from '../../service/client/list-answer.ts';
import type { Walk } from '../../service/client/pages.ts';
import type { Transport } from '../../service/transport.ts';
import type { RequestCounts } from '../../upload/pace/counts.ts';
import type { Pace } from '../../upload/pace/pace.ts';
import { createReader, type ReadPage, readConversation } from '../../upload/read-back/reader.ts';
import type { Cursor } from './log.ts';
import { rowTexts } from './rows.ts';

/** A message as it was understood, and as the service wrote it. */
export interface FetchedRow {
  readonly message: ListedMessage;
  readonly text: string;
}

export interface PageOptions {
  readonly transport: Transport;
  readonly apiKey: Secret;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly random: () => number;
  readonly counts: RequestCounts;
  readonly signal: AbortSignal;
  /** Told before another page is asked for: whoever goes on later goes on there. */
  readonly onNext: (next: Cursor) => void;
}

/** Six, as for every other request: some 15 s of waiting, or what the service asks for. */
const attemptsMax = 6;

/** What a service lists, a page at a time, to the end. @throws DestinationError */
export async function* fetchPages(walk: Walk, options: PageOptions): AsyncGenerator<readonly FetchedRow[]> {
  const { apiKey, clock, signal, onNext } = options;
  const answers = keepLastAnswer(options.transport);
  const client = new DeliveryClient({ transport: answers.transport, apiKey, clock });
  const read = createReader({ ...options, list: (query) => listPage(client, query, signal), attemptsMax });
  let texts = new Map<string, string>();
  const readPage: ReadPage = async (query) => {
    const { id, sentAt } = query;
    const isFirst = id === walk.fromId;
    if (id !== undefined && !isFirst) onNext({ id, ...(sentAt !== undefined && { sentAt: Number(sentAt) }) });
    const page = await read(query, signal);
    const rows = rowTexts(answers.last());
    texts = new Map(page.messages.map((message, index) => [message.id, rows[index]!]));
    return page;
  };
  for await (const messages of readConversation(readPage, walk, signal)) {
    yield messages.map((message) => ({ message, text: texts.get(message.id)! }));
  }
}

/** A conversation that is not known is empty; but a service that does not know its own list is not the service. */
async function listPage(client: DeliveryClient, query: ListMessagesQuery, signal: AbortSignal) {
  const outcome = await client.listMessages(query, signal);
  const isNoService = outcome.kind === 'failed' && outcome.why === 'not-found' && query.conversationId === undefined;
  return isNoService ? { ...outcome, why: 'stop' as const } : outcome;
}

/** The same transport, and the body of the answer that came last. One request at a time. */
function keepLastAnswer(transport: Transport): { readonly transport: Transport; readonly last: () => string } {
  let body = '';
  return {
    last: () => body,
    transport: {
      async send(request, signal) {
        const answer = await transport.send(request, signal);
        body = answer.body;
        return answer;
      },
      close: () => transport.close(),
    },
  };
}
