import { crypto } from './late.ts';

const alphabet = Buffer.from('abcdefghijklmnopqrstuvwxyz234567');

/** Buffer in which characters are assembled: cheaper than appending them to a string one by one. */
const characters = Buffer.alloc(51);

/** The first `length` (at most 51) characters of the lower-case base32 (RFC 4648 alphabet, no padding) of SHA-256 over the text's UTF-8 bytes. */
export function sha256Base32(text: string, length: number): string {
  // As a string of bytes: cheaper to take apart than hex, cheaper to make than a Buffer.
  const bytes = crypto().hash('sha256', text, 'latin1');
  let bits = 0;
  let bitCount = 0;
  for (let at = 0, count = 0; count < length; count++) {
    if (bitCount < 5) {
      bits = ((bits << 8) | bytes.charCodeAt(at++)) & 0xfff;
      bitCount += 8;
    }
    bitCount -= 5;
    characters[count] = alphabet[(bits >> bitCount) & 31]!;
  }
  return characters.toString('latin1', 0, length);
}

/** SHA-256 of the text's UTF-8 bytes as lower-case hex. */
export const sha256Hex = (text: string): string => crypto().hash('sha256', text, 'hex');
