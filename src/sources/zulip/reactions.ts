import type { Reaction } from '../../model/records.ts';
import { asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { emojiOfCode, type ZulipReaction } from './format.ts';

/** Numbers in a row that grows. */
class Numbers {
  #values = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  at = (index: number): number => this.#values[index]!;
}

/** Reactions by message, some 30 to 60 bytes each: `realm.json` has those of all messages. */
export class Reactions {
  readonly #messages = new Numbers();
  readonly #users = new Numbers();
  readonly #emoji = new Numbers();
  readonly #shown: string[] = [];
  readonly #places = new Map<string, number>();
  /** Places in the order of their messages; made when the first is asked for. */
  #sorted: Uint32Array | undefined;
  /** Which of the sorted ones were asked for. */
  #taken = new Uint8Array(0);

  /** @returns false for what is none. */
  add(value: unknown): boolean {
    const read = reactionIn(value);
    if (read === undefined) return false;
    const { message, user, emoji } = read;
    let place = this.#places.get(emoji);
    if (place === undefined) {
      place = this.#shown.push(emoji) - 1;
      this.#places.set(emoji, place);
    }
    this.#messages.push(message);
    this.#users.push(user);
    this.#emoji.push(place);
    this.#sorted = undefined;
    return true;
  }

  /**
   * Returns the reactions to a message, added to the known ones: emoji in the order in which they first occurred. Most
   * messages have none.
   */
  of(message: unknown, known?: Map<string, Set<string>>): Map<string, Set<string>> | undefined {
    if (this.#messages.length === 0 || !isId(message)) return known;
    let found = known;
    const sorted = this.#inOrder();
    for (let at = this.#firstOf(message); at < sorted.length; at++) {
      const place = sorted[at]!;
      if (this.#messages.at(place) !== message) break;
      this.#taken[at] = 1;
      const emoji = this.#shown[this.#emoji.at(place)]!;
      const user = String(this.#users.at(place));
      found ??= new Map();
      const users = found.get(emoji);
      if (users) users.add(user);
      else found.set(emoji, new Set([user]));
    }
    return found;
  }

  /** Yields the message of each reaction whose message was never read. */
  *left(): Generator<string> {
    const sorted = this.#inOrder();
    for (let at = 0; at < sorted.length; at++) if (this.#taken[at] === 0) yield String(this.#messages.at(sorted[at]!));
  }

  #inOrder(): Uint32Array {
    this.#sorted ??= this.#sort();
    return this.#sorted;
  }

  #sort(): Uint32Array {
    const { length } = this.#messages;
    this.#taken = new Uint8Array(length);
    const places = Uint32Array.from({ length }, (_, place) => place);
    return places.sort((a, b) => this.#messages.at(a) - this.#messages.at(b) || a - b);
  }

  #firstOf(message: number): number {
    let from = 0;
    let to = this.#messages.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#messages.at(this.#sorted![middle]!) < message) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function reactionIn(value: unknown) {
  const { message, user_profile: user, ...row } = asObject<ZulipReaction>(value) ?? {};
  const emoji = emojiOfReaction(row);
  return isId(message) && isId(user) && emoji !== undefined ? { message, user, emoji } : undefined;
}

/** Whether a row says of which message it is, who reacted, and with what. */
export const isReaction = (value: unknown): boolean => reactionIn(value) !== undefined;

export function emojiOfReaction(row: Untrusted<ZulipReaction>): string | undefined {
  const { reaction_type: type } = row;
  const [name, code] = [asString(row.emoji_name), asString(row.emoji_code)];
  const isOwn = type === 'realm_emoji' || type === 'zulip_extra_emoji';
  const emoji = isOwn || code === undefined ? undefined : emojiOfCode(code);
  return emoji ?? (name === undefined ? undefined : `:${name}:`);
}

export const reactionsIn = (found: ReadonlyMap<string, ReadonlySet<string>>): Reaction[] =>
  [...found].map(([emoji, users]) => ({ emoji, users: [...users], count: users.size }));
