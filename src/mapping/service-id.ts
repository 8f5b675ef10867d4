import { letters as lettersTable } from '../lib/late.ts';
import { serviceIdLengthMax, uidWithHash } from './ids.ts';
import type { Rules } from './rules.ts';

/**
 * Returns a `uid` or `guid` for an id of the export: lower-cased, `[a-z0-9_-]`, at most 100 characters. If a character
 * had to be replaced or the id had to be cut, `-` and 8 characters of its hash are appended, so that different ids stay
 * different. Nothing is appended for lower-casing alone, or for writing Latin, Greek or Cyrillic letters in ASCII. Ids
 * that differ only in case or accents therefore collide, and the plan names both.
 *
 * An ASCII id gives the same result under both values of `letters`.
 */
export function serviceId(id: string, letters: Rules['ids'] = 'transliterate'): string {
  const text = letters === 'replace' ? id : inAscii(id);
  const lower = text.toLowerCase();
  const isLegible = text === id || ofAlphabets.test(id);
  if (isLegible && lower.length > 0 && lower.length <= serviceIdLengthMax && /^[a-z0-9_-]+$/.test(lower)) return lower;
  const dashed = lower.replaceAll(/[^a-z0-9_-]+/g, '-');
  const kept = text === id ? dashed : trimDashes(dashed);
  return uidWithHash(kept, id);
}

function trimDashes(text: string): string {
  let [from, to] = [0, text.length];
  while (text[from] === '-') from++;
  while (to > from && text[to - 1] === '-') to--;
  return text.slice(from, to);
}

/**
 * Latin, Greek and Cyrillic, with accents of their own or behind them. In other scripts far more words become the same: 李 and 里 are both "li".
 * By number, not by name: which letters are Latin depends on the Unicode of the Node that runs.
 */
const ofAlphabets = /^(?:[\0-\x7f\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f\u1e00-\u1fff]|[\u0300-\u036f])*$/;

/** Character by character, whatever the language: `ł` is `l`, `ü` is `u`. Signs such as ь, which become quotes, fall away. */
const inAscii = (text: string) =>
  text.replaceAll(/[^\0-\x7f]+/g, (run) => lettersTable().anyAscii(run).replaceAll(/['"`]/g, ''));
