import { isUtf8 } from 'node:buffer';
import { asBuffer } from './bytes.ts';
import { ToUtf8 } from './to-utf8.ts';

export interface DetectedEncoding {
  /** A label of the Encoding Standard: utf-8, utf-16le, windows-1252. */
  readonly encoding: string;
  readonly because: string;
  /** Whether other encodings would fit the bytes as well. */
  readonly isGuess: boolean;
}

/** Letters that must be there before they can say which alphabet they are. */
const evidenceMin = 20;

/**
 * Looks at the beginning of a text: byte order marks, zeros of UTF-16, validity as UTF-8, else which alphabet the bytes
 * above 127 would be. A single-byte encoding is always a guess.
 */
export function detectEncoding(head: Uint8Array): DetectedEncoding {
  const mark = detectMark(head);
  if (mark) return { encoding: mark, because: 'byte order mark', isGuess: false };
  const wide = wideEncoding(head);
  if (wide) return { encoding: wide, because: 'every second byte is zero', isGuess: false };
  const whole = withoutCutEnd(head);
  if (isUtf8(whole)) {
    const because = whole.every((byte) => byte < 0x80) ? 'plain ASCII so far' : 'valid UTF-8';
    return { encoding: 'utf-8', because, isGuess: false };
  }
  if (isMostlyUtf8(whole)) return { encoding: 'utf-8', because: 'UTF-8 with a few damaged bytes', isGuess: true };
  return guessAlphabet(whole);
}

function detectMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Detects UTF-16. Delimiters, digits and line ends are ASCII in any language: in UTF-16 each has a zero next to it. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  if (!bytes.includes(0)) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  const enough = Math.max(1, bytes.length / 16);
  if (odd > enough && even < odd / 8) return 'utf-16le';
  return even > enough && odd < even / 8 ? 'utf-16be' : undefined;
}

/** Without the up to three bytes of a character that the end of the head has cut. */
function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  for (let length = bytes.length; length > Math.max(0, bytes.length - 4); length -= 1) {
    const byte = bytes[length - 1]!;
    if (byte < 0x80) return bytes.subarray(0, length);
    if (byte >= 0xc0) return isUtf8(bytes.subarray(length - 1)) ? bytes : bytes.subarray(0, length - 1);
  }
  return bytes;
}

/** Ten whole characters for each damaged one: no other encoding looks like that by accident. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('utf8');
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\x00-\x7f\ufffd]/g)?.length ?? 0;
  return whole >= 10 * damaged;
}

/** Cyrillic words are runs of bytes above 191, most of them lower-case; in Western languages such letters stand alone. */
function guessAlphabet(bytes: Uint8Array): DetectedEncoding {
  const words =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/[\xc0-\xff]+/g) ?? [];
  const letters = words.join('');
  const inRuns = words.filter((word) => word.length > 2).join('');
  if (letters.length < evidenceMin || inRuns.length < letters.length / 2) {
    const isSame = decoded(bytes, 'windows-1252') === decoded(bytes, 'windows-1250');
    const because = `not valid UTF-8; accented letters occur singly${isSame ? ', the same in Western and Central Europe' : ''}`;
    return { encoding: 'windows-1252', because, isGuess: !isSame };
  }
  const upperHalf = inRuns.match(/[\xe0-\xff]/g)?.length ?? 0;
  const encoding = upperHalf > inRuns.length / 2 ? 'windows-1251' : 'koi8-r';
  return { encoding, because: 'no valid UTF-8; whole words of Cyrillic letters', isGuess: true };
}

const decoded = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);

export function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** Yields the text as UTF-8 without a byte order mark. Bytes that cannot be a character stay, or become, a byte that is not valid UTF-8. */
export async function* utf8Chunks(chunks: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Buffer> {
  const { encoding } = new TextDecoder(label);
  if (encoding === 'utf-8' || encoding.startsWith('utf-16')) yield* unicodeChunks(chunks, encoding);
  else yield* decodedChunks(chunks, new TextDecoder(encoding));
}

const marks: Readonly<Record<string, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

async function* unicodeChunks(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Buffer> {
  const toUtf8 = new ToUtf8();
  // Sets the encoding for a text without a mark. If the text has a mark of its own, that is then a character, and is
  // cut off.
  toUtf8.push(Buffer.from(marks[encoding]!));
  let isFirst = true;
  for await (const chunk of chunks) {
    const piece = asBuffer(toUtf8.push(chunk));
    if (piece.length === 0) continue;
    yield isFirst ? withoutMark(piece) : piece;
    isFirst = false;
  }
  yield asBuffer(toUtf8.end());
}

const withoutMark = (piece: Buffer): Buffer => (detectMark(piece) === 'utf-8' ? piece.subarray(3) : piece);

async function* decodedChunks(chunks: AsyncIterable<Uint8Array>, decoder: TextDecoder): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}
