import { type Clock, systemClock } from '../lib/clock.ts';
import type { Secret } from '../lib/secret.ts';
import { classifyImport, classifyImportFault, classifyRead, classifyReadFault } from './classify.ts';
import type { Group } from './contract/entities.ts';
import { getGroup } from './contract/groups.ts';
import { importMessages } from './contract/import.ts';
import { type ListMessagesQuery, listMessages } from './contract/messages.ts';
import { type MessagePage, readMessagePage } from './list-answer.ts';
import type { ImportOutcome, RateHints, ReadOutcome } from './outcome.ts';
import { rateHints } from './rate-hints.ts';
import { redactOutcome } from './redact-outcome.ts';
import { pathOf } from './request.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';
import { withApiKey } from './with-api-key.ts';

/** An outcome, and what the answer said about the pace; nothing where there was no answer. */
export type Observed<Outcome> = Outcome & { readonly hints: RateHints };

/**
 * What a migration says to the service. Unlike `ChatServiceClient` it sends batches that were made before as they are, and
 * whatever happens is an outcome; only a mistake of this program throws.
 *
 * One request per call, nothing repeated: pace and retries are the caller's. The transport stays the caller's to close.
 */
export class DeliveryClient {
  /** Adds the key. */
  readonly #transport: Transport;
  readonly #apiKey: Secret;
  readonly #clock: Clock;

  /** @throws UsageError if the key cannot be a header's value. */
  constructor(options: { readonly transport: Transport; readonly apiKey: Secret; readonly clock?: Clock }) {
    this.#transport = withApiKey(options.transport, options.apiKey);
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
      answer = await this.#transport.send(request, signal);
    } catch (fault) {
      return { ...redactOutcome(judgeFault(fault), this.#apiKey), hints: {} };
    }
    const nowMs = this.#clock.now();
    return { ...redactOutcome(judge(answer, nowMs), this.#apiKey), hints: rateHints(answer.headers, nowMs) };
  }
}
