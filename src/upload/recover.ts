import type { Journal, Settled } from '../checkpoint/journal.ts';
import type { Clock } from '../lib/clock.ts';
import { type Lane, type LaneRow, noteDelivered } from './lanes.ts';
import { readBack } from './read-back.ts';
import type { ReadPage } from './reader.ts';

export interface RecoverOptions {
  readonly doubtfulRows: (lane: Lane) => LaneRow[];
  readonly readPage: ReadPage;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Until then (monotonic ms) a message that is absent may still arrive. */
  readonly graceEndsAt: number;
  readonly onWait: (ms: number, why: string) => void;
}

/**
 * Settles what a run that was killed left in doubt in one lane: read back at once, and, for what is absent, again
 * after the grace.
 *
 * @returns How many messages are absent, and pending again.
 */
export async function recoverLane(lane: Lane, options: RecoverOptions, signal: AbortSignal): Promise<number> {
  const { doubtfulRows, clock, graceEndsAt, onWait } = options;
  const absent = await settleFound(lane, doubtfulRows(lane), options, signal);
  if (absent.length === 0) return 0;
  const waitMs = graceEndsAt - clock.monotonic();
  if (waitMs > 0) {
    onWait(waitMs, 'messages that an earlier run sent may still arrive');
    await clock.sleep(waitMs, signal);
  }
  const stillAbsent = await settleFound(lane, absent, options, signal);
  await options.journal.settle(
    undefined,
    stillAbsent.map(({ seq }) => ({ seq, state: 'pending' as const })),
    { closes: false },
  );
  return stillAbsent.length;
}

/** @returns Rows that were not found. */
async function settleFound(
  lane: Lane,
  rows: readonly LaneRow[],
  { readPage, journal }: RecoverOptions,
  signal: AbortSignal,
) {
  const settled: Settled[] = [];
  const absent: LaneRow[] = [];
  for (const [row, found] of await readBack(lane, rows, readPage, signal)) {
    if (found.is !== 'absent') noteDelivered(lane, row);
    if (found.is === 'absent') absent.push(row);
    else if (found.is === 'there') settled.push({ seq: row.seq, state: 'imported', serverId: found.listed.id });
    else {
      const detail = `already there with another ${found.fields.join(', ')}`;
      settled.push({ seq: row.seq, state: 'refused', serverId: found.listed.id, code: 'different-content', detail });
    }
  }
  const { conversation, receiverType, conversationId } = lane;
  await journal.settle(undefined, settled, {
    conversations: [{ conversation, receiverType, conversationId }],
    closes: false,
  });
  return absent;
}
