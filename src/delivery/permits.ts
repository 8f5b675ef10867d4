import type { Clock } from '../lib/flow/clock.ts';
import type { DeliveryClient } from '../service/delivery-client.ts';
import { slotMaxMs } from './limits.ts';

/** A pending send: one import request, or one action. */
export type PendingSend = { readonly muids: readonly string[] } | { readonly action: number };

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
