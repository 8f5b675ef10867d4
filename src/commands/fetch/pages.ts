import { JsonExtent } from '../../io/json/json-value-reader.ts';
import type { Secret } from '../../lib/secret.ts';
import { DeliveryClient } from '../../service/delivery-client.ts';
import type { ListedMessage } from '../../service/list-answer.ts';
import type { Walk } from '../../service/pages.ts';
import type { ListMessagesQuery } from '../../service/messages.ts';
import type { Transport } from '../../service/transport.ts';
import type { AskOptions } from '../../delivery/ask.ts';
import { createReader, readConversation, type ReadPage } from '../../delivery/read-back.ts';
import type { Cursor } from './file.ts';

/** A message as it was understood, and as the service wrote it. */
export interface FetchedRow {
  readonly message: ListedMessage;
  readonly text: string;
}

export interface PageOptions extends Pick<AskOptions, 'pace' | 'clock' | 'random' | 'counts' | 'onWait'> {
  readonly transport: Transport;
  readonly apiKey: Secret;
  readonly signal: AbortSignal;
  /** Called before another page is requested: a later fetch continues there. */
  readonly onNext: (next: Cursor) => void;
}

/** Yields the listing of a service, a page at a time, to the end. @throws DestinationError */
export async function* fetchPages(walk: Walk, options: PageOptions): AsyncGenerator<readonly FetchedRow[]> {
  const { apiKey, clock, signal, onNext } = options;
  const answers = keepLastAnswer(options.transport);
  const client = new DeliveryClient({ transport: answers.transport, apiKey, clock });
  const read = createReader({ ...options, list: (query) => listPage(client, query, signal) });
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

const quote = 0x22;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/** Behind the kinds of bracket that are compared: the text is JSON already. */
const depthMax = 64;

/**
 * The rows of an answer of the list operation, each as the service wrote it, on one line: no number loses digits and no field
 * gets lost on the way through objects.
 *
 * @param body An object with an array `data`; certainly JSON.
 */
export function rowTexts(body: string): string[] {
  const text = new AnswerText(Buffer.from(body));
  let rows: string[] = [];
  for (const key of text.keys()) {
    if (key === 'data') rows = text.elements();
    else text.value();
  }
  return rows;
}

/** Walks through one JSON object. Every method leaves off behind what it has read. */
class AnswerText {
  readonly #bytes: Buffer;
  readonly #extent = new JsonExtent(depthMax);
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Yields the keys; after each key, the caller reads its value. */
  *keys(): Generator<string> {
    this.#skipTo((byte) => byte === quote || byte === closeBrace);
    while (this.#bytes[this.#at] === quote) {
      yield JSON.parse(this.value()) as string;
      this.#skipTo((byte) => byte === quote || byte === closeBrace);
    }
  }

  /** The text of the next value; colons and commas before it are passed over. */
  value(): string {
    this.#skipTo(isBeginning);
    const start = this.#at;
    this.#extent.begin(this.#bytes[start]!);
    this.#at = this.#extent.find(this.#bytes, start);
    // A line feed in JSON can only be between values: in strings it is escaped.
    return this.#bytes.toString('utf8', start, this.#at).replaceAll(/[\r\n]+/g, ' ');
  }

  /** The texts of the next value's elements, if it is an array. */
  elements(): string[] {
    this.#skipTo(isBeginning);
    if (this.#bytes[this.#at] !== openBracket) {
      this.value();
      return [];
    }
    this.#at += 1;
    const elements: string[] = [];
    this.#skipTo((byte) => byte === closeBracket || isBeginning(byte));
    while (this.#bytes[this.#at] !== closeBracket) {
      elements.push(this.value());
      this.#skipTo((byte) => byte === closeBracket || isBeginning(byte));
    }
    this.#at += 1;
    return elements;
  }

  #skipTo(isWanted: (byte: number) => boolean): void {
    while (this.#at < this.#bytes.length && !isWanted(this.#bytes[this.#at]!)) this.#at += 1;
  }
}

/** Returns whether a byte can begin a value: neither white space nor `,` `:` `}` `]`. */
const isBeginning = (byte: number): boolean =>
  byte > 0x20 && byte !== 0x2c && byte !== 0x3a && byte !== closeBrace && byte !== closeBracket;
