import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repaired, repairedAll } from '../../../src/sources/meta/mojibake.ts';

const broken = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('repaired()', () => {
  it.each([
    ['cafÃ©', 'café'],
    [broken('❤️ 👍🏿'), '❤️ 👍🏿'],
    [broken('日本'), '日本'],
  ])('repairs %j', (text, right) => expect(repaired(text)).toBe(right));

  it.each([
    [''],
    ['plain'],
    ['café'],
    ['“Ã©”'],
    ['Ã('],
    ['Ã'],
    ['❤'],
    // A letter of more bytes than it needs, a half of a pair, and beyond the last letter.
    ['\u00c0\u00af'],
    ['\u00ed\u00a0\u0080'],
    ['\u00f4\u0090\u0080\u0080'],
  ])('leaves %j', (text) => expect(repaired(text)).toBe(text));

  it('reverses the damage to any text', () => {
    const undone = (text: string) => {
      expect(repaired(broken(text))).toBe(text.toWellFormed());
    };
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), undone), { numRuns: 30 });
  });
});

it('repairedAll() repairs every text in a value', () => {
  expect(repairedAll({ a: ['Ã©', 1, null], b: { c: 'Ã©' } })).toEqual({ a: ['é', 1, null], b: { c: 'é' } });
});
