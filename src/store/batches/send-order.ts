import type { Database } from 'better-sqlite3';
import { Lanes } from '../lanes.ts';

/** A place in the order of a conversation: time, sort key, `seq`. */
type Place = readonly [number, string, number];

export interface MessagePlace {
  readonly seq: number;
  readonly conversation: number;
  readonly sentAt: number;
  readonly sortKey: string;
}

interface LeftMessage {
  readonly place: Place;
  readonly batch: number;
  /** Since the copy was made. */
  readonly isNew: boolean;
}

/**
 * In which order messages of a conversation left. When one leaves, everything that left before it is known to be there or not; what was not
 * leaves again. So one that left behind a younger one that has not left again since is late.
 */
export class SendOrder {
  readonly #deliveredUpTo: (conversation: number) => Place | undefined;
  /** By conversation: the last message that the copy has as delivered. */
  readonly #upTo = new Map<number, Place | undefined>();
  /** By conversation, by `seq`. */
  readonly #left = new Map<number, Map<number, LeftMessage>>();

  constructor(db: Database, destination: number) {
    const lanes = new Lanes(db);
    this.#deliveredUpTo = (conversation) => lanes.deliveredUpTo(destination, conversation);
    for (const message of unconfirmedAt(db, destination)) this.#note(message, message.batch, false);
  }

  left(message: MessagePlace, batch: number): void {
    const { conversation } = message;
    // Before anything of it is imported.
    if (!this.#upTo.has(conversation)) this.#upTo.set(conversation, this.#deliveredUpTo(conversation));
    this.#note(message, batch, true);
  }

  /** @returns `seq` of each. */
  *late(): Generator<number> {
    for (const [conversation, messages] of this.#left) {
      const upTo = this.#upTo.get(conversation);
      let firstBatch = Number.POSITIVE_INFINITY;
      const youngestFirst = [...messages].sort(([, a], [, b]) => (isBefore(a.place, b.place) ? 1 : -1));
      for (const [seq, { place, batch, isNew }] of youngestFirst) {
        if (isNew && (firstBatch < batch || (upTo && isBefore(place, upTo)))) yield seq;
        firstBatch = Math.min(firstBatch, batch);
      }
    }
  }

  #note({ conversation, sentAt, sortKey, seq }: MessagePlace, batch: number, isNew: boolean): void {
    const known = this.#left.get(conversation) ?? new Map<number, LeftMessage>();
    this.#left.set(conversation, known.set(seq, { place: [sentAt, sortKey, seq], batch, isNew }));
  }
}

const unconfirmedAt = (db: Database, destination: number) =>
  db
    .prepare<[number], MessagePlace & { readonly batch: number }>(
      `SELECT m.seq, m.conversation, m.sent_at AS sentAt, m.sort_key AS sortKey, d.batch
       FROM batch b CROSS JOIN delivery d ON d.batch = b.id AND d.destination = b.destination CROSS JOIN message m ON m.seq = d.message
       WHERE b.destination = ? AND b.state = 'open' AND d.state = 'sent'`,
    )
    .all(destination);

const isBefore = (a: Place, b: Place): boolean =>
  a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];
