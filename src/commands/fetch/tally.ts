import type { ListedMessage } from '../../service/client/list-answer.ts';
import type { Checkpoint, Cursor } from './log.ts';

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
