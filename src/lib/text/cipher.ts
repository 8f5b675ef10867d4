/** Length that is looked at. Ciphers have no blank among them. */
const lookedMax = 256;
/** Ten bytes in hex, or 15 in base64: less than any block of a cipher takes. */
const lengthMin = 20;
/** Length of a vector or a tag in front of the data. A name of the cipher in front of all may be shorter: `v1:`. */
const partMin = 8;

const openings = [
  'U2FsdGVkX1',
  'eyJpdiI6',
  '-----BEGIN PGP MESSAGE',
  '{"p":"',
  '{"iv":"',
  '{"ct":"',
  '{"ciphertext":"',
];

const codeOf = (character: string): number => character.charCodeAt(0);
const cuts: ReadonlySet<number> = new Set([...':.$'].map(codeOf));
/** Base64 has these next to letters and digits. */
const signs: ReadonlySet<number> = new Set([...'+/=-_'].map(codeOf));
const isBetween = (unit: number, first: string, last: string) => unit >= codeOf(first) && unit <= codeOf(last);

/**
 * Whether a text looks encrypted: base64, hex, several such parts (`iv:tag:data`), or one of the beginnings that OpenSSL, Laravel, Rails and PGP
 * write. Languages without blanks, addresses and UUIDs do not.
 */
export function looksEncrypted(text: string): boolean {
  if (text.length < lengthMin) return false;
  const length = Math.min(text.length, lookedMax);
  let [digits, lower, upper, beyondHex, partAt] = [0, 0, 0, 0, 0];
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (isBetween(unit, '0', '9')) digits++;
    else if (isBetween(unit, 'a', 'z')) lower++;
    else if (isBetween(unit, 'A', 'Z')) upper++;
    else if (cuts.has(unit)) {
      if (partAt > 0 && at - partAt < partMin) return false;
      partAt = at + 1;
      continue;
    } else if (!signs.has(unit)) return openings.some((opening) => text.startsWith(opening));
    if (!isBetween(unit, '0', '9') && !isBetween(unit, 'a', 'f') && !isBetween(unit, 'A', 'F')) beyondHex++;
  }
  if (partAt > 0 && length === text.length && length - partAt < partMin) return false;
  const isHex = beyondHex === 0 && digits > 0 && lower + upper > 0;
  return isHex || (digits > 0 && lower > 0 && upper > 0);
}
