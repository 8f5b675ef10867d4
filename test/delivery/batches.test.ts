import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BatchLimits, nextBatch } from '../../src/delivery/lanes/batches.ts';
import { batchOf } from '../../src/delivery/destination.ts';
import type { ReadRows, LaneRow } from '../../src/delivery/lanes.ts';
import { Lanes } from '../../src/delivery/lanes/queue.ts';
import type { Batch } from '../../src/delivery/destination.ts';
import { anyCharacter } from '../arbitrary-text.ts';
import { closedLanes, laneOf, rowsOf } from './fixture.ts';

interface Work {
  readonly lanes: Lanes;
  readonly rows: ReadonlyMap<number, readonly LaneRow[]>;
  readonly readRows: ReadRows;
}

/** Open lanes with messages of these texts, one list for each. */
function workOf(texts: readonly (readonly string[])[]): Work {
  const rows = new Map<number, readonly LaneRow[]>();
  let seq = 1;
  const all = texts.map((list, index) => {
    const lane = laneOf(index, { pendingCount: list.length });
    rows.set(index, rowsOf(lane, list, seq));
    seq += list.length;
    return lane;
  });
  const lanes = new Lanes(closedLanes(all));
  for (let lane = lanes.takeClosed(); lane; lane = lanes.takeClosed()) lanes.release(lane);
  const readRows: ReadRows = (lane, limit) => {
    const [, , after] = lane.cursor;
    return rows
      .get(lane.conversation)!
      .filter((row) => row.seq > after)
      .slice(0, limit);
  };
  return { lanes, rows, readRows };
}

/** Everything that is sent, where each batch is answered before the next one is made. */
function sendAll({ lanes, readRows }: Work, limits: BatchLimits): Batch[] {
  const batches: Batch[] = [];
  for (;;) {
    const batch = nextBatch(lanes, limits, readRows, true);
    if (!batch) return batches;
    batches.push(batch);
    for (const lane of new Set(batch.rows.map((row) => row.lane))) {
      lane.inFlightCount = 0;
      lanes.release(lane);
    }
  }
}

const muidsIn = ({ body }: Batch) =>
  Object.keys((JSON.parse(body.toString('utf8')) as { messages: Record<string, unknown> }).messages);
const seqs = (rows: readonly LaneRow[]) => rows.map(({ seq }) => seq);

const work = fc.array(fc.array(fc.string({ unit: anyCharacter, maxLength: 60 }), { maxLength: 30 }), { maxLength: 8 });
const limits = fc.record({ itemsMax: fc.integer({ min: 1, max: 12 }), bytesMax: fc.integer({ min: 100, max: 2000 }) });

describe('nextBatch()', () => {
  it('loses, repeats and reorders nothing of any lane', () => {
    fc.assert(
      fc.property(work, limits, (texts, limit) => {
        const given = workOf(texts);
        const sent = sendAll(given, limit).flatMap((batch) => batch.rows);
        for (const [conversation, rows] of given.rows) {
          expect(seqs(sent.filter(({ lane }) => lane.conversation === conversation))).toEqual(seqs(rows));
        }
      }),
    );
  });

  it('keeps within items and bytes, except for a message that is too large by itself and goes alone', () => {
    fc.assert(
      fc.property(work, limits, (texts, limit) => {
        for (const { rows, body } of sendAll(workOf(texts), limit)) {
          expect(rows.length).toBeGreaterThan(0);
          expect(rows.length).toBeLessThanOrEqual(limit.itemsMax);
          if (rows.length > 1) expect(body.byteLength).toBeLessThanOrEqual(limit.bytesMax);
        }
      }),
    );
  });

  it('creates bodies whose messages a JSON parser reads in the same order', () => {
    fc.assert(
      fc.property(work, limits, (texts, limit) => {
        for (const batch of sendAll(workOf(texts), limit)) {
          expect(muidsIn(batch)).toEqual(batch.rows.map(({ muid }) => muid));
        }
      }),
    );
  });

  it('makes the same batches of the same work', () => {
    fc.assert(
      fc.property(work, limits, (texts, limit) => {
        const once = sendAll(workOf(texts), limit).map(({ body }) => body.toString('utf8'));
        expect(sendAll(workOf(texts), limit).map(({ body }) => body.toString('utf8'))).toEqual(once);
      }),
    );
  });

  it('needs no more requests than there must be where only items count', () => {
    fc.assert(
      fc.property(work, fc.integer({ min: 1, max: 12 }), (texts, itemsMax) => {
        const batches = sendAll(workOf(texts), { itemsMax, bytesMax: 1_000_000 });
        expect(batches.length).toBe(Math.ceil(texts.flat().length / itemsMax));
      }),
    );
  });

  it('takes the longest lane first and fills up from others', () => {
    const { lanes, readRows } = workOf([['a'], ['b', 'b', 'b'], ['c', 'c']]);
    const batch = nextBatch(lanes, { itemsMax: 5, bytesMax: 10_000 }, readRows, false)!;
    expect(batch.rows.map(({ lane }) => lane.conversation)).toEqual([1, 1, 1, 2, 2]);
  });

  it('never takes from a lane that is in flight', () => {
    const { lanes, readRows } = workOf([['a', 'a', 'a', 'a'], ['b']]);
    const first = nextBatch(lanes, { itemsMax: 2, bytesMax: 10_000 }, readRows, true)!;
    const second = nextBatch(lanes, { itemsMax: 2, bytesMax: 10_000 }, readRows, true)!;
    expect([seqs(first.rows), seqs(second.rows)]).toEqual([[1, 2], [5]]);
    expect(nextBatch(lanes, { itemsMax: 2, bytesMax: 10_000 }, readRows, true)).toBeUndefined();
  });

  it('makes no partial batch unless it may', () => {
    const { lanes, readRows } = workOf([['a'], ['b']]);
    expect(nextBatch(lanes, { itemsMax: 3, bytesMax: 10_000 }, readRows, false)).toBeUndefined();
    expect(nextBatch(lanes, { itemsMax: 3, bytesMax: 10_000 }, readRows, true)?.rows).toHaveLength(2);
  });
});

describe('batchOf()', () => {
  it('makes a body of nothing, one and several messages', () => {
    const rows = rowsOf(laneOf(1), ['a', '\ud800"\n'], 1);
    expect(batchOf([]).body.toString()).toBe('{"messages":{}}');
    expect(muidsIn(batchOf(rows.slice(0, 1)))).toHaveLength(1);
    expect(muidsIn(batchOf(rows))).toEqual(rows.map(({ muid }) => muid));
  });
});
