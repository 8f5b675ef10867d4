import { describe, expect, it } from 'vitest';
import { decisionsAbout, gapsIn } from './kinds/edited-samples.ts';

const kinds = ['nestedRows', 'partialExports', 'messageNames', 'sameNames', 'overlaps', 'ownData'] as const;

describe('the kinds of faults that a source can have', () => {
  it.each(kinds)('are decided about by every source: %s', (kind) => {
    expect(gapsIn(decisionsAbout(kind))).toEqual([]);
  });

  it.each(['nothingRead', 'foreignFiles', 'unreadContent'] as const)('are left out with a reason alone: %s', (kind) => {
    expect(gapsIn(decisionsAbout(kind).filter(([, said]) => said !== undefined))).toEqual([]);
  });

  it('miss a source that has not decided', () => {
    const decisions = [
      ['irc', 'no'],
      ['smoke-signals', undefined],
      ...decisionsAbout('nestedRows').slice(0, 1),
    ] as const;
    expect(gapsIn(decisions)).toEqual(['irc gives no reason', 'test/sources/smoke-signals/kinds.ts says nothing']);
  });
});
