import { join } from 'node:path';
import { openSlots, type RequestKind, type Slot, type Slots } from '../store/destinations.ts';
import type { Clock } from '../lib/flow/clock.ts';
import { DestinationError } from '../lib/errors.ts';
import { stateFolder } from '../lib/files/state-folder.ts';
import { isHeldBack, type RateHints, type ReadOutcome } from '../service/outcome.ts';
import { beforeSending, type Destination, type RequestCounts, spareMsOfSlot, untilSlotEnds } from './destination.ts';
import { waitMaxMs, attemptsMax, backoff, retry } from '../lib/flow/retry.ts';
import { reportingSlow, slowAfterMs } from '../lib/flow/slow-request.ts';
import { usualRequestTimeoutMs } from '../service/profiles.ts';
import type { Breaker } from './pace/breaker.ts';

export type { RequestKind } from '../store/destinations.ts';

/** The request rate that we allow ourselves at one destination, over all lanes and processes. */
export interface Pace {
  /**
   * Resolves when the next request of this kind may leave.
   *
   * @param spareMs By how much longer than usual it may take to leave then: slots behind it come so much later. Default: 0.
   * @throws DestinationError if the service has asked for silence for longer than anybody should wait.
   */
  take(kind: RequestKind, signal: AbortSignal, spareMs?: number): Promise<void>;
  /** The service asked for silence: nothing of this kind leaves before. */
  hold(kind: RequestKind, ms: number): void;
  /** Records the limits from the rate headers of an answer. */
  learn(kind: RequestKind, hints: RateHints): void;
  close(): void;
}

/** For the embedded sandbox, which has no rate. */
export const unpaced: Pace = { take: async () => {}, hold() {}, learn() {}, close() {} };

export interface SharedPaceOptions {
  /** The destination's address: every process that sends there shares the slots. */
  readonly address: string;
  /** Requests per minute; a kind without one has no fixed rate, but what the service says of its limits is obeyed. */
  readonly perMinute: Partial<Record<RequestKind, number | undefined>>;
  readonly clock: Clock;
  readonly onWait: (ms: number, why: string) => void;
  /** Default: one per user, in the state folder. */
  readonly path?: string;
}

/**
 * Slots are 1 % further apart than the rate asks for: requests that leave evenly do not arrive evenly. At 60 a minute every
 * window of a minute gets 59 or 60 of them, and 60 requests may come 600 ms closer together on their way.
 */
const spacingMs = (perMinute: number): number => (60_000 / perMinute) * 1.01;

/**
 * Evenly spaced slots in a small database: no burst at a window's edge, and what was used up or asked for by the service is
 * remembered across kills. Every process that sends to the address shares them.
 */
export function sharedPace(options: SharedPaceOptions): Pace {
  const { address, perMinute, clock, onWait } = options;
  const slots = openSlots(options.path ?? sharedPath(), address, clock);
  const rateOf = (kind: RequestKind, { learnedPerMinute }: Slot) => perMinute[kind] ?? learnedPerMinute ?? undefined;
  /** Latest slot that this process was given, by the monotonic clock: setting the wall clock changes nothing here. */
  const latest: Partial<Record<RequestKind, number>> = {};
  const held: Partial<Record<RequestKind, number>> = {};

  /** @returns When the request may leave, in monotonic ms. */
  function reserve(kind: RequestKind): number {
    const isHeld = (held[kind] ?? 0) > clock.monotonic();
    if (perMinute[kind] === undefined && !isHeld && isFree(slots.read(kind), clock.now())) return clock.monotonic();
    return slots.change(kind, (slot, now) => {
      const monotonic = clock.monotonic();
      const rate = rateOf(kind, slot);
      const heldMs = Math.max(slot.heldUntil - now, (held[kind] ?? 0) - monotonic, 0);
      if (heldMs > waitMaxMs) throw askedForSilence(address, heldMs);
      const ownMs = rate === undefined ? 0 : (latest[kind] ?? Number.NEGATIVE_INFINITY) + spacingMs(rate) - monotonic;
      const waitMs = Math.max(heldMs, rate === undefined ? 0 : slot.nextAt - now, ownMs, 0);
      latest[kind] = monotonic + waitMs;
      if (rate !== undefined) slot.nextAt = now + waitMs + spacingMs(rate);
      return monotonic + waitMs;
    });
  }

  function hold(kind: RequestKind, ms: number): void {
    held[kind] = Math.max(held[kind] ?? 0, clock.monotonic() + ms);
    slots.change(kind, (slot, now) => {
      slot.heldUntil = Math.max(slot.heldUntil, now + ms);
    });
  }

  return {
    async take(kind, signal) {
      for (;;) {
        const at = reserve(kind);
        const waitMs = at - clock.monotonic();
        if (waitMs <= 0) return;
        if (waitMs > 1500) onWait(waitMs, 'the destination allows no faster rate');
        await clock.sleep(waitMs, signal);
        // The answer to another request may have asked for silence in the meantime: then this slot is gone.
        if (slots.read(kind).heldUntil <= clock.now() && (held[kind] ?? 0) <= clock.monotonic()) return;
      }
    },
    hold,
    learn(kind, { limitPerMinute, remaining, resetInMs }) {
      if (limitPerMinute !== undefined && perMinute[kind] === undefined)
        learnLimit(slots, kind, limitPerMinute, remaining);
      if (remaining !== undefined && remaining <= 0 && resetInMs !== undefined) hold(kind, resetInMs);
    },
    close: () => slots.close(),
  };
}

/** Whether no rate limit is known and no silence was asked for: then there is nothing to write down. */
const isFree = ({ learnedPerMinute, heldUntil }: Readonly<Slot>, now: number): boolean =>
  learnedPerMinute === null && heldUntil <= now;

/** Requests that the service has counted before we knew that it counts are taken as if they had been spaced. */
function learnLimit(slots: Slots, kind: RequestKind, limit: number, remaining: number | undefined): void {
  if (slots.read(kind).learnedPerMinute === limit) return;
  slots.change(kind, (slot, now) => {
    const usedCount = Math.max(limit - (remaining ?? limit - 1), 1);
    slot.learnedPerMinute = limit;
    slot.nextAt = Math.max(slot.nextAt, now + Math.min(usedCount, limit) * spacingMs(limit));
  });
}

export const askedForSilence = (address: string, ms: number, hint = 'Run the same command again later') =>
  new DestinationError(`Stopped: ${address} has asked for silence for another ${Math.ceil(ms / 60_000)} minutes`, {
    code: 'silence-asked',
    hint,
  });

/** The small database of this user's processes. It may not be there yet. */
export const sharedPath = (): string => join(stateFolder(), 'pace.db');

/**
 * Waits for a slot before each request, and passes the limits in each answer to the pace.
 *
 * @param pausing When aborted, a request that still waits for a slot gives it up.
 * @param permitClock Given if a send permit is asked for as well: the slot is lost if that takes too long. Default: it never is.
 */
export function withPace(
  inner: Destination,
  pace: Pace,
  counts: RequestCounts,
  pausing: AbortSignal,
  permitClock?: Clock,
): Destination {
  let heldBackCount = 0;
  return {
    async send(batch, signal) {
      await beforeSending(pace.take('import', pausing, spareMsOfSlot(heldBackCount)), pausing);
      counts.import++;
      const outcome = await inner.send(batch, signal, permitClock && untilSlotEnds(permitClock, heldBackCount));
      heldBackCount = isHeldBack(outcome) ? heldBackCount + 1 : 0;
      if (outcome.kind === 'not-applied' && outcome.why === 'rate-limited') {
        counts.rateLimited++;
        pace.hold('import', outcome.retryAfterMs ?? 0);
      }
      return outcome;
    },
  };
}

export interface AskOptions {
  readonly pace: Pace;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly counts: RequestCounts;
  /** Waits for a destination that is down, where all attempts have failed. */
  readonly breaker?: Breaker | undefined;
  /** Aborted: no wait is worth its end any more. Without it, waits end with the signal of the question. */
  readonly pausing?: AbortSignal | undefined;
  /** Reports a wait: how long it takes at most, in ms, and the reason. */
  readonly onWait?: ((ms: number, why: string) => void) | undefined;
  /** Called when an answer came that was reported as late. */
  readonly onAnswer?: (() => void) | undefined;
  /** Deadline of each attempt, in ms; 90 s by default. */
  readonly requestTimeoutMs?: number | undefined;
}

type Question<T> = (signal: AbortSignal) => Promise<ReadOutcome<T> & { readonly hints: RateHints }>;

/** Asks the destination something, within its pace; repeats what fails in passing. */
export type Ask = <T>(question: Question<T>, signal: AbortSignal) => Promise<ReadOutcome<T>>;

/** Resolves with the answer, or with the last failure. Rejects with the signal's reason alone. */
export function createAsk(options: AskOptions): Ask {
  const { pace, clock, random, counts, breaker, pausing, onWait, onAnswer } = options;
  return async <T>(question: Question<T>, signal: AbortSignal) => {
    const waiting = pausing ?? signal;
    const request = async (attempt: number) => {
      await pace.take('read', waiting);
      counts.list++;
      const onSlow = () =>
        onWait?.(givesUpInMs(options, attempt), `no answer to a listing yet ${triesOf(options, attempt)}`);
      const outcome = await reportingSlow(() => question(signal), { clock, onSlow, onEnd: onAnswer });
      pace.learn('read', outcome.hints);
      signal.throwIfAborted();
      return outcome;
    };
    const again = async (outcome: ReadOutcome<T>, attempt: number) => {
      if (outcome.kind === 'answered' || outcome.why === 'not-found' || outcome.why === 'too-long') return undefined;
      const { why, code, detail, retryAfterMs = 0 } = outcome;
      if (why === 'rate-limited') {
        counts.rateLimited++;
        pace.hold('read', retryAfterMs);
      }
      if (why === 'stop' || retryAfterMs > waitMaxMs) return undefined;
      if (attempt % attemptsMax === 0) return (await breaker?.outlast(outcome, waiting)) ? 'at once' : undefined;
      return { retryAfterMs, why: `${code}: ${detail} ${triesOf(options, attempt)}` };
    };
    return await retry(request, { again, clock, random, signal: waiting, onWait });
  };
}

/** Attempts come in series of `attemptsMax`; after each the breaker decides whether another one follows. */
const inSeries = (attempt: number): number => ((attempt - 1) % attemptsMax) + 1;

/** `(attempt 2 of 6; gives up then)`. With a breaker, it decides what happens then. */
const triesOf = (options: AskOptions, attempt: number): string =>
  `(attempt ${inSeries(attempt)} of ${attemptsMax}${options.breaker ? '' : '; gives up then'})`;

/** How long a question that is slow by now may go on, with every attempt that is left, in ms. */
function givesUpInMs({ requestTimeoutMs = usualRequestTimeoutMs }: AskOptions, attempt: number): number {
  let leftMs = requestTimeoutMs - slowAfterMs;
  for (let next = inSeries(attempt) + 1; next <= attemptsMax; next++) leftMs += backoff(next, 1) + requestTimeoutMs;
  return Math.max(leftMs, 0);
}
