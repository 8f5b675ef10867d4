import type { z } from 'zod';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import type { Secret } from '../lib/secret.ts';
import {
  classifyAction,
  classifyChange,
  classifyFault,
  classifyImport,
  classifyPeople,
  classifyRead,
  classifyReadFault,
} from './classify.ts';
import type { ArrivalKind } from '../model/arrival.ts';
import { importGroups, importMembers, importUsers } from './import-directory.ts';
import { addFriends, blockUsers } from './contract/relations.ts';
import { deleteConversation, deleteGroup, getGroup, kickMember } from './contract/conversations.ts';
import type { Group } from './contract/entities.ts';
import { importMessages } from './import-item.ts';
import { addReaction, listMessages, listUserMessages } from './contract/messages.ts';
import type { Operation } from './operation.ts';
import { activateUsers, deactivateUsers } from './contract/users.ts';
import {
  type ItemAnswer,
  readActive,
  readBlock,
  readDeactivated,
  readDeactivation,
  readFriend,
  readRemoval,
  readReaction,
} from './answers/item-answer.ts';
import {
  type ActionOutcome,
  type AnyOutcome,
  type ChangeOutcome,
  type ImportOutcome,
  type MessagePage,
  type PeopleOutcome,
  type RateHints,
  readMessagePage,
  type ReadOutcome,
} from './outcome.ts';
import { rateHints } from './answers/rate-hints.ts';
import { redactOutcome } from './answers/redact-outcome.ts';
import { withApiKey, buildPath, type QueryValue } from './call-operation.ts';
import type { Transport, TransportAnswer } from './transport.ts';
import { readErrorBody } from './answers/error-body.ts';
import { serverNow } from '../lib/flow/retry-after.ts';

const arrivalOperations = { people: importUsers, groups: importGroups, members: importMembers } as const;

export type ListMessagesQuery = z.input<typeof listMessages.query>;

/** An outcome, and what the answer said about the pace; nothing where there was no answer. */
export type Observed<Outcome> = Outcome & { readonly hints: RateHints };

interface Arguments {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/**
 * Client with the requests of a migration. It sends batches that were made before unchanged,
 * and every result is an outcome; only a mistake of this program throws.
 *
 * One request per call, nothing repeated: pace and retries are the caller's. The caller also closes the transport.
 */
export class DeliveryClient {
  /** Adds the key. */
  readonly #transport: Transport;
  readonly #options: { readonly transport: Transport; readonly apiKey: Secret; readonly clock?: Clock };
  readonly #apiKey: Secret;
  readonly #clock: Clock;

  /** @throws UsageError if the key cannot be a header's value. */
  constructor(options: { readonly transport: Transport; readonly apiKey: Secret; readonly clock?: Clock }) {
    this.#options = options;
    this.#transport = withApiKey(options.transport, options.apiKey);
    this.#apiKey = options.apiKey;
    this.#clock = options.clock ?? systemClock;
  }

  /** The same, for a request that must not leave late: `mayStart` is asked right before its first byte. */
  whileItMayStart(mayStart: () => boolean): DeliveryClient {
    const { transport } = this.#options;
    return new DeliveryClient({
      ...this.#options,
      transport: {
        send: (request, signal) => transport.send({ ...request, mayStart }, signal),
        close: () => transport.close(),
      },
    });
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
    return this.#exchange<ImportOutcome>(
      importMessages,
      { body },
      signal,
      (answer, nowMs) => classifyImport(muids, answer, nowMs),
      classifyFault,
    );
  }

  /**
   * @param body the whole request, `{"users":{"<uid>":{…}}}`.
   * @param keys of the items in it.
   */
  async importItems(
    kind: ArrivalKind,
    body: string,
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<Observed<ImportOutcome>> {
    const judge = (answer: TransportAnswer, nowMs: number) => classifyImport(keys, answer, nowMs);
    return this.#exchange<ImportOutcome>(arrivalOperations[kind], { body }, signal, judge, classifyFault);
  }

  /** @param onBehalfOf uid of the user whose view it is: the listing then shows which reactions are theirs. */
  async listMessages(
    query: ListMessagesQuery,
    signal: AbortSignal,
    onBehalfOf?: string,
  ): Promise<Observed<ReadOutcome<MessagePage>>> {
    const headers = onBehalfOf === undefined ? {} : { onBehalfOf };
    return this.#read(listMessages, { query, headers }, readMessagePage, signal);
  }

  async getGroup(guid: string, signal: AbortSignal): Promise<Observed<ReadOutcome<Group>>> {
    return this.#read(getGroup, { params: { guid } }, (json) => getGroup.answer.safeParse(json).data?.data, signal);
  }

  /** One page of what a user sent or received: shows whether there is such a user, and whether it has any. */
  async listUserMessages(uid: string, signal: AbortSignal): Promise<Observed<ReadOutcome<MessagePage>>> {
    return this.#read(listUserMessages, { params: { uid }, query: { perPage: 1 } }, readMessagePage, signal);
  }

  async deleteGroup(guid: string, signal: AbortSignal): Promise<Observed<ChangeOutcome>> {
    return this.#change(deleteGroup, { params: { guid } }, signal);
  }

  async kickMember(guid: string, uid: string, signal: AbortSignal): Promise<Observed<ChangeOutcome>> {
    return this.#change(kickMember, { params: { guid, uid } }, signal);
  }

  /** @param onBehalfOf uid of one of its two people. */
  async deleteConversation(
    conversationId: string,
    onBehalfOf: string,
    signal: AbortSignal,
  ): Promise<Observed<ChangeOutcome>> {
    return this.#change(deleteConversation, { params: { conversationId }, headers: { onBehalfOf } }, signal);
  }

  async deactivateUser(uid: string, signal: AbortSignal): Promise<Observed<ChangeOutcome>> {
    return this.#change(deactivateUsers, { body: JSON.stringify({ uidsToDeactivate: [uid] }) }, signal);
  }

  async activateUser(uid: string, signal: AbortSignal): Promise<Observed<ChangeOutcome>> {
    return this.#change(activateUsers, { body: JSON.stringify({ uidsToActivate: [uid] }) }, signal);
  }

  /** @param id that the service gave the message. @param uid who reacts. */
  async addReaction(id: string, reaction: string, uid: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    return this.#act(addReaction, { params: { id, reaction }, headers: { onBehalfOf: uid } }, readReaction, signal);
  }

  async addFriend(uid: string, other: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    const body = JSON.stringify({ accepted: [other] });
    return this.#act(addFriends, { params: { uid }, body }, readFriend(other), signal);
  }

  /** @param uid who blocks. */
  async blockUser(uid: string, other: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    const body = JSON.stringify({ blockedUids: [other] });
    return this.#act(blockUsers, { params: { uid }, body }, readBlock(other), signal);
  }

  /** Unlike `deactivateUser` it asks whether the service knows the person. */
  async deactivatePerson(uid: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    const body = JSON.stringify({ uidsToDeactivate: [uid] });
    return this.#act(deactivateUsers, { body }, readDeactivation(uid), signal);
  }

  async deactivatePeople(uids: readonly string[], signal: AbortSignal): Promise<Observed<PeopleOutcome>> {
    const body = JSON.stringify({ uidsToDeactivate: uids });
    const judge = (answer: TransportAnswer, nowMs: number) => classifyPeople(answer, readDeactivated, nowMs);
    return this.#exchange<PeopleOutcome>(deactivateUsers, { body }, signal, judge, classifyFault);
  }

  async activatePeople(uids: readonly string[], signal: AbortSignal): Promise<Observed<PeopleOutcome>> {
    const body = JSON.stringify({ uidsToActivate: uids });
    const judge = (answer: TransportAnswer, nowMs: number) => classifyPeople(answer, readActive, nowMs);
    return this.#exchange<PeopleOutcome>(activateUsers, { body }, signal, judge, classifyFault);
  }

  /** Unlike `kickMember` it says whether the person was a member. */
  async removeMember(guid: string, uid: string, signal: AbortSignal): Promise<Observed<ActionOutcome>> {
    return this.#act(kickMember, { params: { guid, uid } }, readRemoval, signal);
  }

  #act(
    operation: Operation,
    given: Arguments,
    read: (json: unknown) => ItemAnswer | undefined,
    signal: AbortSignal,
  ): Promise<Observed<ActionOutcome>> {
    const judge = (answer: TransportAnswer, nowMs: number) => classifyAction(answer, read, nowMs);
    return this.#exchange<ActionOutcome>(operation, given, signal, judge, classifyFault);
  }

  #change(operation: Operation, given: Arguments, signal: AbortSignal): Promise<Observed<ChangeOutcome>> {
    // `data.success`, if the operation has one, may be false with status 200.
    const isDone = (json: unknown) => {
      const { data } = operation.answer.safeParse(json) as { data?: { data?: { success?: boolean } } };
      return data !== undefined && data.data?.success !== false;
    };
    const judge = (answer: TransportAnswer, nowMs: number) => classifyChange(answer, isDone, nowMs);
    return this.#exchange<ChangeOutcome>(operation, given, signal, judge, classifyFault);
  }

  #read<T>(
    operation: Operation,
    given: Arguments,
    parse: (json: unknown) => T | undefined,
    signal: AbortSignal,
  ): Promise<Observed<ReadOutcome<T>>> {
    const judge = (answer: TransportAnswer, nowMs: number) => classifyRead(answer, parse, nowMs);
    return this.#exchange<ReadOutcome<T>>(operation, given, signal, judge, classifyReadFault);
  }

  async #exchange<Outcome extends AnyOutcome>(
    operation: Operation,
    { params = {}, query, headers = {}, body }: Arguments,
    signal: AbortSignal,
    judge: (answer: TransportAnswer, nowMs: number) => Outcome,
    judgeFault: (fault: unknown) => Outcome,
  ): Promise<Observed<Outcome>> {
    const path = buildPath(operation, params, query);
    const request = { method: operation.method, path, headers, ...(body !== undefined && { body }) };
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
    .send({ method: listMessages.method, path: buildPath(listMessages, {}, query), headers }, signal)
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
  return { ...answerFacts(answer, outcome, clock), outcome: hidden(outcome), ...times };
}

function answerFacts({ status, headers, body }: TransportAnswer, outcome: ReadOutcome<MessagePage>, clock: Clock) {
  const serverMs = serverNow(headers.date, Number.NaN);
  return {
    byService: outcome.kind === 'answered' || readErrorBody(body) !== undefined,
    wantsKey: status === 401 || status === 403,
    hints: rateHints(headers, clock.now()),
    rateHeaders: Object.keys(headers).filter((name) => /^x-rate-?limit(?:-|$)/.test(name)),
    ...(!Number.isNaN(serverMs) && { serverMs }),
  };
}
