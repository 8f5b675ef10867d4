import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { recordEntry } from './entries.ts';

/** Result of a description: first time, different from before, or the same. */
export type Description = 'new' | 'changed' | 'same';

/** Descriptions that are remembered, about 300 bytes each: 30 MB. */
const rememberedMax = 100_000;

/**
 * People and conversations, each yielded once. For exports that repeat them: with every message that they concern, or
 * in several lists.
 *
 * described.describe(user, location, into);
 *
 * A plan keeps the last description that it receives. So a source yields `new` ones and, if later rows have better
 * data, `changed` ones. If the first one counts (a list of the organisation before one of a workspace), it yields only
 * `new` ones.
 *
 * Remembers 100,000, then starts again with none. A person may then be `new` a second time: yielding the same again
 * changes nothing. Use one object for each file that can be read by itself. Otherwise the result would depend on the
 * files read before.
 */
export class Described {
  /** JSON of the latest, by kind and id. */
  readonly #latest = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #rememberedMax: number;

  constructor(remembered = rememberedMax) {
    this.#rememberedMax = remembered;
  }

  add(record: UserRecord | ConversationRecord): Description {
    const key = keyOf(record.kind, record.id);
    const json = JSON.stringify(record);
    const before = this.#latest.get(key);
    if (before === json) return 'same';
    if (before === undefined && this.#latest.size >= this.#rememberedMax) this.#forget();
    this.#latest.set(key, json);
    this.#names.set(key, record.name);
    return before === undefined ? 'new' : 'changed';
  }

  /** Adds the record to `into`, unless it is the same as before. */
  describe(record: UserRecord | ConversationRecord, location: Location, into: Entry[]): void {
    if (this.add(record) !== 'same') into.push(recordEntry(record, location));
  }

  /** Name of a person or conversation, as described up to here. */
  nameOf(kind: 'user' | 'conversation', id: string): string | undefined {
    return this.#names.get(keyOf(kind, id));
  }

  #forget(): void {
    this.#latest.clear();
    this.#names.clear();
  }
}

/** The same for what rows say no more of than its id: whom to describe for the first time. */
export class Seen {
  readonly #ids = new Set<string>();

  /** @returns whether it is new. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    if (this.#ids.size >= rememberedMax) this.#ids.clear();
    this.#ids.add(id);
    return true;
  }
}

const keyOf = (kind: 'user' | 'conversation', id: string) => `${kind} ${id}`;
