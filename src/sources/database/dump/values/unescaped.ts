/** Letters after a backslash in MySQL's strings. `%` and `_` keep it. */
const mysqlLetters = letters({ 0: 0, b: 8, n: 10, r: 13, t: 9, Z: 26 });
/** In strings of PostgreSQL and in COPY. */
const postgresLetters = letters({ b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 });

function letters(meanings: Readonly<Record<string, number>>): Int16Array {
  const table = new Int16Array(256).fill(-1);
  for (const [letter, meaning] of Object.entries(meanings)) table[letter.charCodeAt(0)] = meaning;
  return table;
}

const backslash = 92;

/** How escapes are written: `none` if a backslash is just a backslash. */
export type EscapeStyle = 'none' | 'mysql' | 'postgres' | 'copy';

/**
 * Returns the text between the quotes of a string, or between two tabs of COPY.
 *
 * @param quote Doubled, it stands for itself; 0 if there is none.
 */
export function unescaped(bytes: Buffer, start: number, end: number, quote: number, style: EscapeStyle): Buffer {
  // U+10FFFF written as \U0010FFFF takes 4 bytes: nothing grows.
  const into = Buffer.allocUnsafe(end - start);
  let length = 0;
  for (let at = start; at < end; ) {
    const byte = bytes[at]!;
    if (byte === backslash && style !== 'none' && at + 1 < end) {
      const [size, used] =
        style === 'mysql' ? mysqlEscape(bytes, at, into, length) : postgresEscape(bytes, at, end, into, length, style);
      length += size;
      at += used;
    } else {
      into[length++] = byte;
      at += byte === quote && bytes[at + 1] === quote ? 2 : 1;
    }
  }
  return into.subarray(0, length);
}

/** @returns how many bytes were written, and how many were read. */
type Step = readonly [size: number, used: number];

function mysqlEscape(bytes: Buffer, at: number, into: Buffer, length: number): Step {
  const letter = bytes[at + 1]!;
  const meaning = mysqlLetters[letter]!;
  if (letter === 37 || letter === 95) {
    into[length] = backslash;
    into[length + 1] = letter;
    return [2, 2];
  }
  into[length] = meaning < 0 ? letter : meaning;
  return [1, 2];
}

function postgresEscape(
  bytes: Buffer,
  at: number,
  end: number,
  into: Buffer,
  length: number,
  style: EscapeStyle,
): Step {
  const letter = bytes[at + 1]!;
  const meaning = postgresLetters[letter]!;
  if (meaning >= 0) {
    into[length] = meaning;
    return [1, 2];
  }
  const digits = bytes.toString('latin1', at + 1, Math.min(end, at + 10));
  const [, octal] = /^([0-7]{1,3})/.exec(digits) ?? [];
  const [, hex] = /^x([0-9a-f]{1,2})/i.exec(digits) ?? [];
  if (octal !== undefined || hex !== undefined) {
    into[length] = octal === undefined ? Number.parseInt(hex!, 16) : Number.parseInt(octal, 8);
    return [1, octal === undefined ? 2 + hex!.length : 1 + octal.length];
  }
  const [unicode, four, eight] =
    style === 'copy' ? [] : (/^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(digits) ?? []);
  if (unicode !== undefined) return unicodeEscape((four ?? eight)!, bytes, at, end, into, length);
  into[length] = letter;
  return [1, 2];
}

/** A pair of surrogates is one character. */
function unicodeEscape(digits: string, bytes: Buffer, at: number, end: number, into: Buffer, length: number): Step {
  const code = Number.parseInt(digits, 16);
  const used = 2 + digits.length;
  const [, low] =
    /^\\u(d[c-f][0-9a-f]{2})/i.exec(bytes.toString('latin1', at + used, Math.min(end, at + used + 6))) ?? [];
  const isPair = code >= 0xd800 && code < 0xdc00 && low !== undefined;
  const text = isPair
    ? String.fromCharCode(code, Number.parseInt(low, 16))
    : String.fromCodePoint(Math.min(code, 0x10ffff));
  return [into.write(text, length, 'utf8'), isPair ? used + 6 : used];
}
