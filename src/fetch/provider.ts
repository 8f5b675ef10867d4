import type { Clock } from '../lib/flow/clock.ts';
import { parseRetryAfter } from '../lib/flow/retry-after.ts';
import { sha256Hex } from '../lib/hash.ts';
import { redact, type Secret } from '../lib/secret.ts';
import { oneLine, truncate } from '../lib/text/plain-text.ts';
import { version } from '../lib/version.ts';
import { noRequests, type RequestCounts } from '../delivery/destination.ts';
import { waitMaxMs } from '../lib/flow/retry.ts';
import { type Pace, sharedPace, unpaced, createAsk } from '../delivery/pace.ts';
import { classifyReadFault } from '../service/classify.ts';
import { createHttpTransport } from '../service/http-transport.ts';
import type { RateHints, ReadOutcome } from '../service/outcome.ts';
import type { Transport, TransportAnswer } from '../service/transport.ts';
import { parseExactly, scalarText, valueAt } from './answers/exact-json.ts';
import type { Recipe } from './recipe/recipe.ts';
import { assertAllowed, type PlainRequest, RefusedAddress } from './requests.ts';
import { fill, type Values } from './template.ts';

export interface Answer {
  readonly status: number;
  readonly headers: TransportAnswer['headers'];
  /** As it came. */
  readonly text: string;
  readonly json: unknown;
}

export interface ProviderOptions {
  readonly recipe: Recipe;
  readonly key: Secret;
  readonly settings: Values;
  /** Instead of what the recipe says. */
  readonly perMinute?: number | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onWait: (ms: number, why: string) => void;
  /** Instead of the network. */
  readonly transport?: Transport | undefined;
}

/** Asks one provider with one key, within its limits. */
export interface Provider {
  readonly counts: RequestCounts;
  /** Resolves with the answer, or with the failure after the last attempt. Rejects with the signal's reason alone. */
  ask(request: PlainRequest, signal: AbortSignal): Promise<ReadOutcome<Answer>>;
  /** The text without the key, in whichever spelling an answer repeats it. */
  withoutKey(text: string): string;
  close(): Promise<void>;
}

/** Characters from which on a key does not occur by chance. */
const keyLengthMin = 16;
/** A provider that limits the rate without saying for how long: windows are minutes, and six attempts wait for two of them. */
const unsaidWaitMs = 20_000;
/** 64 MiB: 500 parts of a conversation, with bodies of 100 KB. */
const answerBytesMax = 64 * 1024 * 1024;

/** @throws UsageError if an address cannot be used. */
export function openProvider(options: ProviderOptions): Provider {
  const { recipe, key, clock, random, onWait } = options;
  const counts = noRequests();
  const pace = buildPace(options);
  const ask = createAsk({ pace, clock, random, counts, onWait });
  const sender = new Sender(options);

  async function attempt(request: PlainRequest, signal: AbortSignal) {
    try {
      const answer = await sender.send(request, signal);
      const outcome = judge(recipe, answer, key, clock.now());
      return { ...safe(outcome, key), hints: hintsIn(recipe, answer.headers, clock.now()) };
    } catch (error) {
      if (signal.aborted || error instanceof RefusedAddress) throw error;
      return { ...safe(classifyReadFault<Answer>(error), key), hints: {} };
    }
  }

  return {
    counts,
    ask: (request, signal) => ask((within) => attempt(request, within), signal),
    // A short text, where no key is needed, occurs in messages too.
    withoutKey: (text) => (key.reveal().length < keyLengthMin ? text : redact(text, [key])),
    async close() {
      pace.close();
      await sender.close();
    },
  };
}

/** One budget for each key, whichever process asks. Played answers have none. */
function buildPace({ recipe, key, settings, perMinute, clock, onWait, transport }: ProviderOptions): Pace {
  if (transport) return unpaced;
  const { origin } = new URL(fill(recipe.address, settings));
  const address = `${origin}#${sha256Hex(key.reveal()).slice(0, 12)}`;
  return sharedPace({ address, perMinute: { read: perMinute ?? recipe.rate.perMinute }, clock, onWait });
}

/** Sends requests with the key in them, to the hosts of the recipe only. */
class Sender {
  readonly #options: ProviderOptions;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #transports = new Map<string, Transport>();

  constructor(options: ProviderOptions) {
    const { recipe, settings, key } = options;
    this.#options = options;
    this.#base = fill(recipe.address, settings);
    const own = { 'user-agent': `chatferry/${version}`, accept: 'application/json' };
    const more = Object.entries(recipe.headers).map(([name, value]) => [name.toLowerCase(), fill(value, settings)]);
    this.#headers = { ...own, ...Object.fromEntries(more), ...authHeaders(recipe, settings, key) };
  }

  async send({ method, url, body }: PlainRequest, signal: AbortSignal): Promise<TransportAnswer> {
    const { recipe, settings, key } = this.#options;
    assertAllowed(recipe, this.#base, url);
    const { pathname, search } = withQuery(url, recipe, settings, key);
    const headers = { ...this.#headers, ...(body !== undefined && json) };
    const request = {
      method,
      path: pathname + search,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    return await this.#transportTo(url).send(request, signal);
  }

  #transportTo({ origin }: URL): Transport {
    const known = this.#options.transport ?? this.#transports.get(origin);
    if (known) return known;
    const { atOnce } = this.#options.recipe.rate;
    const made = createHttpTransport(new URL(origin), { connections: atOnce, responseBytesMax: answerBytesMax });
    this.#transports.set(origin, made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
  }
}

const json = { 'content-type': 'application/json' };

/** Value of the header Authorization; undefined if the key goes elsewhere. */
export const buildAuthorization = (recipe: Recipe, settings: Values, key: Secret): string | undefined =>
  authHeaders(recipe, settings, key).authorization;

function authHeaders({ auth }: Recipe, settings: Values, key: Secret): Readonly<Record<string, string>> {
  const write = (template: string) => fill(template, { ...settings, key: key.reveal() });
  if ('basic' in auth) {
    const [user, password] = auth.basic;
    return { authorization: `Basic ${Buffer.from(`${write(user)}:${write(password)}`).toString('base64')}` };
  }
  if (!('headers' in auth)) return {};
  return Object.fromEntries(
    Object.entries(auth.headers).map(([name, template]) => [name.toLowerCase(), write(template)]),
  );
}

function withQuery(url: URL, { auth }: Recipe, settings: Values, key: Secret): URL {
  if (!('query' in auth)) return url;
  const full = new URL(url);
  for (const [name, template] of Object.entries(auth.query))
    full.searchParams.set(name, fill(template, { ...settings, key: key.reveal() }));
  return full;
}

function judge(recipe: Recipe, answer: TransportAnswer, key: Secret, nowMs: number): ReadOutcome<Answer> {
  const { status, headers, body } = answer;
  const retryAfterMs = waitIn(recipe, headers, nowMs);
  const failure = {
    code: `http_${status}`,
    detail: detailIn(body, key),
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  if (status === 429)
    return { kind: 'failed', why: 'rate-limited', ...failure, retryAfterMs: retryAfterMs ?? unsaidWaitMs };
  if (status >= 500 || status === 408 || status === 425) return { kind: 'failed', why: 'retry', ...failure };
  // 301, 308: a conversation that was merged into another one, whose list has what it had.
  if ([301, 308, 403, 404, 410].includes(status)) return { kind: 'failed', why: 'not-found', ...failure };
  const { refusal } = recipe;
  const isRefusal = status === 400 && refusal !== undefined;
  if (status >= 300 && !isRefusal) return { kind: 'failed', why: 'stop', ...failure };
  const value = parseExactly(body);
  // Cut on its way, or the page of a proxy.
  if (value === undefined) return { kind: 'failed', why: 'retry', ...failure, code: 'bad_answer' };
  if (refusal && (isRefusal || valueAt(value, refusal.unless) !== true)) {
    const code = scalarText(valueAt(value, refusal.code)) ?? 'refused';
    const why = classifyRefusal(refusal, code);
    // After these nothing else is answered either: what other providers say with 401.
    return { kind: 'failed', why, ...failure, code: oneLine(code), ...(why === 'stop' && { status: 401 }) };
  }
  return { kind: 'answered', value: { status, headers, text: body, json: value } };
}

/** A code that is not listed is about this one list. */
function classifyRefusal(
  { stop, retry }: NonNullable<Recipe['refusal']>,
  code: string,
): 'stop' | 'retry' | 'not-found' {
  if (stop.includes(code)) return 'stop';
  return retry.includes(code) ? 'retry' : 'not-found';
}

/** Whether a failure is about the key rather than the network. */
export const isAboutKey = ({ status, why }: { readonly status?: number; readonly why: string }): boolean =>
  status === 401 || (status === 403 && why !== 'retry');

/** The key is taken out before the text is cut: a part of it would not be found. */
const detailIn = (body: string, key: Secret): string => truncate(oneLine(redact(body.slice(0, 4000), [key])), 200);

const safe = <Outcome extends ReadOutcome<Answer>>(outcome: Outcome, key: Secret): Outcome =>
  outcome.kind === 'failed'
    ? { ...outcome, code: redact(outcome.code, [key]), detail: redact(outcome.detail, [key]) }
    : outcome;

function waitIn({ rate }: Recipe, headers: TransportAnswer['headers'], nowMs: number): number | undefined {
  const capMs = waitMaxMs + 1;
  const said = parseRetryAfter(
    headers['retry-after'] ?? headers[rate.wait?.toLowerCase() ?? ''],
    headers.date,
    nowMs,
    capMs,
  );
  return said ?? resetIn(rate.reset, headers, nowMs);
}

/** Above it a reset is a Unix time, below it a number of seconds to wait. */
const epochSecondsMin = 1_000_000_000;

function resetIn(name: string | undefined, headers: TransportAnswer['headers'], nowMs: number): number | undefined {
  const text = name === undefined ? undefined : headers[name.toLowerCase()];
  if (text === undefined || !/^\d{1,13}(?:\.\d+)?$/.test(text)) return undefined;
  const seconds = text.length > 11 ? Number(text) / 1000 : Number(text);
  const ms = seconds < epochSecondsMin ? seconds * 1000 : seconds * 1000 - nowMs;
  return Math.min(Math.max(Math.ceil(ms), 0), waitMaxMs);
}

function hintsIn({ rate }: Recipe, headers: TransportAnswer['headers'], nowMs: number): RateHints {
  const left = rate.remaining === undefined ? undefined : headers[rate.remaining.toLowerCase()];
  const resetInMs = resetIn(rate.reset, headers, nowMs);
  return {
    ...(left !== undefined && /^\d{1,9}$/.test(left) && { remaining: Number(left) }),
    ...(resetInMs !== undefined && { resetInMs }),
  };
}
