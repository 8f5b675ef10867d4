import type { ImportOutcome } from '../service/outcome.ts';
import type { LaneRow } from './lanes.ts';
import type { Clock } from '../lib/flow/clock.ts';
import type { DeliveryClient } from '../service/delivery-client.ts';

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

const head = '{"messages":{';
const tail = '}}';
/** The smallest body: no message in it. */
export const envelopeBytes = head.length + tail.length;

/** A request's body for these rows, in this order: muids begin with a letter, so JSON keeps it. */
export function batchOf(rows: readonly LaneRow[], kind: Batch['kind'] = 'first'): Batch {
  return { rows, body: bodyOf(rows), id: undefined, attemptCount: 0, kind };
}

/** Written piece by piece: joined first, each text would be copied twice more, two bytes a character. */
function bodyOf(rows: readonly LaneRow[]): Buffer {
  const commas = Math.max(rows.length - 1, 0);
  const body = Buffer.allocUnsafe(rows.reduce((sum, { bytes }) => sum + bytes, envelopeBytes + commas));
  let at = body.write(head);
  for (const { wire } of rows) {
    if (at > head.length) at += body.write(',', at);
    at += body.write(wire, at);
  }
  body.write(tail, at);
  return body;
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

export function addRequests(sum: RequestCounts, more: RequestCounts): void {
  for (const kind of Object.keys(more) as (keyof RequestCounts)[]) sum[kind] = (sum[kind] ?? 0) + (more[kind] ?? 0);
}

/** The messages of one request, or its actions or arrivals by their ids in the store. */
export type PendingSend =
  | { readonly muids: readonly string[] }
  | { readonly actions: readonly number[] }
  | { readonly arrivals: readonly number[] };

/** Between the question whether a request may leave and its first byte, at most: 1 s. */
export const permitMaxMs = 1000;

/** Asked after the intent is on disk and before the first byte leaves: another process may have taken over what is being sent. */
export interface SendPermits {
  /** @throws DestinationError with code `claim-lost` if nothing may leave any more. */
  acquire(pending: PendingSend): Promise<SendPermit>;
}

export interface SendPermit {
  /** The first byte leaves until then or not at all. Monotonic ms of the run's clock; `permitMaxMs` from the question at most. */
  readonly untilMs: number;
  /** Called with messages that certainly arrived: their muids, and the service's ids if it named them. No caller waits for it. */
  readonly arrived?: (ids: ReadonlyMap<string, string | undefined>) => void;
}

/**
 * Longest time between a slot and its first byte, in ms. Without it, a process that was stopped, or had to wait for its
 * permit, would then send everything it had missed at once. Slots are 1 % further apart than a rate of so many a minute
 * asks for, which is 600 ms of a minute; the pace may need the other half of it.
 */
const slotMaxMs = 300;

/**
 * Until when a request may leave whose slot has just come.
 *
 * @param heldBackCount How often in a row it came too late: where everything is slow, it gets longer each time.
 */
export const untilSlotEnds = (clock: Clock, heldBackCount: number): SendPermit => ({
  untilMs: clock.monotonic() + slotMaxMs + spareMsOfSlot(heldBackCount),
});

/** By how much its slot is longer than usual, in ms. */
export const spareMsOfSlot = (heldBackCount: number): number => slotMaxMs * heldBackCount;

/** Both must hold. */
export const earlier = (permit: SendPermit, { untilMs }: SendPermit): SendPermit => ({
  ...permit,
  untilMs: Math.min(permit.untilMs, untilMs),
});

/** The client with which a request leaves in time, or is held back. */
export const inTime = (client: DeliveryClient, permit: SendPermit | undefined, clock: Clock): DeliveryClient =>
  permit ? client.whileItMayStart(() => clock.monotonic() <= permit.untilMs) : client;
