import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { asId, excerpt, type Untrusted } from '../kit/narrow.ts';
import type { LiveChatThread } from './format.ts';

/**
 * Threads that others name, before and after them, or as the last one of a chat: each must be among those that are read. About 100 bytes
 * for each thread.
 */
export class Threads {
  readonly #seen = new Set<string>();
  readonly #expected = new Map<string, Location>();
  /** A file was not read to its end: which threads are missing is not known. */
  isCutOff = false;

  expect(id: unknown, location: Location): void {
    const known = asId(id);
    if (known !== undefined && !this.#expected.has(known)) this.#expected.set(known, location);
  }

  see(thread: Untrusted<LiveChatThread>, location: Location): void {
    const id = asId(thread.id);
    if (id !== undefined) this.#seen.add(id);
    this.expect(thread.previous_thread_id, location);
    this.expect(thread.next_thread_id, location);
  }

  missing(): readonly Entry[] {
    const missing = [...this.#expected].filter(([id]) => !this.#seen.has(id));
    const [first] = missing;
    if (first === undefined || this.isCutOff || this.#seen.size === 0) return [];
    return [partialEntry(`threads of chats are missing, such as ${excerpt(first[0])}`, first[1], missing.length)];
  }
}
