import { readFileSync } from 'node:fs';
import { errorCode } from '../../io/input/file-errors.ts';
import type { ListedMessage } from '../../service/client/answers/list-answer.ts';

/** Counts what was written, over all runs that wrote the file. Memory: some hundred bytes for each conversation. */
export class FetchTally {
  messages = 0;
  pages = 0;
  readonly #conversations = new Set<string>();
  #first: number | undefined;
  #last: number | undefined;
  #page: Omit<Checkpoint, 'next' | 'endBytes'> | undefined;

  /** @param checkpoints Pages that were written already. */
  constructor(checkpoints: readonly Checkpoint[]) {
    for (const page of checkpoints) this.#count(page);
  }

  /** @param startBytes Of the file before the page. */
  addPage(messages: readonly ListedMessage[], startBytes: number): void {
    const times = messages.map(({ sentAt }) => sentAt);
    const conversations = new Set(messages.map(conversationOf));
    this.#page = {
      startBytes,
      messages: messages.length,
      ...(times.length > 0 && { first: Math.min(...times), last: Math.max(...times) }),
      conversations: [...conversations].filter((id) => !this.#conversations.has(id)),
    };
    this.#count(this.#page);
  }

  /** The page that was added last, as the log keeps it. */
  checkpoint(next: Cursor, endBytes: number): Checkpoint {
    return { next, endBytes, ...this.#page! };
  }

  total() {
    return {
      messages: this.messages,
      conversations: this.#conversations.size,
      pages: this.pages,
      firstAtMs: this.#first === undefined ? null : this.#first * 1000,
      lastAtMs: this.#last === undefined ? null : this.#last * 1000,
    };
  }

  #count({ messages, conversations, first, last }: Omit<Checkpoint, 'next' | 'endBytes'>): void {
    this.messages += messages;
    this.pages += 1;
    for (const id of conversations) this.#conversations.add(id);
    if (first !== undefined) this.#first = Math.min(this.#first ?? first, first);
    if (last !== undefined) this.#last = Math.max(this.#last ?? last, last);
  }
}

const conversationOf = ({ conversationId, receiver }: ListedMessage) => conversationId || receiver;

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
