import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sharedFolder } from './requirements.ts';

/** Any string that JavaScript can hold: every code unit, halves of surrogate pairs among them. */
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

/**
 * Any character but halves of surrogate pairs: the unit `binary` of fast-check, which makes a map of all 1.1 million of them in each process
 * that uses it.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10_ffff - 0x800 }).map(
  (number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800),
  (character) => {
    if (typeof character !== 'string' || !/^\P{Surrogate}$/su.test(character)) throw new Error('Not one character');
    const code = character.codePointAt(0)!;
    return code < 0xd800 ? code : code - 0x800;
  },
);

/** Any text that an export may hold, with what is apt to be read as markup, a key or a number. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  codeUnits,
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.constantFrom('', ' ', '__proto__', 'constructor', 'toString', '12', '\u2028', '\ud800', '\udc00', '{id}', '"},'),
);

/** Returns the Big List of Naughty Strings, or null if the folder is missing. */
export function naughtyStrings(): readonly string[] | null {
  const folder = sharedFolder('corpora/blns');
  return folder === null ? null : (JSON.parse(readFileSync(join(folder, 'blns.json'), 'utf8')) as string[]);
}
