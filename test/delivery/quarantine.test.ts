import { describe, expect, it } from 'vitest';
import type { Lane, LaneRow } from '../../src/delivery/lanes.ts';
import { Lanes } from '../../src/delivery/lanes/queue.ts';
import { type Piece, Quarantine } from '../../src/delivery/lanes/quarantine.ts';
import { closedLanes, laneOf, rowsOf } from './fixture.ts';
import { attemptsMax } from '../../src/lib/flow/retry.ts';

const failure = { code: 'http_502', detail: 'its words' };

/** Lanes with a batch in flight each, of so many messages, and more behind them. */
function scene(...sizes: readonly number[]) {
  const all = sizes.map((size, index) => laneOf(index, { pendingCount: 5, inFlightCount: size, state: 'busy' }));
  const rows = all.map((lane, index) => rowsOf(lane, Array<string>(sizes[index]!).fill('x'), 100 * index + 1));
  const quarantine = new Quarantine(new Lanes(closedLanes([])));
  return { quarantine, lanes: all as readonly Lane[], rows: rows as readonly LaneRow[][] };
}

const seqs = (pieces: readonly Piece[]) => pieces.map((piece) => piece.rows.map(({ seq }) => seq));
/** Fails the pieces: nothing of them arrived. */
const fail = (quarantine: Quarantine, pieces: readonly Piece[]) => {
  for (const piece of pieces) quarantine.putBack(piece, piece.rows, failure);
};
const arrive = (quarantine: Quarantine, pieces: readonly Piece[]) => {
  for (const piece of pieces) {
    for (const { lane } of piece.rows) lane.inFlightCount--;
    quarantine.putBack(piece, [], failure);
  }
};

describe('Quarantine', () => {
  it('holds a lane until a success, and then tries its halves in order', () => {
    const { quarantine, lanes, rows } = scene(4);
    quarantine.add(rows[0]!, failure);
    expect([lanes[0]!.state, lanes[0]!.quarantinedCount, seqs(quarantine.takeDue())]).toEqual(['held', 4, []]);
    quarantine.noteSuccess([]);
    const first = quarantine.takeDue();
    expect([seqs(first), lanes[0]!.state, seqs(quarantine.takeDue())]).toEqual([[[1, 2]], 'busy', []]);
  });

  it('sends nothing behind a message of the same lane that waits, also if others are answered', () => {
    const { quarantine, rows } = scene(2);
    quarantine.add(rows[0]!, failure);
    quarantine.noteSuccess([]);
    const alone = quarantine.takeDue();
    fail(quarantine, alone);
    expect(quarantine.takeDue()).toEqual([]);
    quarantine.noteSuccess([]);
    expect(seqs(quarantine.takeDue())).toEqual([[1]]);
  });

  it('tries pieces of several lanes side by side', () => {
    const { quarantine, rows } = scene(1, 1);
    quarantine.add(rows[0]!, failure);
    quarantine.add(rows[1]!, failure);
    quarantine.noteSuccess([]);
    expect(seqs(quarantine.takeDue())).toEqual([[1], [101]]);
  });

  it('counts a failure alone only with a success before it, and needs another one to try again', () => {
    const { quarantine, rows } = scene(1);
    quarantine.add(rows[0]!, failure);
    const free = quarantine.takeUntried()!;
    fail(quarantine, [free]);
    for (let failures = 0; failures <= attemptsMax; failures++) {
      expect(quarantine.takeDue()).toEqual([]);
      quarantine.noteSuccess([]);
      const due = quarantine.takeDue();
      expect(due.map((piece) => piece.failures)).toEqual([failures]);
      fail(quarantine, due);
    }
  });

  it('does not begin with a piece that is still being sent, though its lane is free', () => {
    const { quarantine, lanes, rows } = scene(1);
    quarantine.add(rows[0]!, failure);
    quarantine.noteSuccess([]);
    const due = quarantine.takeDue();
    lanes[0]!.inFlightCount = 0;
    lanes[0]!.state = 'ready';
    expect([due.length, quarantine.takeDue()]).toEqual([1, []]);
    quarantine.putBack(due[0]!, [], failure);
    expect(quarantine.isEmpty).toBe(true);
  });

  it('tries untried messages from the first on, at most twelve times in a row without a success', () => {
    const { quarantine, rows } = scene(16, 16);
    quarantine.add(rows[0]!, failure);
    quarantine.add(rows[1]!, failure);
    const sizes: number[] = [];
    for (let piece = quarantine.takeUntried(); piece; piece = quarantine.takeUntried()) {
      sizes.push(piece.rows.length);
      fail(quarantine, [piece]);
    }
    expect(sizes).toEqual([8, 4, 2, 1, 1, 2, 1, 1, 4, 2, 1, 1]);
    quarantine.noteSuccess([]);
    expect(quarantine.takeUntried()).toBeDefined();
  });

  it('lets lanes go on behind it once after each success', () => {
    const { quarantine, lanes, rows } = scene(1);
    quarantine.add(rows[0]!, failure);
    expect([quarantine.goBehind(), lanes[0]!.state, quarantine.goBehind()]).toEqual([true, 'ready', false]);
    quarantine.noteSuccess([]);
    arrive(quarantine, quarantine.takeDue());
    expect([quarantine.isEmpty, lanes[0]!.quarantinedCount]).toEqual([true, 0]);
  });

  it('is cautious after twelve requests in a row that stay unanswered', () => {
    const { quarantine } = scene();
    for (let count = 0; count < 11; count++) quarantine.noteUnanswered();
    expect(quarantine.isCautious).toBe(false);
    quarantine.noteUnanswered();
    expect(quarantine.isCautious).toBe(true);
    quarantine.noteSuccess([]);
    expect(quarantine.isCautious).toBe(false);
  });

  it('blames a message alone sooner where every good one arrived at once than where half of the requests brought nothing', () => {
    const triesUntilBlamed = (absencesOfGoodOnes: number) => {
      const { quarantine, rows } = scene(1, 1);
      const [[bad], [good]] = rows as [[LaneRow], [LaneRow]];
      for (let count = 0; count < absencesOfGoodOnes; count++) quarantine.noteAbsent(good);
      quarantine.noteSuccess([good]);
      for (let tries = 1; ; tries++) {
        quarantine.noteAbsent(bad);
        if (quarantine.hasFailed({ rows: [bad], failure, failures: tries, isTried: true, since: 0 })) return tries;
      }
    };
    expect([triesUntilBlamed(0), triesUntilBlamed(1)]).toEqual([attemptsMax, 19]);
  });
});
