import { describe, expect, it } from 'vitest';
import { FailureWatch, type FailureSurge, surgeError } from '../../src/delivery/lanes/stop-rules.ts';

/** @returns The first wall. */
function noteMany(watch: FailureWatch, count: number, code?: string): FailureSurge | undefined {
  let surge: FailureSurge | undefined;
  for (let index = 0; index < count; index++) surge ??= watch.note(code, 'its words');
  return surge;
}

describe('FailureWatch', () => {
  it('lets exactly the allowed share pass, and stops at one more', () => {
    const watch = new FailureWatch(0.2);
    const passing = [
      noteMany(watch, 160),
      noteMany(watch, 40, 'ERR_A'),
      noteMany(watch, 160),
      noteMany(watch, 40, 'ERR_A'),
    ];
    expect(passing).toEqual(Array(4).fill(undefined));
    expect(watch.note('ERR_A', '')).toMatchObject({ code: 'ERR_A' });
  });

  it('stops, resumable, with the code and words of the service', () => {
    const watch = new FailureWatch(0.2);
    noteMany(watch, 160);
    noteMany(watch, 40, 'ERR_A');
    watch.note('ERR_B', 'others');
    const surge = { code: 'ERR_A', detail: 'its words', share: 0.205, of: 200 };
    expect([watch.note('ERR_A', 'its words'), watch.note('ERR_A', 'its words')]).toEqual([
      { ...surge, share: 0.205 },
      { ...surge, share: 0.21 },
    ]);
  });

  it('does not judge before 200 messages are answered', () => {
    const watch = new FailureWatch(0);
    expect(noteMany(watch, 199, 'ERR_A')).toBeUndefined();
    expect(noteMany(watch, 1, 'ERR_A')).toMatchObject({ code: 'ERR_A', share: 1 });
  });

  it('does not add up different codes', () => {
    const watch = new FailureWatch(0.2);
    const surges = Array.from({ length: 1000 }, (_, index) => watch.note(`ERR_${index % 5}`, ''));
    expect(surges.filter(Boolean)).toEqual([]);
  });

  it('checks only the last 200 answers', () => {
    const watch = new FailureWatch(0.2);
    const surges = [
      noteMany(watch, 160),
      noteMany(watch, 40, 'ERR_A'),
      noteMany(watch, 200),
      noteMany(watch, 40, 'ERR_A'),
    ];
    expect(surges).toEqual(Array(4).fill(undefined));
  });

  it('never stops at 100 %, whatever stopped the run before', () => {
    expect(noteMany(new FailureWatch(1), 1000, 'ERR_A')).toBeUndefined();
    const watch = new FailureWatch(1, 'ERR_A');
    expect([watch.isCautious, noteMany(watch, 1000, 'ERR_A')]).toEqual([false, undefined]);
  });

  it('needs 20 answers if the previous run stopped for the same code, and is cautious until then', () => {
    const watch = new FailureWatch(0.2, 'ERR_A');
    expect([noteMany(watch, 15), noteMany(watch, 4, 'ERR_A'), watch.isCautious]).toEqual([undefined, undefined, true]);
    expect(watch.note('ERR_A', 'its words')).toEqual({ code: 'ERR_A', detail: 'its words', share: 0.25, of: 20 });
    expect(watch.isCautious).toBe(false);
  });

  it('behaves normally after the first 20: for other codes, and after the cause is fixed', () => {
    const others = new FailureWatch(0.2, 'ERR_A');
    expect(noteMany(others, 199, 'ERR_B')).toBeUndefined();
    expect(others.note('ERR_B', '')).toMatchObject({ of: 200 });
    const right = new FailureWatch(0.2, 'ERR_A');
    expect([noteMany(right, 20), noteMany(right, 30, 'ERR_A'), noteMany(right, 149)]).toEqual(Array(3).fill(undefined));
  });
});

describe('surgeError()', () => {
  const surge = { code: 'ERR_A', detail: 'its words', share: 0.21, of: 200 };
  const counts = { failed: 120, arrived: 30, pending: 850, pendingOld: 700 };

  it('returns the error of the service, the remaining messages, and the option that completes the import', () => {
    const error = surgeError(surge, { ...counts, olderThanDays: 183 });
    expect(error.message).toBe('Stopped: the destination refused 21 % of the last 200 messages with ERR_A: its words');
    expect(error.hint).toBe(
      '120 of 1,000 messages failed with it, all of them older than 183 days, as are 700 of the 850 still to be sent: leave those out with --retention-days 183 (or messages.olderThan in the mapping), or go on with --max-failures 100%',
    );
    expect(error.goOn).toEqual(['--retention-days 183', '--max-failures 100%']);
  });

  it('does not speak of age where that is not the reason', () => {
    const error = surgeError(surge, { ...counts, olderThanDays: undefined });
    expect(error.hint).toBe(
      '120 of 1,000 messages failed with it, 850 are still to be sent: put the cause right and run the same command again, or go on with --max-failures 100%',
    );
    expect(error.goOn).toEqual(['--max-failures 100%']);
  });
});
