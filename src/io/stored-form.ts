/** How a text is stored: as it is read, packed, or in two bytes a character. */
export type StoredForm = 'plain' | 'gzip' | 'utf-16le' | 'utf-16be';

/** Bytes from the beginning of a file that are enough to detect its form. */
export const formBytes = 64;

/** Control characters that occur in texts: tab and line ends. */
const isTextControl = (byte: number): boolean => byte === 0x09 || byte === 0x0a || byte === 0x0d;

/**
 * Detects the form by the first bytes. UTF-16, as Windows PowerShell writes it with `>`, has a byte order mark, or
 * ASCII characters with a zero next to each and no other zeros. Anything else, including UTF-8 with a mark, is plain.
 *
 * @param head The first `formBytes` bytes of a file, or all of it.
 */
export function detectStoredForm(head: Uint8Array): StoredForm {
  const [first, second, third, fourth] = head;
  if (first === 0x1f && second === 0x8b && third === 0x08) return 'gzip';
  // With two zeros behind it the mark is that of UTF-32.
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (isWide(head, 0)) return 'utf-16le';
  return isWide(head, 1) ? 'utf-16be' : 'plain';
}

/**
 * Returns whether two bytes are one character: at least two of the characters, and a quarter of all, are ASCII.
 *
 * @param low Position of the lower half of a character. No character has a zero there, or a control character that no
 *   text has.
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
