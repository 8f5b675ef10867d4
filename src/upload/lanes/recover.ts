import type { Journal, Settled } from '../../checkpoint/delivery/journal.ts';
import type { Clock } from '../../lib/clock.ts';
import { differentContent } from '../read-back/compare.ts';
import { type Lane, type LaneRow, noteDelivered } from './lanes.ts';
import { readBack, type ReadPage } from '../read-back/read-back.ts';
import type { ReadBackProof } from '../read-back/read-back-proof.ts';

export interface RecoverOptions {
  readonly doubtfulRows: (lane: Lane) => LaneRow[];
  readonly readPage: ReadPage;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Until then (monotonic ms) a message that is absent may still arrive. */
  readonly graceEndsAt: number;
  readonly onWait: (ms: number, why: string) => void;
  /** Whether reading back tells anything there. It does, unless somebody says otherwise. */
  readonly proof?: ReadBackProof;
  /** What a muid that is already there meets. */
  readonly duplicates?: 'unknown' | 'refused';
  /** Aborted: no wait is worth its end any more. Without it, waits end with the signal. */
  readonly pausing?: AbortSignal;
}

/**
 * Settles what a run that was killed left in doubt in one lane: read back at once, and, for what is absent, again
 * after the grace. Where nothing can be read back, it is sent again if duplicates are refused, and stays in doubt if not.
 *
 * @returns How many messages are absent, and pending again.
 */
export async function recoverLane(lane: Lane, options: RecoverOptions, signal: AbortSignal): Promise<number> {
  const { doubtfulRows, proof, duplicates } = options;
  const rows = doubtfulRows(lane);
  const absent = !proof || proof.reads ? await absentAfterGrace(lane, rows, options, signal) : rows;
  if (proof && !proof.tellsAbsence && duplicates !== 'refused') return 0;
  await options.journal.settle(
    undefined,
    absent.map(({ seq }) => ({ seq, state: 'pending' as const })),
    { closes: false },
  );
  return absent.length;
}

async function absentAfterGrace(
  lane: Lane,
  rows: readonly LaneRow[],
  options: RecoverOptions,
  signal: AbortSignal,
): Promise<readonly LaneRow[]> {
  const { clock, graceEndsAt, onWait, pausing = signal } = options;
  const isOver = clock.monotonic() >= graceEndsAt;
  const absent = await settleFound(lane, rows, options, signal);
  if (absent.length === 0 || isOver) return absent;
  const waitMs = graceEndsAt - clock.monotonic();
  if (waitMs > 0) {
    onWait(waitMs, 'messages that an earlier run sent may still arrive');
    await clock.sleep(waitMs, pausing);
  }
  return await settleFound(lane, absent, options, signal);
}

/** @returns Rows that were not found. */
async function settleFound(
  lane: Lane,
  rows: readonly LaneRow[],
  { readPage, journal, proof }: RecoverOptions,
  signal: AbortSignal,
) {
  const settled: Settled[] = [];
  const absent: LaneRow[] = [];
  for (const [row, found] of await readBack(lane, rows, readPage, signal)) {
    if (found.is !== 'absent') {
      noteDelivered(lane, row);
      proof?.note('key');
    }
    if (found.is === 'absent') absent.push(row);
    else if (found.is === 'there') settled.push({ seq: row.seq, state: 'imported', serverId: found.listed.id });
    else settled.push(differentContent(row.seq, found.listed.id, found.fields));
  }
  const { conversation, receiverType, conversationId } = lane;
  await journal.settle(undefined, settled, {
    conversations: [{ conversation, receiverType, conversationId }],
    closes: false,
  });
  return absent;
}
