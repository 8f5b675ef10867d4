import { readFileSync } from 'node:fs';
import { errorCode } from '../../io/input/file-errors.ts';

/** Where the next page begins. */
export interface Cursor {
  readonly id: string;
  /** Unix seconds, where the service named them. */
  readonly sentAt?: number;
}

/** What a page brought, and where the file ended behind it. */
export interface Checkpoint {
  readonly next: Cursor;
  /** Bytes of the file before and behind the page. */
  readonly startBytes: number;
  readonly endBytes: number;
  readonly messages: number;
  /** Unix seconds of the earliest and the latest; absent where the page has no messages. */
  readonly first?: number;
  readonly last?: number;
  /** Conversations that no page before had. */
  readonly conversations: readonly string[];
}

/** A log as it was left: the first line of the file that it belongs to, then a line for each page. */
export interface FetchLog {
  readonly firstLine: string | undefined;
  readonly checkpoints: readonly Checkpoint[];
  /** Up to the end of the last whole line: what follows was cut off while it was written. */
  readonly bytes: number;
}

/** Reads a log; an empty one where there is none. Lines are short: some hundred bytes for each page of a thousand messages. */
export function readLog(path: string): FetchLog {
  const text = readIfThere(path);
  const end = text.lastIndexOf('\n') + 1;
  const [firstLine, ...lines] = text.slice(0, end).split('\n').slice(0, -1);
  const checkpoints = lines.map((line) => JSON.parse(line) as Checkpoint);
  return { firstLine, checkpoints, bytes: Buffer.byteLength(text.slice(0, end)) };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
