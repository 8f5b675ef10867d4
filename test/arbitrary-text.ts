import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sharedFolder } from './requirements.ts';

/** Any string that JavaScript can hold: every code unit, halves of surrogate pairs among them. */
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

const codePoint = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xff }) },
  { weight: 2, arbitrary: fc.integer({ min: 0x100, max: 0xd7ff }) },
  { weight: 3, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
);

/** Any code points but halves of surrogate pairs: those of `unit: 'binary'` of fast-check, which takes two seconds to make a table of them. */
export const codePoints = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.array(codePoint, lengths).map((points) => String.fromCodePoint(...points));

/** Any text that an export may hold, with what is apt to be read as markup, a key or a number. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  codeUnits,
  codePoints(),
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.constantFrom('', ' ', '__proto__', 'constructor', 'toString', '12', '\u2028', '\ud800', '\udc00', '{id}', '"},'),
);

/** Returns the Big List of Naughty Strings, or null if the folder is missing. */
export function naughtyStrings(): readonly string[] | null {
  const folder = sharedFolder('corpora/blns');
  return folder === null ? null : (JSON.parse(readFileSync(join(folder, 'blns.json'), 'utf8')) as string[]);
}
