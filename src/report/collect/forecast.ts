import type { Profile } from '../../service/profiles.ts';

export interface ForecastInput {
  /** Messages left to send. */
  readonly pending: number;
  /** Bytes of their staged payloads. */
  readonly payloadBytes: number;
  /** Conversations with something left to send. */
  readonly conversations: number;
  /** People, groups and members left to import, by kind: each has requests of its own. */
  readonly arrivals?: readonly { readonly count: number; readonly bytes: number }[] | undefined;
  /** Groups with members left to import: each is read back once. */
  readonly groups?: number | undefined;
  readonly profile:
    | Pick<Profile, 'batchItemsMax' | 'batchBytesMax' | 'importsPerMinute' | 'readsPerMinute'>
    | undefined;
  /** Wall time at which sending would begin. */
  readonly nowMs: number;
  readonly storeBytes: number;
  /** Free on the file system of the store; null where it does not say. */
  readonly freeBytes: number | null;
}

/** Cost of sending the pending messages, and who comes before them. Times are epoch milliseconds. */
export interface Forecast {
  /** Import requests, at least: batches are filled from several conversations. */
  readonly requests: number;
  /** Listing requests: one to open each conversation, and what verifying reads. */
  readonly reads: number;
  /** Approximate bytes of all request bodies. */
  readonly bytes: number;
  readonly ratePerMinute: number | null;
  /** Null if the destination's rate is not known. */
  readonly minutes: number | null;
  readonly startAtMs: number;
  readonly endAtMs: number | null;
  /** The same at higher rates, or at usual ones if the destination's is not known; empty if nothing is pending. */
  readonly faster: { readonly ratePerMinute: number; readonly minutes: number }[];
  readonly storeBytes: number;
  /** The store when everything is sent, about. */
  readonly storeBytesAfter: number;
  readonly freeBytes: number | null;
}

/**
 * Bytes of a message in a request in addition to its payload: muid twice, ids, time, and now and then a person's
 * details. Measured over 19,569 messages of a generated Slack export: 173 (157 with `--send-profiles never`, 409 with
 * `always`).
 */
const envelopeBytesEach = 173;
/**
 * Bytes that a receipt adds to the store, with its share of batches and attempts. Measured over the same messages: 62.4
 * if they are imported, with service ids of five digits; some more for longer ids. A refusal takes 115.
 */
const receiptBytesEach = 65;
/**
 * Returns when sending ends at the latest, in epoch ms, for messages that must arrive before they are too old. If the
 * rate is not known, assumes the lowest of the usual ones.
 */
export const endsAt = ({ startAtMs, endAtMs, requests }: Forecast): number =>
  endAtMs ?? startAtMs + (requests / usualRates[0]) * 60_000;

/** Messages per page of a listing. */
const pageMessages = 1000;
const times = [2, 5, 10] as const;
/** Per minute. 60: the hosted service's rate limit page, 2026-11; the others are two and five times that. */
const usualRates = [60, 120, 300] as const;

export function buildForecast(input: ForecastInput): Forecast {
  const {
    pending,
    payloadBytes,
    conversations,
    arrivals = [],
    groups = 0,
    profile,
    nowMs,
    storeBytes,
    freeBytes,
  } = input;
  const batches = ({ count, bytes }: { readonly count: number; readonly bytes: number }) =>
    Math.max(
      Math.ceil(count / (profile?.batchItemsMax ?? 50)),
      Math.ceil(bytes / (profile?.batchBytesMax ?? Number.POSITIVE_INFINITY)),
    );
  const messages = { count: pending, bytes: payloadBytes + pending * envelopeBytesEach };
  const all = [messages, ...arrivals];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const bytes = sum(all.map((one) => one.bytes));
  const requests = sum(all.map(batches));
  const reads = groups + (pending === 0 ? 0 : 2 * conversations + Math.floor(pending / pageMessages));
  const ratePerMinute = profile?.importsPerMinute ?? null;
  const minutesAt = (rate: number) =>
    Math.max(requests / rate, reads / (profile?.readsPerMinute ?? Number.POSITIVE_INFINITY));
  const minutes = ratePerMinute === null ? null : minutesAt(ratePerMinute);
  const otherRates = ratePerMinute === null ? usualRates : times.map((factor) => factor * ratePerMinute);
  return {
    requests,
    reads,
    bytes,
    ratePerMinute,
    minutes,
    startAtMs: nowMs,
    endAtMs: minutes === null ? null : nowMs + Math.ceil(minutes * 60_000),
    faster: (requests === 0 ? [] : otherRates).map((rate) => ({ ratePerMinute: rate, minutes: minutesAt(rate) })),
    storeBytes,
    storeBytesAfter: storeBytes + sum(all.map(({ count }) => count)) * receiptBytesEach,
    freeBytes,
  };
}
