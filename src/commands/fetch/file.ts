import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { errorCode } from '../../io/input/file-errors.ts';
import { putInPlace } from '../../lib/files/atomic-file.ts';
import { StoreError, UsageError } from '../../lib/errors.ts';
import { storeErrorOf } from '../../lib/sqlite.ts';
import { isLoopback } from '../../lib/loopback.ts';
import type { ListedMessage } from '../../service/list-answer.ts';

/** Options that decide which messages a file holds. */
export interface FetchScope {
  readonly conversation?: string | undefined;
  /** Unix seconds, both included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * The first line of a fetched file, which the source `chat-service` reads: where it comes from and what was asked for.
 *
 * @param address Normalised.
 */
export function fetchHeader(address: string, { conversation, since, until }: FetchScope): string {
  return JSON.stringify({
    kind: 'chat-service-fetch',
    version: 1,
    from: address,
    workspace: workspaceOf(address),
    conversation,
    since,
    until,
  });
}

/**
 * Returns a name that keeps messages of two services apart, whose ids are small numbers in both: the app's id if the
 * address names one (`https://{appid}.api-{region}.…`), else the host. Undefined for a service on this machine, because
 * its port changes.
 */
function workspaceOf(address: string): string | undefined {
  const { hostname } = new URL(address);
  if (isLoopback(hostname)) return undefined;
  return /^([^.]+)\.api-[^.]+\./.exec(hostname)?.[1] ?? hostname;
}

/** Position at which the next page begins. */
export interface Cursor {
  readonly id: string;
  /** Unix seconds, if the service named them. */
  readonly sentAt?: number;
}

/** Content of a page, and the end of the file after it. */
export interface Checkpoint {
  readonly next: Cursor;
  /** Bytes of the file before and behind the page. */
  readonly startBytes: number;
  readonly endBytes: number;
  readonly messages: number;
  /** Unix seconds of the earliest and the latest; absent if the page has no messages. */
  readonly first?: number;
  readonly last?: number;
  /** Conversations that no page before had. */
  readonly conversations: readonly string[];
}

/**
 * The file that a fetch writes. Until it is complete it is called `<out>.partial`, and `<out>.partial.log` next to it
 * has a line for each page that is safely on disk. The process may be killed between any two of these steps:
 *
 * the rows of a page are appended and flushed → its line is appended to the log and flushed → the next page is asked
 * for
 *
 * The process that continues cuts off everything in either file after the last whole line of the log. At the end the
 * file gets its name, then the log is removed. Synchronous: a page takes some milliseconds, and nothing else happens
 * during that time.
 */
export class FetchFile {
  /** The pages that were there already, in order. */
  readonly checkpoints: readonly Checkpoint[];
  readonly #out: string;
  readonly #partial: string;
  readonly #logPath: string;
  readonly #rows: number;
  readonly #log: number;
  #isOpen = true;
  #bytes = 0;
  #logBytes = 0;

  /**
   * @param firstLine The header, which describes the fetch. A file that was begun with another one belongs to another
   *   fetch.
   * @throws UsageError if the file exists already or was begun with another header, StoreError if it cannot be written.
   */
  constructor(out: string, firstLine: string, { mayReplace }: { readonly mayReplace: boolean }) {
    this.#out = out;
    this.#partial = `${out}.partial`;
    this.#logPath = `${out}.partial.log`;
    const log = this.#guard(() => readLog(this.#logPath));
    // It had its name, and was killed before its log was removed: the last page is read once more.
    if (log.firstLine === firstLine && existsSync(out) && !existsSync(this.#partial))
      this.#guard(() => renameSync(out, this.#partial));
    if (existsSync(out) && !mayReplace) throw fileExists(out);
    const size = statSync(this.#partial, { throwIfNoEntry: false })?.size ?? 0;
    const isOurs = log.firstLine === firstLine;
    if (!isOurs && size > 0 && !mayReplace) throw this.#begunOtherwise();
    const isWhole = isOurs && size >= (log.checkpoints.at(-1)?.endBytes ?? 0);
    this.checkpoints = isWhole ? log.checkpoints : [];
    this.#log = this.#guard(() => open(this.#logPath));
    this.#rows = this.#guard(() => open(this.#partial));
    this.#guard(() => {
      ftruncateSync(this.#log, isWhole ? log.bytes : 0);
      this.#logBytes = isWhole ? log.bytes : 0;
      if (!isWhole) this.#addToLog(firstLine);
      this.#bytes = this.checkpoints.at(-1)?.endBytes ?? 0;
      ftruncateSync(this.#rows, this.#bytes);
      if (this.#bytes === 0) this.append([firstLine]);
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The lines of the last page that was there already. */
  lastLines(): readonly string[] {
    const { startBytes, endBytes } = this.checkpoints.at(-1) ?? { startBytes: 0, endBytes: 0 };
    const page = Buffer.alloc(endBytes - startBytes);
    this.#guard(() => readSync(this.#rows, page, 0, page.length, startBytes));
    return page.toString('utf8').split('\n').slice(0, -1);
  }

  append(lines: readonly string[]): void {
    this.#guard(() => {
      if (fstatSync(this.#rows).size !== this.#bytes) throw this.#disturbed();
      this.#bytes += writeAt(this.#rows, lines, this.#bytes);
    });
  }

  /** Makes everything appended up to here permanent. */
  save(checkpoint: Checkpoint): void {
    this.#guard(() => {
      fdatasyncSync(this.#rows);
      this.#addToLog(JSON.stringify(checkpoint));
    });
  }

  /** The file is whole: it gets its name, and is closed. */
  finish(): void {
    this.#guard(() => {
      fdatasyncSync(this.#rows);
      this.close();
      putInPlace(this.#partial, this.#out);
      rmSync(this.#logPath);
    });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#rows);
    closeSync(this.#log);
  }

  #addToLog(line: string): void {
    this.#logBytes += writeAt(this.#log, [line], this.#logBytes);
    fdatasyncSync(this.#log);
  }

  #guard<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw storeErrorOf(error, this.#partial) ?? error;
    }
  }

  #begunOtherwise(): UsageError {
    return new UsageError(`Cannot go on with "${this.#partial}": it was begun by another command`, {
      hint: 'Run that command again, pass --out with another file, or --force to start over',
    });
  }

  #disturbed(): StoreError {
    return new StoreError(`Cannot go on with "${this.#partial}": another process writes to it`, {
      path: this.#partial,
      hint: 'Let one fetch write to a file at a time; the same command continues',
    });
  }
}

/** @param more What else is known of it. */
export const fileExists = (out: string, more = ''): UsageError =>
  new UsageError(`Cannot write "${out}": it exists already${more}`, {
    hint: 'Pass --force to replace it, or --out with another file',
  });

/** Only its owner may read it: it holds what people wrote to each other. */
const open = (path: string): number => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);

/** @returns How many bytes were written: all of them. */
function writeAt(fd: number, lines: readonly string[], position: number): number {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for (let done = 0; done < text.length; ) done += writeSync(fd, text, done, text.length - done, position + done);
  return text.length;
}

/** A log as it was left: the first line of the file that it belongs to, then a line for each page. */
export interface FetchLog {
  readonly firstLine: string | undefined;
  readonly checkpoints: readonly Checkpoint[];
  /** Up to the end of the last whole line: what follows was cut off while it was written. */
  readonly bytes: number;
}

/** Reads a log; returns an empty one if there is none. Lines are short: some hundred bytes for each page of a thousand messages. */
function readLog(path: string): FetchLog {
  const text = readIfExists(path);
  const end = text.lastIndexOf('\n') + 1;
  const [firstLine, ...lines] = text.slice(0, end).split('\n').slice(0, -1);
  const checkpoints = lines.map((line) => JSON.parse(line) as Checkpoint);
  return { firstLine, checkpoints, bytes: Buffer.byteLength(text.slice(0, end)) };
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

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
