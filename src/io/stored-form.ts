/** How a text is stored: as it is read, packed, or in two bytes a character. */
export type StoredForm = 'plain' | 'gzip' | 'utf-16le' | 'utf-16be';

/** Bytes from the beginning of a file that tell. */
export const formBytes = 64;

/** Control characters that stand in texts: tab and line ends. */
const isTextControl = (byte: number): boolean => byte === 0x09 || byte === 0x0a || byte === 0x0d;

/**
 * Tells by the first bytes. UTF-16, as Windows PowerShell writes it with `>`, has a byte order mark, or characters of ASCII with a
 * zero beside each and no other zeros. Anything else, UTF-8 with a mark included, is plain.
 *
 * @param head The first `formBytes` bytes of a file, or all of it.
 */
export function storedFormOf(head: Uint8Array): StoredForm {
  const [first, second, third, fourth] = head;
  if (first === 0x1f && second === 0x8b && third === 0x08) return 'gzip';
  // With two zeros behind it the mark is that of UTF-32.
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (isWide(head, 0)) return 'utf-16le';
  return isWide(head, 1) ? 'utf-16be' : 'plain';
}

/**
 * Whether two bytes are a character: at least two of them, and a quarter of all, are of ASCII.
 *
 * @param low Where the lower half of a character stands. It is zero in none, as are control characters that no text has.
 */
function isWide(head: Uint8Array, low: 0 | 1): boolean {
  let ascii = 0;
  for (let at = 0; at + 1 < head.length; at += 2) {
    const lower = head[at + low]!;
    if (lower === 0) return false;
    if (head[at + 1 - low] !== 0) continue;
    if (lower < 0x20 && !isTextControl(lower)) return false;
    if (lower < 0x80) ascii += 1;
  }
  return ascii >= Math.max(2, head.length / 8);
}
