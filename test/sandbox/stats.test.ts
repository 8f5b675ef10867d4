import { describe, expect, it } from 'vitest';
import { call, clockAt, direct, importAll, now, sandboxOf } from './fixture.ts';

interface Point {
  readonly messagesSent: number;
  readonly startTime: string;
  readonly endTime: string;
}

describe('statistics', () => {
  it('are points of five minutes over 24 hours, without a gap, in milliseconds as text', () => {
    const sandbox = sandboxOf({ clock: clockAt(now + 61_000) });
    const { data } = call(sandbox, 'GET /v3/stats/messages').json;
    expect(data).toMatchObject({ endTime: String(now + 300_000), startTime: String(now + 300_000 - 86_400_000) });
    expect(data.appId).toBe(sandbox.id);
    const points: Point[] = data.dataPoints;
    expect(points).toHaveLength(288);
    expect(points[0]!.startTime).toBe(data.startTime);
    points.forEach(({ startTime, endTime }, index) => {
      expect(Number(endTime) - Number(startTime)).toBe(300_000);
      if (index > 0) expect(startTime).toBe(points[index - 1]!.endTime);
    });
  });

  it('count sent messages, for each receiver, and not imported ones', () => {
    const clock = clockAt(now);
    const sandbox = sandboxOf({ clock });
    importAll(sandbox, direct('m1'));
    const counts = () =>
      (call(sandbox, 'GET /v3/stats/messages').json.data.dataPoints as Point[])
        .filter(({ messagesSent }) => messagesSent > 0)
        .map(({ messagesSent, startTime }) => [messagesSent, Number(startTime)]);
    expect(counts()).toEqual([]);
    const send = () =>
      call(sandbox, 'POST /v3/messages', {
        body: { multipleReceivers: { uids: ['ann', 'bob'] }, data: { text: 'x' } },
      });
    send();
    clock.ms += 299_000;
    send();
    clock.ms += 1_000;
    send();
    expect(counts()).toEqual([
      [4, now],
      [2, now + 300_000],
    ]);
    clock.ms += 86_400_000;
    expect(counts()).toEqual([]);
  });
});
