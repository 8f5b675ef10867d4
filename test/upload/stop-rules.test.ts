import { describe, expect, it } from 'vitest';
import { DestinationError } from '../../src/lib/errors.ts';
import { RefusalWatch } from '../../src/upload/lanes/stop-rules.ts';

function noteMany(watch: RefusalWatch, count: number, code?: string): void {
  for (let index = 0; index < count; index++) watch.note(code, 'its words');
}

describe('RefusalWatch', () => {
  it('lets exactly the allowed share pass, and stops at one more', () => {
    const watch = new RefusalWatch(0.2);
    noteMany(watch, 160);
    noteMany(watch, 40, 'ERR_A');
    noteMany(watch, 160);
    noteMany(watch, 40, 'ERR_A');
    expect(() => watch.note('ERR_A', '')).toThrow(DestinationError);
  });

  it('stops, resumable, with the code and words of the service', () => {
    const watch = new RefusalWatch(0.2);
    noteMany(watch, 160);
    noteMany(watch, 40, 'ERR_A');
    const stop = () => watch.note('ERR_A', 'its words');
    watch.note('ERR_B', 'others');
    expect(stop).toThrow(DestinationError);
    expect(stop).toThrow('Stopped: the destination refused 21 % of the last 200 messages with ERR_A: its words');
  });

  it('does not judge before 200 messages are answered', () => {
    const watch = new RefusalWatch(0);
    noteMany(watch, 199, 'ERR_A');
    expect(() => noteMany(watch, 1, 'ERR_A')).toThrow(DestinationError);
  });

  it('does not add up different codes', () => {
    const watch = new RefusalWatch(0.2);
    for (let index = 0; index < 1000; index++) watch.note(`ERR_${index % 5}`, '');
  });

  it('looks at the last 200 only', () => {
    const watch = new RefusalWatch(0.2);
    noteMany(watch, 160);
    noteMany(watch, 40, 'ERR_A');
    noteMany(watch, 200);
    noteMany(watch, 40, 'ERR_A');
  });

  it('never stops at 100 %', () => {
    noteMany(new RefusalWatch(1), 1000, 'ERR_A');
  });
});
