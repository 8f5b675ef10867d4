import { isSpace } from './json-fault.ts';

/** The first value of a text, as far as the text goes. */
export interface JsonHead {
  /** An array or object; nothing if it is broken. */
  readonly value: object | undefined;
  /** Whether the value ends inside the text. Otherwise everything after the last comma or bracket is missing. */
  readonly isComplete: boolean;
  /** Bytes up to the value's end, or of as much of it as is whole. */
  readonly byteCount: number;
}

/** Nesting above this is no chat. */
const depthMax = 64;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * Parses the beginning of a JSON text as a value: anything still open at the end of the bytes is closed after the last
 * complete value. For inspecting a file of any size; takes UTF-8.
 *
 * @returns undefined if the nesting is too deep.
 */
export function parseJsonHead(bytes: Buffer): JsonHead | undefined {
  let at = 0;
  while (isSpace(bytes[at])) at += 1;
  const start = at;
  /** Characters that would close everything that is open, the innermost first. */
  let closers = '';
  let whole = { end: start, closers: '' };
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === quote) {
      at = stringEnd(bytes, at);
    } else if (byte === 0x7b || byte === 0x5b) {
      closers = (byte === 0x7b ? '}' : ']') + closers;
      if (closers.length > depthMax) return undefined;
      // Right behind an opening bracket the container is whole, and empty.
      whole = { end: at + 1, closers };
    } else if (byte === 0x7d || byte === 0x5d) {
      closers = closers.slice(1);
      whole = { end: at + 1, closers };
    } else if (byte === comma) {
      whole = { end: at, closers };
    }
    if (closers === '') break;
  }
  const value = parsed(bytes.toString('utf8', start, whole.end) + whole.closers);
  return { value, isComplete: whole.end > start && whole.closers === '', byteCount: whole.end };
}

/** The index of the closing quote, or of the end. */
function stringEnd(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
