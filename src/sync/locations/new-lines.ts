import { hash } from 'node:crypto';
import { readChunks } from '../../io/input/regular-file.ts';
import { readMessagePage, parseAnswer } from '../../service/answer.ts';
import type { FetchedMessage, FetchedMessages } from '../state/location-memory.ts';

export interface NewLinesOptions {
  readonly known: FetchedMessages;
  /** Nothing was fetched before: all of them are new. */
  readonly isFirst: boolean;
  /** Unix seconds: what was sent from here on may be listed once more. */
  readonly from: number;
}

/** New content of a fetched file. Counts and messages are complete once `bytes` has been read. */
export interface NewLines {
  /** Every message that is new or changed. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** New messages. */
  readonly count: number;
  /** Some 150 bytes for each message of the overlap. */
  readonly mayComeAgain: readonly FetchedMessage[];
}

const lineFeed = 0x0a;

/** @param path A file as `fetch` writes it. Memory: a chunk, and one line. */
export function newLines(path: string, { known, isFirst, from }: NewLinesOptions): NewLines {
  const mayComeAgain: FetchedMessage[] = [];
  const state = { count: 0 };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const line of readLines(path)) {
      const message = parseLine(line);
      if (message && message.sentAt >= from) mayComeAgain.push(message);
      if (message && !isFirst && known.has(message)) continue;
      state.count += 1;
      yield line;
    }
  }
  return {
    bytes: bytes(),
    get count() {
      return state.count;
    },
    mayComeAgain,
  };
}

/** Unix seconds of the newest message of a fetched file; 0 without one. */
export async function newestIn(path: string): Promise<number> {
  let newest = 0;
  for await (const line of readLines(path)) newest = Math.max(newest, parseLine(line)?.sentAt ?? 0);
  return newest;
}

/** Each with its line feed. */
async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(path)) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      yield bytes.subarray(start, end + 1);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

/** Nothing where it has no id: then it is always new. */
function parseLine(line: Buffer): FetchedMessage | undefined {
  const message = readMessagePage(parseAnswer(`{"data":[${line.toString('utf8')}]}`))?.messages[0];
  return message && { id: message.id, sentAt: wholeSeconds(message.sentAt), digest: digestOf(line) };
}

const digestOf = (line: Buffer): Buffer => hash('sha256', line, 'buffer').subarray(0, 16);

/** A service may name fractions of a second, and times that no calendar has. */
const wholeSeconds = (seconds: number): number =>
  Math.trunc(Math.min(Math.max(seconds, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER));
