import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PackedMap } from '../../../src/lib/maps/packed-map.ts';
import { anyCharacter } from '../../arbitrary-text.ts';

const text = fc.oneof(
  fc.constantFrom('', 'U1', 'U2', 'Zoë', '\ud83d\ude00', '\ud83d', '\ude00', 'x'.repeat(2_000), 'é'.repeat(2_001)),
  fc.string({ unit: anyCharacter }),
);

describe('PackedMap', () => {
  it.each([0, 3])('answers as a Map does, whatever is set in which order: %i held as they are', (plain) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (entries) => {
        const packed = new PackedMap(plain);
        const map = new Map<string, string>();
        for (const [key, value] of entries) {
          packed.set(key, value);
          map.set(key, value);
          expect(packed.size).toBe(map.size);
        }
        for (const [key, value] of map) expect(packed.get(key)).toBe(value);
        for (const [key] of entries) expect(packed.get(`${key}!`)).toBe(map.get(`${key}!`));
      }),
    );
  });

  it('keeps all of many entries, across its internal blocks', () => {
    const packed = new PackedMap(0);
    const value = (number: number) => `Person ${number} of a name that is as long as names are`;
    for (let number = 0; number < 40_000; number++) packed.set(`U${number}`, value(number));
    expect(packed.size).toBe(40_000);
    for (let number = 0; number < 40_000; number += 7) expect(packed.get(`U${number}`)).toBe(value(number));
    expect(packed.get('U40000')).toBeUndefined();
  });
});
