import { hash } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** The first `length` characters of the lower-case base32 (RFC 4648 alphabet, no padding) of SHA-256 over the text's UTF-8 bytes. */
export function sha256Base32(text: string, length: number): string {
  const hex = hash('sha256', text, 'hex');
  let out = '';
  // 20 bits at a time: five hex digits are four base32 digits.
  for (let at = 0; out.length < length; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    out += alphabet[bits >> 15]! + alphabet[(bits >> 10) & 31]! + alphabet[(bits >> 5) & 31]! + alphabet[bits & 31]!;
  }
  return out.slice(0, length);
}

/** SHA-256 of the text's UTF-8 bytes as lower-case hex. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}
