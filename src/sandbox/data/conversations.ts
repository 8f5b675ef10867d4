import { LastUsed } from '../../lib/maps/last-used.ts';
import type { MessageRow } from './message-json.ts';
import { Table } from './queries.ts';

/** Fields of a message that show to which conversation it belongs. */
export type Sides = Pick<MessageRow, 'sender' | 'receiver' | 'receiverType'>;

export interface Conversation {
  /** Stored in messages in place of the name. */
  readonly number: number;
  /** The service's conversationId. */
  readonly name: string;
}

/** The conversations, distinguished by their participants, and everyone who wrote or was written to. */
export class Conversations extends Table {
  // A number and two names, about 250 bytes each: 5 MB.
  readonly #bySides = new LastUsed<string, Conversation>(20_000);
  // About 150 bytes each: 3 MB.
  readonly #names = new LastUsed<string, string>(20_000);
  /** Participants known to be stored, `number uid`; about 100 bytes each: 10 MB. */
  readonly #entered = new LastUsed<string, true>(100_000);

  /** Returns the conversation that clients know by this name; undefined if no one wrote in it. */
  named(name: string): Conversation | undefined {
    return this.db.row('SELECT id AS number, name FROM conversation WHERE name = ?', name);
  }

  /** Returns undefined if no one wrote in it. */
  between(sides: Sides): Conversation | undefined {
    const key = keyOf(sides);
    const select = 'SELECT id AS number, name FROM conversation WHERE sides = ?';
    return this.#bySides.find(key, () => this.db.row<Conversation>(select, key));
  }

  nameOf(number: number): string {
    const select = 'SELECT name FROM conversation WHERE id = ?';
    return this.#names.find(String(number), () => this.db.value<string>(select, number)) ?? '';
  }

  /** Makes one if there is none. */
  open(sides: Sides): Conversation {
    const insert = () => {
      const name = this.#freeName(sides);
      const { lastInsertRowid } = this.db.run(
        'INSERT INTO conversation (name, sides) VALUES (?, ?)',
        name,
        keyOf(sides),
      );
      return { number: Number(lastInsertRowid), name };
    };
    return this.between(sides) ?? this.#bySides.find(keyOf(sides), insert);
  }

  /** The usual name; where another conversation has it, the uids the other way round, or a number behind it. */
  #freeName(sides: Sides): string {
    const isFree = (name: string) => this.named(name) === undefined;
    const [usual, turned] = conversationNames(sides);
    const found = [usual, turned].find(isFree);
    if (found !== undefined) return found;
    for (let number = 2; ; number++) if (isFree(`${usual}_${number}`)) return `${usual}_${number}`;
  }

  /** Notes that the user takes part. */
  enter(conversation: number, uid: string): void {
    const key = `${conversation} ${uid}`;
    if (this.#entered.get(key)) return;
    this.db.run('INSERT OR IGNORE INTO participant (uid, conversation) VALUES (?, ?)', uid, conversation);
    this.#entered.set(key, true);
  }

  /** Once it has no messages. */
  delete(conversation: number): void {
    this.db.run('DELETE FROM conversation WHERE id = ?', conversation);
    this.forget();
  }

  /** Clears the cache: its entries may not be stored, because a transaction was rolled back, or a conversation deleted. */
  forget(): void {
    this.#bySides.clear();
    this.#names.clear();
    this.#entered.clear();
  }
}

/** The two uids in ascending byte order. */
const inOrder = ({ sender, receiver }: Sides): readonly [string, string] =>
  sender < receiver ? [sender, receiver] : [receiver, sender];

/** No id holds a space or a `#`. */
const keyOf = (sides: Sides): string =>
  sides.receiverType === 'group' ? `#${sides.receiver}` : inOrder(sides).join(' ');

/** `group_<guid>`, or the two uids joined by `_user_`: in ascending order, and in the other. */
function conversationNames(sides: Sides): readonly [usual: string, turned: string] {
  if (sides.receiverType === 'group') return [`group_${sides.receiver}`, `group_${sides.receiver}`];
  const uids = inOrder(sides);
  return [uids.join('_user_'), uids.toReversed().join('_user_')];
}
