import { describe, expect, it } from 'vitest';
import { Lanes } from '../../src/delivery/lanes/queue.ts';
import { closedLanes, laneOf } from './fixture.ts';

describe('Lanes', () => {
  it('opens lanes that were put back behind all others, and those that were put back last at the end', () => {
    const all = [9, 5, 3].map((pendingCount, index) => laneOf(index, { pendingCount }));
    const lanes = new Lanes(closedLanes(all));
    const [first, second] = [lanes.takeClosed()!, lanes.takeClosed()!];
    lanes.putBack([first]);
    lanes.putBack([second]);
    expect([lanes.closedCount, lanes.hasAtMost(16), lanes.hasAtMost(17)]).toEqual([3, false, true]);
    const opened = [lanes.takeClosed(), lanes.takeClosed(), lanes.takeClosed()].map((lane) => lane?.pendingCount);
    expect(opened).toEqual([3, 9, 5]);
    expect([lanes.hasClosed, lanes.takeClosed()]).toEqual([false, undefined]);
  });

  it('counts ready messages in every state of a lane', () => {
    const lane = laneOf(1, { pendingCount: 5 });
    const lanes = new Lanes(closedLanes([lane]));
    expect(lanes.takeClosed()?.state).toBe('opening');
    lanes.release(lane);
    expect([lane.state, lanes.readyCount]).toEqual(['ready', 5]);
    lanes.take(lane);
    expect([lane.state, lanes.readyCount]).toEqual(['busy', 0]);
    lane.pendingCount = 2;
    lanes.release(lane);
    lanes.take(lane);
    lane.pendingCount = 0;
    lanes.release(lane);
    expect([lane.state, lanes.readyCount, lanes.ready()]).toEqual(['done', 0, []]);
  });
});
