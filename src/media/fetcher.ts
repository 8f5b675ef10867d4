import type { Agent } from 'undici';
import { backoff } from '../lib/flow/retry.ts';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import { sha256Hex } from '../lib/hash.ts';
import { makeFolder } from '../lib/files/make-folder.ts';
import type { MediaRules } from '../mapping/rules.ts';
import { type AddressRule, publicAddresses } from '../io/web/address-rule.ts';
import { guardedAgent, resolveBySystem, type ResolveHost } from '../io/web/guarded-agent.ts';
import { type ByteBudget, byteBudget } from './fetch/byte-budget.ts';
import type { Resting } from './fetch/ask-for-file.ts';
import { fetchAddress } from './fetch/fetch-address.ts';
import type { Fetched, MediaOrigin } from './fetch/fetched.ts';
import { HostPace } from './fetch/host-pace.ts';
import { PartFile } from './fetch/part-file.ts';
import { SharedFetches } from './fetch/shared-fetches.ts';
import { dropOldParts } from './drop-old-parts.ts';
import { type HostToken, readMediaToken } from './fetch/token.ts';

export interface FetcherOptions {
  readonly rules: Pick<MediaRules, 'token' | 'tokenHosts' | 'perHost' | 'bandwidth' | 'maxBytes' | 'timeout'>;
  /** Folder for unfinished files, used by this process alone; created if it is missing (0700). Files that a killed run left in it are continued. */
  readonly folder: string;
  /** Whose files they are: names of sources, for the hosts that get the token. */
  readonly sources: readonly string[];
  /** Instead of the token that the rules name. */
  readonly token?: HostToken | undefined;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Addresses of the public network by default. */
  readonly rule?: AddressRule;
  readonly resolve?: ResolveHost;
  /** Once it is aborted, nothing waits for another try: running requests go on, and a file that would have to wait returns `again`. */
  readonly stopping?: AbortSignal;
  /** Without a byte, in ms. 30 s by default. */
  readonly idleMs?: number;
}

export interface Fetcher {
  /**
   * Fetches the file at an address to this disk, or to memory if it is small, until it is released. Tries a few times
   * before it returns `again`.
   *
   * @throws the signal's reason; StoreError if the folder cannot store it.
   */
  fetch(url: string, origin: MediaOrigin, signal: AbortSignal): Promise<Fetched>;
  /** Stops what runs and drops what was not released. Parts that can be continued stay. */
  close(): Promise<void>;
}

/** @throws UsageError if the token cannot be read, or its hosts are not known. */
export function openFetcher(options: FetcherOptions): Fetcher {
  const token = options.token ?? readMediaToken(options.rules, options.sources);
  makeFolder(options.folder);
  const parts = dropOldParts(options.folder, (options.clock ?? systemClock).now());
  return new AddressFetcher(options, token, parts);
}

const triesMax = 4;
/** After this much progress the tries are counted from the start: a bad line is slow, but still makes progress. */
const progressBytes = 1024 * 1024;
/** In ms. */
const connectMs = 10_000;

class AddressFetcher implements Fetcher {
  readonly #options: FetcherOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #rule: AddressRule;
  readonly #token: HostToken | undefined;
  readonly #agent: Agent;
  readonly #pace: HostPace;
  readonly #budget: ByteBudget;
  readonly #shared = new SharedFetches();
  /** Names of which something may lie on the disk from before. */
  readonly #parts: Set<string>;

  constructor(options: FetcherOptions, token: HostToken | undefined, parts: Set<string>) {
    this.#parts = parts;
    const { rules, clock = systemClock, rule = publicAddresses, resolve = resolveBySystem, idleMs = 30_000 } = options;
    this.#options = options;
    this.#clock = clock;
    this.#random = options.random ?? Math.random;
    this.#rule = rule;
    this.#token = token;
    this.#agent = guardedAgent(rule, resolve, { connectMs, idleMs, keepsConnections: true });
    this.#pace = new HostPace(rules.perHost, clock);
    this.#budget = byteBudget(rules.bandwidth, clock);
  }

  async fetch(address: string, origin: MediaOrigin, signal: AbortSignal): Promise<Fetched> {
    if (!URL.canParse(address)) return { kind: 'refused', why: 'it is no address of the web' };
    const url = new URL(address);
    url.hash = '';
    // The name says nothing of the address: that may hold a secret.
    const name = sha256Hex(url.href);
    return this.#shared.fetch(name, (stop) => this.#keeping(url, name, origin, stop), signal);
  }

  async close(): Promise<void> {
    await this.#shared.close();
    await this.#agent.destroy();
    dropOldParts(this.#options.folder, this.#clock.now());
  }

  /** Returns the result, and leaves on the disk only files that are whole or can be continued. */
  async #keeping(url: URL, name: string, origin: MediaOrigin, signal: AbortSignal): Promise<Fetched> {
    const part = new PartFile(this.#options.folder, name, this.#parts.has(name));
    this.#parts.add(name);
    const fetched = await this.#tries(url, part, origin, signal);
    const isKept = fetched.kind === 'again' && (await part.kept()) !== undefined;
    if (!isKept) this.#parts.delete(name);
    if (!isKept && fetched.kind === 'again') await part.remove();
    return fetched;
  }

  /** Tries, with waits between them, until it is there, or another try is for nothing. */
  async #tries(url: URL, part: PartFile, origin: MediaOrigin, signal: AbortSignal): Promise<Fetched> {
    const time = { leftMs: this.#options.rules.timeout };
    let keptBytes = 0;
    for (let tryCount = 1; ; tryCount++) {
      const fetched = await this.#rested(url.host, () => this.#once(url, part, origin, time, signal), signal);
      const isForNothing = time.leftMs <= 0 || this.#pace.goneMs(url.host) > 0;
      if (fetched.kind !== 'again' || isForNothing) return fetched;
      const nowBytes = (await part.kept())?.keptBytes ?? 0;
      if (nowBytes >= keptBytes + progressBytes) tryCount = 1;
      keptBytes = nowBytes;
      if (tryCount >= triesMax) return fetched;
      // The wait is longer if the server asked for it: the host rests then.
      if (!(await this.#sleep(backoff(tryCount + 1, this.#random()), signal))) return fetched;
    }
  }

  /** Does it when no host on its way has to be left in peace. */
  async #rested(first: string, work: () => Promise<Fetched | Resting>, signal: AbortSignal): Promise<Fetched> {
    for (let host = first; ; ) {
      const goneMs = this.#pace.goneMs(host);
      if (goneMs > 0) return { kind: 'again', why: 'its host does not answer', retryAfterMs: goneMs };
      const restMs = this.#pace.restMs(host);
      if (restMs > 0 && !(await this.#sleep(restMs, signal)))
        return { kind: 'again', why: 'its host asked for rest', retryAfterMs: restMs };
      const fetched = await this.#pace.enter(first, work);
      if (fetched.kind !== 'resting') return fetched;
      host = fetched.host;
    }
  }

  #sleep(ms: number, signal: AbortSignal): Promise<boolean> {
    return unlessStopping(this.#options.stopping, signal, (stop) => this.#clock.sleep(ms, stop));
  }

  /** One try, in what is left of the time that a file may take. */
  async #once(
    url: URL,
    part: PartFile,
    origin: MediaOrigin,
    time: { leftMs: number },
    signal: AbortSignal,
  ): Promise<Fetched | Resting> {
    signal.throwIfAborted();
    const { maxBytes } = this.#options.rules;
    const began = this.#clock.monotonic();
    const nowMs = () => this.#clock.now();
    const means = { agent: this.#agent, rule: this.#rule, pace: this.#pace, token: this.#token, budget: this.#budget };
    const fetched = await withDeadline(time.leftMs, signal, (stop) =>
      fetchAddress({ url, origin, part, maxBytes, signal: stop, ...means, nowMs }),
    );
    time.leftMs -= this.#clock.monotonic() - began;
    if (!(fetched instanceof Error)) return fetched;
    time.leftMs = 0;
    return { kind: 'again', why: 'it took longer than media.timeout allows' };
  }
}

/** Node's timers fire at once if they are set to more. */
const timerMaxMs = 2 ** 31 - 1;

const outOfTime = new Error('Out of time');

/**
 * Work with a signal that is also aborted after `ms`.
 *
 * `AbortSignal.any` with `AbortSignal.timeout` would keep 0.7 KB until the time is over, also if the work is done (Node 26): with an hour for each
 * of 100,000 files, 70 MB.
 *
 * @returns An error if the time ended the work. @throws what the work throws.
 */
async function withDeadline<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Error> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(outOfTime), Math.min(ms, timerMaxMs));
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } catch (error) {
    if (error === outOfTime) return outOfTime;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Work that is not worth waiting for if the run is to stop.
 *
 * @returns False if `stopping` ended it. @throws the reason of the other signal, and what the work throws.
 */
async function unlessStopping(
  stopping: AbortSignal | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<boolean> {
  try {
    await work(stopping ? AbortSignal.any([signal, stopping]) : signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (stopping?.aborted) return false;
    throw error;
  }
}
