import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten } from '../../../src/lib/text/shorten.ts';
import { anyCharacter } from '../../arbitrary-text.ts';

describe('shorten()', () => {
  it('does not change text that is short enough', () => {
    expect(shorten('x'.repeat(100), 100)).toBe('x'.repeat(100));
    expect(shorten('', 100)).toBe('');
  });

  it('marks the cut', () => {
    expect(shorten('x'.repeat(101), 100)).toBe(`${'x'.repeat(99)}…`);
    expect(shorten('abcdef', 4)).toBe('abc…');
  });

  it('never splits a surrogate pair and never gets longer than allowed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (text, lengthMax) => {
          const short = shorten(text, lengthMax);
          expect(short.length).toBeLessThanOrEqual(lengthMax);
          expect(short.isWellFormed()).toBe(true);
          if (text.length > lengthMax) expect(text.startsWith(short.slice(0, -1))).toBe(true);
          else expect(short).toBe(text);
        },
      ),
    );
  });
});
