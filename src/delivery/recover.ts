import type { DeliveryChange, Journal } from '../store/batches.ts';
import type { Store } from '../store/open.ts';
import { usualRequestTimeoutMs } from '../service/profiles.ts';
import type { DestinationSession } from './session.ts';
import type { ImportOptions } from './sending.ts';
import type { Target } from './target.ts';
import { permitMaxMs } from './limits.ts';
import { differentContent } from './compare.ts';
import type { ReadBackProof } from './read-back/proof.ts';
import { readBack } from './read-back.ts';
import { type Lane, type LaneRow, noteDelivered } from './lanes.ts';

export interface RecoverOptions extends Pick<DestinationSession, 'readPage' | 'clock' | 'onWait' | 'pausing'> {
  readonly journal: Journal;
  /** Until then (monotonic ms) a message that is absent may still arrive. */
  readonly graceEndsAt: number;
  /** Shows whether reading back gives any information there. Default: it does. */
  readonly proof?: ReadBackProof;
  readonly signal: AbortSignal;
}

/**
 * Resolves messages of one lane that a killed run left unconfirmed. Reads back at once, and again after the grace for
 * those that are absent. If nothing can be read back, the messages are sent again if duplicates are refused, and
 * otherwise stay unconfirmed.
 *
 * @returns How many messages are absent, and pending again.
 */
export async function recoverLane(lane: Lane, rows: readonly LaneRow[], options: RecoverOptions): Promise<number> {
  const { proof, journal } = options;
  const absent = !proof || proof.reads ? await absentAfterGrace(lane, rows, options) : rows;
  if (proof && !proof.allowsAgain) return 0;
  const changes = absent.map(({ seq }) => ({ seq, state: 'pending' as const }));
  await journal.record(undefined, changes, { closes: false });
  return absent.length;
}

async function absentAfterGrace(lane: Lane, rows: readonly LaneRow[], options: RecoverOptions) {
  const { clock, graceEndsAt, onWait, signal, pausing = signal } = options;
  const isOver = clock.monotonic() >= graceEndsAt;
  const absent = await writeDownFound(lane, rows, options);
  if (absent.length === 0 || isOver) return absent;
  const waitMs = graceEndsAt - clock.monotonic();
  if (waitMs > 0) {
    onWait(waitMs, 'messages that an earlier run sent may still arrive');
    await clock.sleep(waitMs, pausing);
  }
  return await writeDownFound(lane, absent, options);
}

/** @returns Rows that were not found. */
async function writeDownFound(
  lane: Lane,
  rows: readonly LaneRow[],
  { readPage, journal, proof, signal }: RecoverOptions,
): Promise<readonly LaneRow[]> {
  const changes: DeliveryChange[] = [];
  const absent: LaneRow[] = [];
  for (const [row, found] of await readBack(lane, rows, readPage, signal)) {
    if (found.is === 'absent') {
      absent.push(row);
      continue;
    }
    noteDelivered(lane, row);
    proof?.note('key');
    if (found.is === 'there') changes.push({ seq: row.seq, state: 'imported', serverId: found.listed.id });
    else changes.push(differentContent(row.seq, found.listed.id, found.fields));
  }
  const { conversation, receiverType, conversationId } = lane;
  const conversations = [{ conversation, receiverType, conversationId }];
  await journal.record(undefined, changes, { conversations, closes: false });
  return absent;
}

/**
 * When (monotonic ms) what an earlier run sent can no longer arrive: the long grace, counted from the latest instant at
 * which its last request can have ended.
 */
export function graceAfterKill(store: Store, target: Target, { clock, lockTakenAtMs }: ImportOptions): number {
  const { duplicates, graceLongMs, requestTimeoutMs = usualRequestTimeoutMs } = target.profile;
  const nowMs = clock.now();
  const sinceMs = store.batches.sinceDoubtfulMs(target.id, { nowMs, uptimeMs: clock.uptime() });
  // If duplicates are refused, a message that arrives after it was sent again is refused as well.
  if (sinceMs === undefined || duplicates === 'refused') return clock.monotonic();
  return clock.monotonic() - endedForMs(sinceMs, { nowMs, lockTakenAtMs, requestTimeoutMs }) + graceLongMs;
}

/**
 * Returns for how many ms a request that left `sinceMs` ago has surely ended. Negative if it may still be running.
 *
 * @param sinceMs Minimum. If another holder may be alive, its request may have left a little later than it was written
 *   down.
 */
export function endedForMs(
  sinceMs: number,
  {
    nowMs,
    lockTakenAtMs,
    requestTimeoutMs,
  }: Pick<ImportOptions, 'lockTakenAtMs'> & { readonly nowMs: number; readonly requestTimeoutMs: number },
): number {
  if (lockTakenAtMs === undefined) return sinceMs - permitMaxMs - requestTimeoutMs;
  return Math.max(sinceMs - requestTimeoutMs, Math.min(Math.max(nowMs - lockTakenAtMs, 0), sinceMs));
}
