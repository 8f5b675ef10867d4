import { sha256Hex } from '../../lib/hash.ts';

/** Format of copy names: `copies/<unit>/0000000012-9f3c0a6b52d1e847.zst`. A name contains nothing of the copy's content. */

/** Maximum length of a unit name that is written out; file systems take 255 bytes. */
const unitLengthMax = 160;

/**
 * Returns the folder for the copies of a unit. Small letters, digits and - are kept, each other byte becomes _ and two
 * hex digits, so that two units never share a folder, even if a file system ignores case. For a long name, uses its
 * beginning and its digest.
 */
export function unitFolder(unit: string): string {
  const encoded = [...Buffer.from(unit)].map(encodedByte).join('');
  // No byte is written with an h.
  const name =
    encoded.length <= unitLengthMax ? encoded : `${encoded.slice(0, unitLengthMax - 66)}_h${sha256Hex(unit)}`;
  return `copies/${name}/`;
}

const encodedByte = (byte: number): string => {
  const character = String.fromCharCode(byte);
  return /[a-z0-9-]/.test(character) ? character : `_${byte.toString(16).padStart(2, '0')}`;
};

/** A key that there is not yet. */
export function copyKey(unit: string, number: number, random: () => number): string {
  const half = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${unitFolder(unit)}${String(number).padStart(10, '0')}-${half()}${half()}.zst`;
}

/** Returns the number of a copy of the unit; undefined if the key is not a copy. */
export function numberOf(unit: string, key: string): number | undefined {
  const folder = unitFolder(unit);
  const digits = key.startsWith(folder)
    ? /^(\d{10,15})-[0-9a-f]{16}\.zst$/.exec(key.slice(folder.length))?.[1]
    : undefined;
  return digits === undefined ? undefined : Number(digits);
}
