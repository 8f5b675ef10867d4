import { sha256Hex } from '../../../lib/hash.ts';

/** How copies are named: `copies/<unit>/0000000012-9f3c0a6b52d1e847.zst`. Nothing of what they hold stands in a name. */

/** Of a name of a unit that is written out; file systems take 255 bytes. */
const unitLengthMax = 160;

/**
 * Where the copies of a unit stand. Small letters, digits and - are themselves, each other byte is _ and two hex digits, so that two units never
 * have one folder, also where a file system takes A for a; of a long name the beginning and its digest.
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

/** Of a copy of the unit; nothing of what is none. */
export function numberOf(unit: string, key: string): number | undefined {
  const folder = unitFolder(unit);
  const digits = key.startsWith(folder)
    ? /^(\d{10,15})-[0-9a-f]{16}\.zst$/.exec(key.slice(folder.length))?.[1]
    : undefined;
  return digits === undefined ? undefined : Number(digits);
}
