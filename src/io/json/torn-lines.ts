import { asBuffer } from '../bytes.ts';
import { findJsonFault } from './json-fault.ts';
import type { LocatedJson } from './json-values.ts';

/** Lines of one value that are held: a text of a chat has fewer. */
const linesMax = 64;
const bytesMax = 256 * 1024;

const carriageReturn = 0x0d;
const escapedLineFeed = Buffer.from('\\n');

/**
 * Lines that may be one value together: some exporters write the line breaks of a text as they are, and the line then ends inside a string.
 *
 * Memory: 64 lines, 256 KiB.
 */
export class TornLines {
  #joined = Buffer.alloc(0);
  #count = 0;
  /** Fault of each line by itself. */
  #faults: LocatedJson[] = [];

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Number of the line on which the value begins. */
  get line(): number {
    return this.#faults[0]!.line;
  }

  /** The lines so far and this one, with the line breaks between them written as JSON has them. */
  with(line: Uint8Array): Buffer {
    return this.#count === 0 ? asBuffer(line) : Buffer.concat([this.#joined, escapedLineFeed, line]);
  }

  /**
   * Holds a line that is broken or blank, if the text may go on behind it.
   *
   * @param fault What the line is by itself; none for a blank one.
   */
  hold(line: Uint8Array, fault: LocatedJson | undefined): boolean {
    const joined = this.with(line.at(-1) === carriageReturn ? line.subarray(0, -1) : line);
    if (this.#count >= linesMax || joined.length > bytesMax || !endsInString(joined)) return false;
    // The chunk is its owner's.
    this.#joined = Buffer.from(joined);
    this.#count += 1;
    if (fault) this.#faults.push(fault);
    return true;
  }

  /** Returns the lines one by one if they do not form a value together. */
  giveUp(): readonly LocatedJson[] {
    const faults = this.#faults;
    this.#joined = Buffer.alloc(0);
    this.#count = 0;
    this.#faults = [];
    return faults;
  }
}

function endsInString(bytes: Buffer): boolean {
  const fault = findJsonFault(bytes);
  return fault?.byteOffset === bytes.length && fault.reason.startsWith('expected the end of a string');
}
