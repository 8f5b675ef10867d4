import { describe, expect, it } from 'vitest';
import type { ArrivedMessage } from '../../src/sandbox/book.ts';
import { compare } from '../../src/selftest/steps/compare.ts';
import type { ExpectedMessage } from '../../src/selftest/steps/make-export.ts';

const expected: readonly ExpectedMessage[] = ['one', 'two', 'three', 'four'].map((text, index) => ({
  id: `k${index}`,
  conversation: index < 3 ? 'group_a' : 'group_b',
  position: index < 3 ? index : 0,
  sender: 'ann',
  sentAtSeconds: 1_709_251_200 + index,
  text,
}));

const arrived: readonly ArrivedMessage[] = expected.map(({ conversation, sender, sentAtSeconds, text }) => ({
  conversation,
  sender,
  sentAtSeconds,
  text,
}));
const [one, two, three, four] = arrived as [ArrivedMessage, ArrivedMessage, ArrivedMessage, ArrivedMessage];

const nothing = { lost: 0, duplicated: 0, unexpected: 0, outOfOrder: 0 };
const noneIsLate = new Set<string>();

describe('compare()', () => {
  it('finds nothing where all is as it should be, whatever the order between conversations', () => {
    expect(compare(expected, arrived, noneIsLate)).toEqual({ ...nothing, examples: [] });
    expect(compare(expected, [four, one, two, three], noneIsLate)).toEqual({ ...nothing, examples: [] });
  });

  it.each([
    ['a lost message', [one, three, four], { lost: 1 }],
    ['all lost', [], { lost: 4 }],
    ['a duplicated message', [one, two, two, three, four], { duplicated: 1 }],
    ['a copy that comes later', [one, two, three, four, one], { duplicated: 1 }],
    ['a foreign message', [one, two, { ...two, text: 'five' }, three, four], { unexpected: 1 }],
    ['an altered character', [one, { ...two, text: 'twо' }, three, four], { unexpected: 1, lost: 1 }],
    ['another sender', [one, { ...two, sender: 'bo' }, three, four], { unexpected: 1, lost: 1 }],
    ['another time', [one, { ...two, sentAtSeconds: 0 }, three, four], { unexpected: 1, lost: 1 }],
    ['another conversation', [one, { ...two, conversation: 'group_b' }, three, four], { unexpected: 1, lost: 1 }],
    ['two that are exchanged', [two, one, three, four], { outOfOrder: 1 }],
    ['one that comes far too late', [two, three, four, one], { outOfOrder: 1 }],
  ])('finds %s', (_, found, wanted) => {
    const { examples, ...counts } = compare(expected, found as ArrivedMessage[], noneIsLate);
    expect(counts).toEqual({ ...nothing, ...wanted });
    expect(examples).toHaveLength(Object.keys(wanted).length);
  });

  it('ignores the position of a message that is late in the store, and checks all others', () => {
    expect(compare(expected, [two, three, one, four], new Set(['k0']))).toMatchObject(nothing);
    expect(compare(expected, [three, two, one, four], new Set(['k0']))).toMatchObject({ ...nothing, outOfOrder: 1 });
  });
});
