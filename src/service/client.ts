import { type Clock, systemClock } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import type { Secret } from '../lib/secret.ts';
import { classifyImport, classifyImportFault, classifyRead, classifyReadFault } from './classify.ts';
import { type Group, getGroup } from './contract/groups.ts';
import { importMessages, type ListMessagesQuery, listMessages } from './contract/messages.ts';
import { type MessagePage, readMessagePage } from './list-answer.ts';
import type { ImportOutcome, RateHints, ReadOutcome } from './outcome.ts';
import { rateHints } from './rate-hints.ts';
import { redactOutcome } from './redact-outcome.ts';
import { pathOf } from './request.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';

/** An outcome, and what the answer said about the pace; nothing where there was no answer. */
export type Observed<Outcome> = Outcome & { readonly hints: RateHints };

/**
 * One request per call, nothing repeated: pace and retries are the caller's. Whatever happens is an outcome; only a mistake of
 * this program throws. The transport stays the caller's to close.
 */
export class ChatServiceClient {
  readonly #transport: Transport;
  readonly #apiKey: Secret;
  readonly #clock: Clock;

  /** @throws UsageError if the key cannot be a header's value. */
  constructor(options: { readonly transport: Transport; readonly apiKey: Secret; readonly clock?: Clock }) {
    checkKey(options.apiKey);
    this.#transport = options.transport;
    this.#apiKey = options.apiKey;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * @param body the whole request, `{"messages":{"<muid>":{…}}}`: it was made once and is sent as it is.
   * @param muids of the messages in it.
   */
  async importBatch(
    body: Uint8Array | string,
    muids: readonly string[],
    signal: AbortSignal,
  ): Promise<Observed<ImportOutcome>> {
    const { method, path } = importMessages;
    return this.#exchange<ImportOutcome>(
      { method, path, headers: {}, body },
      signal,
      (answer, nowMs) => classifyImport(muids, answer, nowMs),
      classifyImportFault,
    );
  }

  async listMessages(query: ListMessagesQuery, signal: AbortSignal): Promise<Observed<ReadOutcome<MessagePage>>> {
    return this.#read(pathOf(listMessages, {}, query), readMessagePage, signal);
  }

  async getGroup(guid: string, signal: AbortSignal): Promise<Observed<ReadOutcome<Group>>> {
    return this.#read(pathOf(getGroup, { guid }), (json) => getGroup.answer.safeParse(json).data?.data, signal);
  }

  #read<T>(
    path: string,
    parse: (json: unknown) => T | undefined,
    signal: AbortSignal,
  ): Promise<Observed<ReadOutcome<T>>> {
    return this.#exchange<ReadOutcome<T>>(
      { method: 'GET', path, headers: {} },
      signal,
      (answer, nowMs) => classifyRead(answer, parse, nowMs),
      classifyReadFault,
    );
  }

  async #exchange<Outcome extends ImportOutcome | ReadOutcome<unknown>>(
    request: TransportRequest,
    signal: AbortSignal,
    judge: (answer: TransportAnswer, nowMs: number) => Outcome,
    judgeFault: (fault: unknown) => Outcome,
  ): Promise<Observed<Outcome>> {
    let answer: TransportAnswer;
    try {
      answer = await this.#transport.send(this.#signed(request), signal);
    } catch (fault) {
      return { ...redactOutcome(judgeFault(fault), this.#apiKey), hints: {} };
    }
    const nowMs = this.#clock.now();
    return { ...redactOutcome(judge(answer, nowMs), this.#apiKey), hints: rateHints(answer.headers, nowMs) };
  }

  #signed(request: TransportRequest): TransportRequest {
    const headers = {
      accept: 'application/json',
      'user-agent': 'chatferry',
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
      apikey: this.#apiKey.reveal(),
    };
    return { ...request, headers };
  }
}

/** Visible ASCII: a line break would begin another header, and undici would quote the value in its error. */
function checkKey(apiKey: Secret): void {
  if (/^[\x21-\x7e]+$/.test(apiKey.reveal())) return;
  throw new UsageError(
    'Cannot use the API key: it is empty, or has a space, a line break or a character beyond ASCII',
    {
      hint: 'Set CHATFERRY_API_KEY to the key alone',
    },
  );
}
