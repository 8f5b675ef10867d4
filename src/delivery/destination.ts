import type { ImportOutcome } from '../service/outcome.ts';
import type { SendPermit } from './permits.ts';
import type { LaneRow } from './lanes.ts';

/** Payloads sent in one request. */
export interface Batch {
  readonly rows: readonly LaneRow[];
  /** The request's body, UTF-8 JSON. */
  readonly body: Buffer;
  /** Id in the store; set when its intent is committed. */
  id: number | undefined;
  /** Requests made for it so far. */
  attemptCount: number;
  /**
   * `first`: none of its messages was in a request before. `again`: all of them were, and there was no answer. `part`:
   * it was split off from a request that failed; looking for the message that causes the failure is no retry.
   */
  readonly kind: 'first' | 'again' | 'part';
}

/** Where batches go. Retry, pace and logging are wrappers of the same shape. */
export interface Destination {
  /**
   * Resolves whatever happens to the request. Rejects only if the store cannot write, the run is being stopped before
   * the request left, or (DestinationError) no request may leave any more.
   *
   * @param permit Time until which its first byte may leave, if a permit was asked for.
   */
  send(batch: Batch, signal: AbortSignal, permit?: SendPermit): Promise<ImportOutcome>;
}

/** The run is being stopped, and the request has not left: its messages are what they were before. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** Waits before a request; throws `NotSent` if the wait ended because the run is being stopped. */
export async function beforeSending<T>(wait: Promise<T>, pausing: AbortSignal): Promise<T> {
  try {
    return await wait;
  } catch (reason) {
    throw pausing.aborted ? new NotSent('Stopped before the request left', { cause: reason }) : reason;
  }
}

/** Requests of one run, counted where they are made. */
export interface RequestCounts {
  import: number;
  list: number;
  retried: number;
  rateLimited: number;
  /** Absent if none was made. */
  action?: number;
}

export const noRequests = (): RequestCounts => ({ import: 0, list: 0, retried: 0, rateLimited: 0 });

/** Adds the second to the first. */
export function addRequests(sum: RequestCounts, more: RequestCounts): void {
  for (const kind of Object.keys(more) as (keyof RequestCounts)[]) sum[kind] = (sum[kind] ?? 0) + (more[kind] ?? 0);
}
