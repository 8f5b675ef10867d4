import { type Clock, systemClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/secret.ts';
import { normaliseBaseUrl } from '../base-url.ts';
import { callOperation } from './call-operation.ts';
import type { Answer, CallInput } from './call-types.ts';
import { type OperationName, operationNamed } from '../contract/operations.ts';
import { createHttpTransport } from './http-transport.ts';
import { prepareRequest } from './prepare-request.ts';
import { publicBaseUrl } from '../profiles.ts';
import { secretsOf } from './secrets-of.ts';
import type { Transport } from '../transport.ts';
import { withApiKey } from './with-api-key.ts';

/** Where the service is: an address before `/v3`, an app of the public service, or something that carries requests there. */
export type ServiceAddress =
  | { readonly baseUrl: string }
  | { readonly appId: string; readonly region: string }
  /** Stays the caller's to close. */
  | { readonly transport: Transport };

export type ChatServiceClientOptions = ServiceAddress & {
  /** A key of the app with full access. */
  readonly apiKey: string | Secret;
  /** Requests in flight at most, over HTTP; 8 by default. */
  readonly connections?: number;
  /** From the call to the last byte of the answer, over HTTP, in ms; 90 s by default. */
  readonly requestTimeoutMs?: number;
  readonly clock?: Clock;
};

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * The whole service, an operation a method.
 *
 * ```ts
 * const client = new ChatServiceClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: process.env.CHATFERRY_API_KEY! });
 * const { data } = await client.listMessages({ conversationId: 'group_team', limit: 100 });
 * await client.close();
 * ```
 *
 * One request per call: nothing is paced or repeated. What does not fit the contract is a `UsageError` and is not sent;
 * everything else that is not a success rejects with a `ChatServiceError`.
 */
export class ChatServiceClient {
  readonly #transport: Transport;
  readonly #apiKey: Secret;
  readonly #clock: Clock;
  readonly #close: () => Promise<void>;

  /** @throws UsageError if the address or the key cannot be used. */
  constructor(options: ChatServiceClientOptions) {
    const { apiKey, clock = systemClock } = options;
    this.#apiKey = typeof apiKey === 'string' ? new Secret(apiKey) : apiKey;
    this.#clock = clock;
    const transport = 'transport' in options ? options.transport : httpTransport(options);
    this.#transport = withApiKey(transport, this.#apiKey);
    this.#close = 'transport' in options ? async () => {} : () => transport.close();
  }

  /** Updates the name and scope of an API key. */
  updateApiKey(input: CallInput<'updateApiKey'>, options?: CallOptions): Promise<Answer<'updateApiKey'>> {
    return this.#call('updateApiKey', input, options);
  }

  /** Updates the details of an auth token of a user. */
  updateAuthToken(input: CallInput<'updateAuthToken'>, options?: CallOptions): Promise<Answer<'updateAuthToken'>> {
    return this.#call('updateAuthToken', input, options);
  }

  /** Deactivates users. */
  deactivateUsers(input: CallInput<'deactivateUsers'>, options?: CallOptions): Promise<Answer<'deactivateUsers'>> {
    return this.#call('deactivateUsers', input, options);
  }

  /** Activates users that were deactivated. */
  activateUsers(input: CallInput<'activateUsers'>, options?: CallOptions): Promise<Answer<'activateUsers'>> {
    return this.#call('activateUsers', input, options);
  }

  /** Makes users friends of a user. */
  addFriends(input: CallInput<'addFriends'>, options?: CallOptions): Promise<Answer<'addFriends'>> {
    return this.#call('addFriends', input, options);
  }

  /** Ends friendships of a user. */
  removeFriends(input: CallInput<'removeFriends'>, options?: CallOptions): Promise<Answer<'removeFriends'>> {
    return this.#call('removeFriends', input, options);
  }

  /** Blocks users for a user. */
  blockUsers(input: CallInput<'blockUsers'>, options?: CallOptions): Promise<Answer<'blockUsers'>> {
    return this.#call('blockUsers', input, options);
  }

  /** Unblocks users for a user. */
  unblockUsers(input: CallInput<'unblockUsers'>, options?: CallOptions): Promise<Answer<'unblockUsers'>> {
    return this.#call('unblockUsers', input, options);
  }

  /** Lists the features that are restricted for a role. */
  listRestrictedFeatures(
    input: CallInput<'listRestrictedFeatures'>,
    options?: CallOptions,
  ): Promise<Answer<'listRestrictedFeatures'>> {
    return this.#call('listRestrictedFeatures', input, options);
  }

  /** Allows a role features that were restricted. */
  allowFeatures(input: CallInput<'allowFeatures'>, options?: CallOptions): Promise<Answer<'allowFeatures'>> {
    return this.#call('allowFeatures', input, options);
  }

  /** Deletes a role. */
  deleteRole(input: CallInput<'deleteRole'>, options?: CallOptions): Promise<Answer<'deleteRole'>> {
    return this.#call('deleteRole', input, options);
  }

  /** Returns a group. */
  getGroup(input: CallInput<'getGroup'>, options?: CallOptions): Promise<Answer<'getGroup'>> {
    return this.#call('getGroup', input, options);
  }

  /** Deletes a group. */
  deleteGroup(input: CallInput<'deleteGroup'>, options?: CallOptions): Promise<Answer<'deleteGroup'>> {
    return this.#call('deleteGroup', input, options);
  }

  /** Removes a member from a group. */
  kickMember(input: CallInput<'kickMember'>, options?: CallOptions): Promise<Answer<'kickMember'>> {
    return this.#call('kickMember', input, options);
  }

  /** Sends a message. */
  sendMessage(input: CallInput<'sendMessage'>, options?: CallOptions): Promise<Answer<'sendMessage'>> {
    return this.#call('sendMessage', input, options);
  }

  /** Sends a message from a bot. */
  sendBotMessage(input: CallInput<'sendBotMessage'>, options?: CallOptions): Promise<Answer<'sendBotMessage'>> {
    return this.#call('sendBotMessage', input, options);
  }

  /** Imports messages with their original times. */
  importMessages(input: CallInput<'importMessages'>, options?: CallOptions): Promise<Answer<'importMessages'>> {
    return this.#call('importMessages', input, options);
  }

  /** Lists messages, a page at a time. */
  listMessages(input: CallInput<'listMessages'> = {}, options?: CallOptions): Promise<Answer<'listMessages'>> {
    return this.#call('listMessages', input, options);
  }

  /** Lists the messages of a user, a page at a time. */
  listUserMessages(input: CallInput<'listUserMessages'>, options?: CallOptions): Promise<Answer<'listUserMessages'>> {
    return this.#call('listUserMessages', input, options);
  }

  /** Adds a reaction of a user to a message. */
  addReaction(input: CallInput<'addReaction'>, options?: CallOptions): Promise<Answer<'addReaction'>> {
    return this.#call('addReaction', input, options);
  }

  /** Deletes a conversation for all users. */
  deleteConversation(
    input: CallInput<'deleteConversation'>,
    options?: CallOptions,
  ): Promise<Answer<'deleteConversation'>> {
    return this.#call('deleteConversation', input, options);
  }

  /** Returns how many messages were sent, delivered and read, in intervals of five minutes. */
  getMessageStats(options?: CallOptions): Promise<Answer<'getMessageStats'>> {
    return this.#call('getMessageStats', {}, options);
  }

  /** Returns where a user is notified by e-mail and text message. */
  getContactDetails(
    input: CallInput<'getContactDetails'>,
    options?: CallOptions,
  ): Promise<Answer<'getContactDetails'>> {
    return this.#call('getContactDetails', input, options);
  }

  /** Deletes where a user is notified by e-mail and text message. */
  deleteContactDetails(
    input: CallInput<'deleteContactDetails'>,
    options?: CallOptions,
  ): Promise<Answer<'deleteContactDetails'>> {
    return this.#call('deleteContactDetails', input, options);
  }

  /** Deletes the custom SMS notification provider of the app. */
  deleteSmsProvider(options?: CallOptions): Promise<Answer<'deleteSmsProvider'>> {
    return this.#call('deleteSmsProvider', {}, options);
  }

  /** Waits for the requests in flight and closes their connections. */
  close(): Promise<void> {
    return this.#close();
  }

  /** What the methods return is of the type that the contract declares for the name. */
  async #call<Answered>(
    name: OperationName,
    input: object,
    { signal = neverAborted }: CallOptions = {},
  ): Promise<Answered> {
    const operation = operationNamed(name);
    const { body, ...parameters } = input as { readonly body?: unknown };
    const { answer } = await callOperation(operation, prepareRequest(operation, { parameters, body }), {
      transport: this.#transport,
      secrets: [this.#apiKey, ...secretsOf(operation, parameters)],
      clock: this.#clock,
      signal,
    });
    return answer as Answered;
  }
}

const neverAborted = new AbortController().signal;

function httpTransport(options: Extract<ChatServiceClientOptions, { baseUrl: string } | { appId: string }>): Transport {
  const { connections = 8, requestTimeoutMs } = options;
  const address = 'baseUrl' in options ? options.baseUrl : publicBaseUrl(options.appId, options.region);
  return createHttpTransport(new URL(normaliseBaseUrl(address)), {
    connections,
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
}
