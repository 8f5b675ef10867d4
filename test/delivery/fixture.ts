import type { ImportOutcome, NotAppliedWhy } from '../../src/service/outcome.ts';
import type { Batch, Destination } from '../../src/delivery/destination.ts';
import { type ClosedLanes, type Lane, type LaneRow, startOfLane } from '../../src/delivery/lanes.ts';

export function laneOf(conversation: number, changes: Partial<Lane> = {}): Lane {
  return {
    conversation,
    sourceId: `C${conversation}`,
    guid: `c${conversation}`,
    groupDetails: '{}',
    people: undefined,
    receiverType: 'group',
    conversationId: undefined,
    lastServerId: undefined,
    deliveredUpTo: undefined,
    isReceiverKnown: false,
    state: 'closed',
    isHeld: false,
    pendingCount: 0,
    quarantinedCount: 0,
    inFlightCount: 0,
    cursor: startOfLane,
    ...changes,
  };
}

/** Lanes that are opened in this order. */
export const closedLanes = (lanes: readonly Lane[]): ClosedLanes => ({
  count: lanes.length,
  pendingCount: lanes.reduce((sum, { pendingCount }) => sum + pendingCount, 0),
  lanes: lanes.values(),
});

/** Rows of a lane with texts of these lengths; `seq` counts from `firstSeq`. */
export function rowsOf(lane: Lane, texts: readonly string[], firstSeq: number): LaneRow[] {
  return texts.map((text, index) => {
    const seq = firstSeq + index;
    const muid = `m1${String(seq)
      .padStart(6, 'a')
      .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;
    const wire = `"${muid}":${JSON.stringify({ muid, data: { text } })}`;
    return {
      seq,
      muid,
      sentAtMs: seq * 1000,
      sortKey: '',
      lane,
      sender: { id: 1, uid: 'u1', details: '{}' },
      hadIntent: false,
      isNew: false,
      isLate: false,
      wire,
      bytes: Buffer.byteLength(wire),
    };
  });
}

export function emptyBatch(): Batch {
  return { rows: [], body: Buffer.from('{"messages":{}}'), id: undefined, attemptCount: 0, kind: 'first' };
}

export const answered: ImportOutcome = { kind: 'answered', answers: new Map(), missing: [], unexpectedKeyCount: 0 };
export const notApplied = (why: NotAppliedWhy, retryAfterMs?: number): ImportOutcome => ({
  kind: 'not-applied',
  why,
  code: why,
  detail: 'its words',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
export const unknown: ImportOutcome = { kind: 'unknown', byService: false, code: 'ECONNRESET', detail: 'cut' };

/** Answers with these outcomes, and repeats the last one. */
export function destinationOf(...outcomes: ImportOutcome[]): Destination & { calls: number } {
  return {
    calls: 0,
    async send() {
      return outcomes[Math.min(this.calls++, outcomes.length - 1)]!;
    },
  };
}
