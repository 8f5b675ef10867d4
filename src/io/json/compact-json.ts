import { isSpace } from './json-fault.ts';

const [lineFeed, quote, openBracket, backslash, closeBracket] = [0x0a, 0x22, 0x5b, 0x5c, 0x5d];
const [openBrace, closeBrace] = [0x7b, 0x7d];
/** Precedes each value in a JSON text sequence (RFC 7464). */
const recordSeparator = 0x1e;
/** Blanks at the beginning of a text that are kept until what follows them is known. */
const heldBytesMax = 64 * 1024;

/**
 * The same text without blanks between the tokens of JSON, so that as many bytes show as much, in any layout. One of the line
 * feeds between tokens stays, because it separates a value on each line from others. Any other text is passed on as it is.
 */
export async function* compactJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const compacter = new Compacter();
  let isJson: boolean | undefined;
  let held: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const piece = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    isJson ??= beginsJson(piece);
    held = isJson === undefined ? piece.subarray(-heldBytesMax) : new Uint8Array();
    if (isJson !== undefined) yield isJson ? compacter.push(piece) : piece;
  }
  if (held.length > 0) yield held;
}

/** The same for a text that is in memory, or its beginning. */
export const compacted = (bytes: Uint8Array): Uint8Array =>
  beginsJson(bytes) === true ? new Compacter().push(bytes) : bytes;

/** Whether a text is JSON by its first tokens: logs begin with brackets, too. @returns undefined if it ends before them. */
export function beginsJson(bytes: Uint8Array): boolean | undefined {
  let at = bytes[0] === 0xef ? 3 : 0;
  const next = (): number | undefined => {
    while (isSpace(bytes[at]) || bytes[at] === recordSeparator) at += 1;
    return bytes[at++];
  };
  const first = next();
  if (first !== undefined && first !== openBrace && first !== openBracket) return false;
  let byte = next();
  while (byte === openBracket) byte = next();
  if (byte === undefined) return undefined;
  if (byte === quote) return true;
  if (first === openBrace) return byte === closeBrace;
  const word = Buffer.from(bytes.subarray(at - 1, at + 3)).toString('latin1');
  return byte === openBrace || byte === closeBracket || word === 'null';
}

class Compacter {
  #isString = false;
  #isEscaped = false;
  #isLineStart = true;

  push(chunk: Uint8Array): Uint8Array {
    const kept = Buffer.allocUnsafe(chunk.length);
    let count = 0;
    for (const byte of chunk) {
      const isBlank = !this.#isString && isSpace(byte);
      if (isBlank && (byte !== lineFeed || this.#isLineStart)) continue;
      kept[count++] = byte;
      this.#isLineStart = byte === lineFeed;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = this.#isString;
      // A string that goes on behind a line feed is broken: the next line is read for itself.
      else if (byte === quote || byte === lineFeed) this.#isString = byte === quote && !this.#isString;
    }
    return kept.subarray(0, count);
  }
}
