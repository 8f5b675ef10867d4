import { timingSafeEqual } from 'node:crypto';
import { UsageError } from '../lib/errors.ts';
import type { Clock } from '../lib/flow/clock.ts';
import type { MessageLimits, Profile } from '../service/profiles.ts';
import type { TransportAnswer, TransportRequest } from '../service/transport.ts';
import { type Complaint, failure, refuse } from './answers.ts';
import { type ApiKeys, digestOf } from './data/credentials.ts';
import { type Call, createService, type Handler, type Service } from './operations/service.ts';
import { handlers } from './operations/handlers.ts';
import { createRateLimits, type RateLimits } from './http/rate-limit.ts';
import { readCall, type Received } from './http/read-call.ts';
import { findOperation, type Meant } from './http/routes.ts';
import { type Behaviour, buildRules } from './rules/rules.ts';
import { addSeed, type Seed, applySeedPlan, type SeedPlan, type SeedPlanInput } from './seed-plan.ts';
import type { SandboxStore } from './store.ts';

export interface SandboxOptions {
  /** Closed by `close`. */
  readonly store: SandboxStore;
  readonly apiKey: string;
  /** Whose limits and pace it rehearses. */
  readonly profile: Profile['name'];
  /** Limits that it enforces, if they are not those of the profile. */
  readonly limits?: (MessageLimits & { readonly itemsMax?: number }) | undefined;
  /** Whether it has the imports of users, groups and members, if the profile does not say so. */
  readonly hasDirectory?: boolean;
  /** Whether it keeps requests to the profile's rates. Default: yes. */
  readonly keepsPace?: boolean;
  /** Result for a muid that already exists: `refused` by default, or `stored` a second time. */
  readonly duplicates?: Behaviour['duplicates'] | undefined;
  /** Result for a blank or overdue message: an answer of its own by default, or `abort` for the whole request. */
  readonly badRows?: Behaviour['badRows'];
  /** Initial data; none by default. A data file that was given a seed once does not get it again. */
  readonly seed?: Seed | SeedPlanInput | undefined;
  readonly clock: Clock;
}

/** A chat service in this process. */
export interface Sandbox {
  /** Made with the data file, stays with it. */
  readonly id: string;
  /**
   * Answers a request, whatever it holds. When it returns, the effect of the request is stored.
   *
   * @throws StoreError if the disk cannot store it; nothing of the request is stored then.
   */
  handle(request: TransportRequest): TransportAnswer;
  /** All that is handled in it is stored at its end, or nothing: each commit waits for the disk. @throws StoreError like `handle` */
  together<T>(requests: () => T): T;
  /** Makes what no operation can make. @returns why nothing was made. */
  make(plan: SeedPlan): Complaint | undefined;
  /** From the next request on. */
  behave(changes: Partial<Behaviour>): void;
  close(): void;
}

/** A longer body is turned down with 413. 16 MiB: 50 messages of 65,536 characters, five times. */
export const bodyBytesMax = 16 * 1024 * 1024;

export function createSandbox(options: SandboxOptions): Sandbox {
  const { store, clock, duplicates = 'refused', badRows = 'answered', keepsPace = true } = options;
  const rules = buildRules(
    options.profile,
    { duplicates, badRows, outsiders: usualOutsiders(options) },
    options.limits,
  );
  const { hasDirectory = rules.hasDirectory } = options;
  const service = createService(store, rules, clock);
  if (options.seed) addSeed(service, options.seed);
  const limit = rules.ratesPerMinute && keepsPace ? createRateLimits(rules.ratesPerMinute, clock) : unlimited;
  const authenticate = createAuthentication(options.apiKey, service.apiKeys);

  const handle = (request: TransportRequest): TransportAnswer => {
    const key = authenticate(header(request, 'apikey'));
    if ('refusal' in key) return key.refusal;
    const [path, search] = splitOnce(request.path, '?');
    const meant = findOperation(request.method, path);
    if (!meant || (meant.operation.isSpecified === false && !hasDirectory))
      return refuse('ERR_API_NOT_FOUND', `No operation is called by ${request.method} ${path}`);
    const text = bodyText(request.body);
    if (text.length > bodyBytesMax) return bodyTooLarge();
    const onBehalfOf = header(request, 'onbehalfof');
    const { operation, params } = meant;
    const received = { keyDigest: key.digest, params, search, onBehalfOf, text };
    // A bot sends for itself.
    return limit(operation.rateClass, params.uid ?? onBehalfOf, () => answer(service, meant, received));
  };

  return {
    id: store.id,
    handle,
    together: service.transaction,
    make: (plan) => service.transaction(() => applySeedPlan(service, plan)),
    behave: (changes) => Object.assign(rules, changes),
    close: () => store.close(),
  };
}

/** With an import of members, who is one is what that says. Otherwise writers join: nothing else says it. */
export const usualOutsiders = ({
  profile,
  hasDirectory = profile === 'hosted',
}: SandboxOptions): Behaviour['outsiders'] => (hasDirectory ? 'stored' : 'join');

/** The digest of the key of a request, or the answer to a request whose key does not open this service. */
type Authentication = (
  given: string | undefined,
) => { readonly digest: string } | { readonly refusal: TransportAnswer };

/**
 * Creates the check of API keys. Every operation needs full access: the key with which the sandbox was started has it,
 * and so may other stored keys. Digests are compared, so that the time of an answer does not show how much of a key is
 * right.
 *
 * @throws UsageError if no request could carry the key.
 */
function createAuthentication(apiKey: string, keys: ApiKeys): Authentication {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new UsageError(
      'Cannot serve with this API key: it is blank, or has a character that is not allowed in a header',
      { hint: 'Set CHATFERRY_API_KEY to visible ASCII characters, or leave it unset: a key is made then' },
    );
  }
  const own = digestOf(apiKey);
  return (given) => {
    if (given === undefined || given === '') {
      return { refusal: refuse('AUTH_ERR_EMPTY_APIKEY', 'The request has no apikey header') };
    }
    const digest = digestOf(given);
    if (timingSafeEqual(Buffer.from(digest), Buffer.from(own))) return { digest };
    const scope = keys.find(digest)?.scope;
    if (scope === undefined) return { refusal: refuse('AUTH_ERR_APIKEY_NOT_FOUND', 'The API key does not exist') };
    if (scope === 'fullAccess') return { digest };
    return { refusal: refuse('AUTH_ERR_NO_ACCESS', 'The API key has the scope authOnly: fullAccess is needed') };
  };
}

/** A request that may change something is one transaction, whatever it changes. */
function answer(service: Service, { operation }: Meant, received: Received): TransportAnswer {
  const perform = (): TransportAnswer => {
    const read = readCall(service, operation, received);
    if ('refusal' in read) return read.refusal;
    const handler = handlers[operation.name] as Handler<typeof operation.name>;
    return handler(service, read.call as Call<typeof operation.name>);
  };
  return operation.method === 'GET' ? perform() : service.transaction(perform);
}

const unlimited: RateLimits = (_rateClass, _sender, answer) => answer();

export const bodyTooLarge = (): TransportAnswer =>
  failure(413, { code: 'ERR_BAD_REQUEST', message: `The body is longer than ${bodyBytesMax} bytes` });

/** @param name in lower case. */
export function header({ headers }: TransportRequest, name: string): string | undefined {
  return headers[name] ?? Object.entries(headers).find(([spelling]) => spelling.toLowerCase() === name)?.[1];
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

export function bodyText(body: TransportRequest['body'] = ''): string {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}
