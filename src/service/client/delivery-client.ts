import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Secret } from '../../lib/secret.ts';
import {
  classifyAction,
  classifyActionFault,
  classifyChange,
  classifyChangeFault,
  classifyImport,
  classifyImportFault,
  classifyRead,
  classifyReadFault,
} from '../classify.ts';
import { addFriends, blockUsers } from '../contract/relations.ts';
import { deleteConversation, deleteGroup, getGroup } from '../contract/conversations.ts';
import type { Group } from '../contract/entities.ts';
import { importMessages } from '../contract/import.ts';
import { addReaction, listMessages, type ListMessagesQuery, listUserMessages } from '../contract/messages.ts';
import type { Operation } from '../contract/operation.ts';
import { deactivateUsers } from '../contract/users.ts';
import { type ItemAnswer, readBlock, readDeactivation, readFriend, readReaction } from './answers/item-answer.ts';
import { type MessagePage, readMessagePage } from './answers/list-answer.ts';
import type { ActionOutcome, ChangeOutcome, ImportOutcome, RateHints, ReadOutcome } from './answers/outcome.ts';
import { rateHints } from './answers/rate-hints.ts';
import { redactOutcome, withApiKey } from './credentials.ts';
import { pathOf } from './prepare-request.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../transport.ts';

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

  /** @param onBehalfOf uid of somebody whose view it is: the listing then says which reactions are theirs. */
  async listMessages(
    query: ListMessagesQuery,
    signal: AbortSignal,
    onBehalfOf?: string,
  ): Promise<Observed<ReadOutcome<MessagePage>>> {
    const headers = onBehalfOf === undefined ? {} : { onBehalfOf };
    return this.#read(pathOf(listMessages, {}, query), readMessagePage, signal, headers);
  }

  async getGroup(guid: string, signal: AbortSignal): Promise<Observed<ReadOutcome<Group>>> {
    return this.#read(pathOf(getGroup, { guid }), (json) => getGroup.answer.safeParse(json).data?.data, signal);
  }

  /** One page of what a user sent or received: shows whether there is such a user, and whether it has any. */
  async listUserMessages(uid: string, signal: AbortSignal): Promise<Observed<ReadOutcome<MessagePage>>> {
    return this.#read(pathOf(listUserMessages, { uid }, { perPage: 1 }), readMessagePage, signal);
  }

  async deleteGroup(guid: string, signal: AbortSignal): Promise<Observed<ChangeOutcome>> {
    return this.#change(deleteGroup, { path: pathOf(deleteGroup, { guid }) }, signal);
  }

  /** @param onBehalfOf uid of one of its two people. */
  async deleteConversation(
    conversationId: string,
    onBehalfOf: string,
    signal: AbortSignal,
  ): Promise<Observed<ChangeOutcome>> {
    return this.#change(
      deleteConversation,
      { path: pathOf(deleteConversation, { conversationId }), headers: { onBehalfOf } },
      signal,
    );
  }

  async deactivateUser(uid: string, signal: AbortSignal): Promise<Observed<ChangeOutcome>> {
    const body = JSON.stringify({ uidsToDeactivate: [uid] });
    return this.#change(deactivateUsers, { path: pathOf(deactivateUsers, {}), body }, signal);
  }

  /** @param id that the service gave the message. @param uid who reacts. */
  async addReaction(id: string, reaction: string, uid: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    const path = pathOf(addReaction, { id, reaction });
    return this.#act(addReaction, { path, headers: { onBehalfOf: uid } }, readReaction, signal);
  }

  async addFriend(uid: string, other: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    const body = JSON.stringify({ accepted: [other] });
    return this.#act(addFriends, { path: pathOf(addFriends, { uid }), body }, readFriend(other), signal);
  }

  /** @param uid who blocks. */
  async blockUser(uid: string, other: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    const body = JSON.stringify({ blockedUids: [other] });
    return this.#act(blockUsers, { path: pathOf(blockUsers, { uid }), body }, readBlock(other), signal);
  }

  /** Unlike `deactivateUser` it asks whether the service knows the person. */
  async deactivatePerson(uid: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    const body = JSON.stringify({ uidsToDeactivate: [uid] });
    return this.#act(deactivateUsers, { path: pathOf(deactivateUsers, {}), body }, readDeactivation(uid), signal);
  }

  #act(
    { method }: Operation,
    request: Partial<TransportRequest> & Pick<TransportRequest, 'path'>,
    read: (json: unknown) => ItemAnswer | undefined,
    signal: AbortSignal,
  ): Promise<Observed<ActionOutcome>> {
    return this.#exchange<ActionOutcome>(
      { headers: {}, ...request, method },
      signal,
      (answer, nowMs) => classifyAction(answer, read, nowMs),
      classifyActionFault,
    );
  }

  #change(
    { method, answer: expected }: Operation,
    request: Partial<TransportRequest> & Pick<TransportRequest, 'path'>,
    signal: AbortSignal,
  ): Promise<Observed<ChangeOutcome>> {
    // `data.success`, where the operation has one, may say no with status 200.
    const isDone = (json: unknown) => {
      const { data } = expected.safeParse(json) as { data?: { data?: { success?: boolean } } };
      return data !== undefined && data.data?.success !== false;
    };
    return this.#exchange<ChangeOutcome>(
      { headers: {}, ...request, method },
      signal,
      (answer, nowMs) => classifyChange(answer, isDone, nowMs),
      classifyChangeFault,
    );
  }

  #read<T>(
    path: string,
    parse: (json: unknown) => T | undefined,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Observed<ReadOutcome<T>>> {
    return this.#exchange<ReadOutcome<T>>(
      { method: 'GET', path, headers },
      signal,
      (answer, nowMs) => classifyRead(answer, parse, nowMs),
      classifyReadFault,
    );
  }

  async #exchange<Outcome extends ImportOutcome | ReadOutcome<unknown> | ChangeOutcome | ActionOutcome>(
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
