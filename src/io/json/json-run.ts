import { asBuffer } from '../bytes.ts';
import { type CheckedJsonOptions, parseRun } from './json-element.ts';
import { isSpace } from './json-fault.ts';

const [comma, quote, openBrace, closeBrace] = [0x2c, 0x22, 0x7b, 0x7d];

/** Failed attempts before a list is read one by one: each may cost as much as the chunk. */
const triesMax = 4;

/** Longer than keys and indents are. */
const seamBytesMax = 200;

export interface JsonRun {
  readonly values: readonly unknown[];
  readonly end: number;
}

/**
 * Objects of an array, as many at once as a chunk has whole: parsed together they cost half of what they cost one by one. Where the last
 * of them ends is guessed by what stood between the two before, `},\n  {"id"`; that they are JSON up to there proves the guess.
 */
export class JsonRunReader {
  readonly #options: CheckedJsonOptions;
  #triesLeft = triesMax;

  constructor(options: CheckedJsonOptions) {
    this.#options = options;
  }

  /**
   * @param at Start of an element.
   * @returns undefined if they have to be read one by one: something is wrong with one of them, or there is only one.
   */
  read(chunk: Uint8Array, at: number): JsonRun | undefined {
    if (this.#triesLeft === 0) return undefined;
    const seam = seamBefore(chunk, at);
    if (seam === undefined) return undefined;
    this.#triesLeft -= 1;
    const rest = asBuffer(chunk).subarray(at);
    const end = rest.lastIndexOf(seam) + 1;
    if (end === 0 || end > this.#options.elementBytesMax) return undefined;
    const values = parseRun(rest.subarray(0, end), this.#options);
    if (values === undefined) return undefined;
    this.#triesLeft = triesMax;
    return { values, end: at + end };
  }
}

/** From the end of the element before up to the first key of this one. */
function seamBefore(chunk: Uint8Array, at: number): Uint8Array | undefined {
  if (chunk[at] !== openBrace) return undefined;
  let from = behindSpace(chunk, at - 1, -1);
  if (chunk[from] !== comma) return undefined;
  from = behindSpace(chunk, from - 1, -1);
  if (chunk[from] !== closeBrace) return undefined;
  const key = behindSpace(chunk, at + 1, 1);
  const end = chunk[key] === quote ? chunk.indexOf(quote, key + 1) : -1;
  return end === -1 || end - from > seamBytesMax ? undefined : chunk.subarray(from, end + 1);
}

function behindSpace(chunk: Uint8Array, from: number, step: 1 | -1): number {
  let at = from;
  while (isSpace(chunk[at])) at += step;
  return at;
}
