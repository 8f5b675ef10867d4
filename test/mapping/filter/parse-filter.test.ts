import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../../src/mapping/filter.ts';

describe('parseFilter()', () => {
  it('reads terms, their values and what turns them round', () => {
    const { terms } = parseFilter('in:#General,random -from:"Ada \\"the\\" first" kind:system,bot text:Invoice id:1.2');
    expect(terms).toEqual([
      { key: 'in', isNegated: false, values: ['general', 'random'] },
      { key: 'from', isNegated: true, values: ['ada "the" first'] },
      { key: 'kind', isNegated: false, values: ['system', 'bot'] },
      { key: 'text', isNegated: false, values: ['invoice'] },
      { key: 'id', isNegated: false, values: ['1.2'] },
    ]);
  });

  it('takes a day as its first instant, after with it and before without', () => {
    const day = Date.UTC(2024, 0, 1);
    expect(parseFilter('after:2024-01-01 before:2024-01-01').terms).toEqual([
      { key: 'after', isNegated: false, atMs: day },
      { key: 'before', isNegated: false, atMs: day },
    ]);
  });

  it('returns the same filter for any whitespace between its terms', () => {
    expect(parseFilter('  in:a \t from:b ').text).toBe('in:a from:b');
  });

  it.each([
    ['', 'expected at least one term, such as in:general'],
    ['general', 'column 1: expected KEY:VALUE, such as in:general or -kind:system, found "general"'],
    ['in:a channel:b', 'column 6: expected one of in: from: kind: after: before: text: id:, found "channel:"'],
    ['in:a,', 'column 6: expected a value for in:, found nothing'],
    ['in: a', 'column 4: expected a value for in:, found nothing'],
    ['text:"open', 'column 6: expected a closing quote; inside quotes write \\" and \\\\'],
    ['text:"a"b', 'column 9: expected a comma or a space after the quote, found "b"'],
    [
      'kind:note',
      'column 6: expected one of message, internal, system, call, bot, reply, edited, deleted, pinned, quote, mention, reaction, file, found "note"',
    ],
    [
      'in:a after:soon',
      'column 12: expected a date such as 2026-03-01, or a time with its zone, such as 2026-03-01T09:30Z, found "soon"',
    ],
    ['after:2024-01-01,2025-01-01', 'column 18: expected one time for after:, found a second'],
  ])('refuses %j with its column', (text, words) => {
    expect(() => parseFilter(text)).toThrow(new RangeError(words));
  });
});
