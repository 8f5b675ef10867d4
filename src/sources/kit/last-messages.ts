import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from './entries.ts';

/** Rooms that the reason names. */
const namedMax = 3;

/**
 * Messages, threads or whole rooms that lists name: each must be among those that are read, or the export does not have all. In memory: one
 * id for each room.
 */
export class LastMessages {
  readonly #expected = new Map<string, { readonly id: string; readonly room: string; readonly location: Location }>();
  readonly #words: string;
  /** Keys of rows that were read, if others may name them later. */
  readonly #seen: Set<string> | undefined;
  #files = 0;
  #unreadFiles = 0;

  /**
   * @param words The reason, in front of their names.
   * @param isNamedBehind Rows name others that were read before them: about 60 bytes more for each.
   */
  constructor(words = 'The room list has last messages that no file of messages has', isNamedBehind = false) {
    this.#words = words;
    this.#seen = isNamedBehind ? new Set() : undefined;
  }

  /** @param key If ids are of one room alone: an id for all rooms. */
  expect(id: string | undefined, room: string, location: Location, key = id): void {
    if (id !== undefined && !this.#seen?.has(key!)) this.#expected.set(key!, { id, room, location });
  }

  /** Call it for every row with an id, valid or not. */
  see(key: string | undefined): void {
    if (key === undefined) return;
    this.#seen?.add(key);
    if (this.#expected.size > 0) this.#expected.delete(key);
  }

  /** Passes on what is read of a file of messages. If a part of it cannot be read, that part may have what is missing. */
  async *reading(lists: AsyncIterable<readonly Entry[]>): AsyncGenerator<readonly Entry[]> {
    this.#files += 1;
    this.#unreadFiles += 1;
    let isWhole = true;
    for await (const entries of lists) {
      isWhole &&= !entries.some((entry) => entry.type === 'invalid' && entry.code.startsWith('json-'));
      yield entries;
    }
    if (isWhole) this.#unreadFiles -= 1;
  }

  /** Whether every file of messages was read to its end, and there is one. */
  get isWhole(): boolean {
    return this.#files > 0 && this.#unreadFiles === 0;
  }

  /**
   * Call it when all messages of the export were read: not if a run reads a part of its files. Empty if there is no file of messages:
   * the plan then ends with the error that nothing could be read.
   */
  missing(): readonly Entry[] {
    const [first] = this.#expected.values();
    if (first === undefined || this.#files === 0 || this.#unreadFiles > 0) return [];
    const named = [...this.#expected.values()]
      .slice(0, namedMax)
      .map(({ id, room }) => (id === room ? `"${cut(room)}"` : `"${cut(id)}" of "${cut(room)}"`));
    const more = this.#expected.size > namedMax ? ', …' : '';
    const reason = `${this.#words}: ${named.join(', ')}${more}`;
    return [partialEntry(reason, first.location, this.#expected.size)];
  }
}

const cut = (text: string): string => text.slice(0, 60);
