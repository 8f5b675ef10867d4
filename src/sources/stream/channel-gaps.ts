import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { asCount, asObject, asString } from '../kit/narrow.ts';
import type { StreamMessage } from './format.ts';

/** Stream lists at most 100 pinned messages; more are not compared. */
const pinsMax = 1000;

/** What a channel says of messages that its list of messages does not have. */
export class ChannelGaps {
  #rows = 0;
  /** Ids of pinned messages of the list of messages, and of the list of pinned ones, which may be before it or behind it. */
  readonly #pinned = new Set<string>();
  readonly #copies = new Set<string>();
  #copiesWithoutId = 0;

  see(value: unknown): void {
    this.#rows += 1;
    const row = asObject<StreamMessage>(value);
    const id = row?.pinned === true ? asString(row.id) : undefined;
    if (id !== undefined && this.#pinned.size < pinsMax) this.#pinned.add(id);
  }

  seeCopy(value: unknown): void {
    const id = asString(asObject<StreamMessage>(value)?.id);
    if (id === undefined) this.#copiesWithoutId += 1;
    else if (this.#copies.size < pinsMax) this.#copies.add(id);
  }

  /** @param messageCount Of the channel, if its app counts messages. */
  *end(messageCount: unknown, location: Location): Generator<Entry> {
    const count = asCount(messageCount) ?? 0;
    if (count > this.#rows)
      yield partialEntry(
        `"message_count" is ${count}, and the channel has ${this.#rows}`,
        location,
        count - this.#rows,
      );
    // With more pinned messages than are remembered, nothing is known of the copies.
    const isKnown = this.#pinned.size < pinsMax;
    const unseen = isKnown ? [...this.#copies].filter((id) => !this.#pinned.has(id)).length : 0;
    const missing = this.#copiesWithoutId + unseen;
    if (missing > 0) {
      const reason = `"pinned_messages" has ${missing} that are not in "messages"`;
      yield partialEntry(reason, location, missing);
    }
  }
}
