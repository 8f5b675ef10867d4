import type { z } from 'zod';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { normaliseBaseUrl, type Profile, publicBaseUrl } from '../../src/service/profiles.ts';
import { callOperation, prepareRequest, listSecrets, withApiKey } from '../../src/service/call-operation.ts';
import { type OperationName, type Operations, operationNamed, operations } from '../../src/service/operations.ts';
import { createHttpTransport } from '../../src/service/http-transport.ts';
import type { Transport } from '../../src/service/transport.ts';

/** Address of the service: an address before `/v3`, an app of the hosted service, or a transport that carries requests there. */
export type ServiceAddress =
  | { readonly baseUrl: string }
  | { readonly appId: string; readonly region: string }
  /** Stays the caller's to close. */
  | { readonly transport: Transport };

export type ChatServiceClientOptions = ServiceAddress & {
  /** A key of the app with full access. */
  readonly apiKey: string | Secret;
  /** How the service spells what the specification leaves open; `public` for an app of the hosted service, else `spec`. */
  readonly profile?: Profile['name'];
  /** Requests in flight at most, over HTTP; 8 by default. */
  readonly connections?: number;
  /** From the call to the last byte of the answer, over HTTP, in ms; 90 s by default. */
  readonly requestTimeoutMs?: number;
  readonly clock?: Clock;
};

export interface CallOptions {
  readonly signal?: AbortSignal;
}

// In brackets, so that the condition is asked of a union of operations once: the product of all would be too much.
type Fields<Called, Part extends string> = [Called] extends [{ readonly [P in Part]: infer Schema extends z.ZodType }]
  ? Readonly<z.input<Schema>>
  : unknown;

type Body<Called> = [Called] extends [{ readonly body: infer Schema extends z.ZodType }]
  ? { readonly body: z.input<Schema> }
  : unknown;

/** Input of an operation: parameters of path, headers and query by name, and its body as `body`. */
export type CallInput<Name extends OperationName> = Fields<Operations[Name], 'params'> &
  Fields<Operations[Name], 'headers'> &
  Fields<Operations[Name], 'query'> &
  Body<Operations[Name]>;

/** Answer of an operation. Fields that the contract does not name are kept. */
export type Answer<Name extends OperationName> = z.output<Operations[Name]['answer']>;

type Method<Name extends OperationName> =
  unknown extends CallInput<Name>
    ? (options?: CallOptions) => Promise<Answer<Name>>
    : object extends CallInput<Name>
      ? (input?: CallInput<Name>, options?: CallOptions) => Promise<Answer<Name>>
      : (input: CallInput<Name>, options?: CallOptions) => Promise<Answer<Name>>;

/** The description of each operation in the contract is the documentation of its method. */
type Methods = { [Name in keyof Operations]: Method<Name> };

/** Gives the client below the types of its methods, which are made from the contract. */
const WithMethods = class {} as new () => Methods;

const parts = ['params', 'headers', 'query', 'body'] as const;

/**
 * The whole service, an operation a method.
 *
 * ```ts const client = new ChatServiceClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: process.env.CHATFERRY_API_KEY!
 * }); const { data } = await client.listMessages({ conversationId: 'group_team', limit: 100 }); await client.close();
 * ```
 *
 * One request per call: nothing is paced or repeated. Input that does not fit the contract is a `UsageError` and is not
 * sent; everything else that is not a success rejects with a `ChatServiceError`.
 */
export class ChatServiceClient extends WithMethods {
  readonly #transport: Transport;
  readonly #apiKey: Secret;
  readonly #clock: Clock;
  readonly #profile: Profile['name'];
  readonly #close: () => Promise<void>;

  /** @throws UsageError if the address or the key cannot be used. */
  constructor(options: ChatServiceClientOptions) {
    super();
    const { apiKey, clock = systemClock } = options;
    this.#apiKey = typeof apiKey === 'string' ? new Secret(apiKey) : apiKey;
    this.#clock = clock;
    this.#profile = options.profile ?? ('appId' in options ? 'hosted' : 'spec');
    const transport = 'transport' in options ? options.transport : httpTransport(options);
    this.#transport = withApiKey(transport, this.#apiKey);
    this.#close = 'transport' in options ? async () => {} : () => transport.close();
  }

  static {
    for (const { name } of operations) {
      const takesInput = parts.some((part) => part in operationNamed(name));
      Object.defineProperty(ChatServiceClient.prototype, name, {
        value(this: ChatServiceClient, ...given: [object?, CallOptions?]): Promise<unknown> {
          const [input = {}, options] = takesInput ? given : [{}, ...given];
          return this.#call(name, input, options);
        },
        writable: true,
        configurable: true,
      });
    }
  }

  /** Waits for the requests in flight and closes their connections. */
  close(): Promise<void> {
    return this.#close();
  }

  async #call(name: OperationName, input: object, { signal = neverAborted }: CallOptions = {}): Promise<unknown> {
    const operation = operationNamed(name);
    const { body, ...parameters } = input as { readonly body?: unknown };
    const { answer } = await callOperation(operation, prepareRequest(operation, { parameters, body }, this.#profile), {
      transport: this.#transport,
      secrets: [this.#apiKey, ...listSecrets(operation, parameters)],
      clock: this.#clock,
      signal,
    });
    return answer;
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
