import { Seen } from '../kit/described.ts';
import type { Chat } from './chats.ts';
import { eventIn } from './words.ts';

/** A line with a time and spaces, split. */
interface Said {
  /** Undefined for a line of the app. */
  readonly author: string | undefined;
  readonly text: string;
  /** The name may be longer, and this is its first line. */
  readonly isOpen: boolean;
}

/** Finds where names end in a file with one space between time, name and text. */
export class SpacedNames {
  /** The longest first: `Ann Kai` before `Ann`. */
  readonly #known: readonly string[];
  readonly #areAllKnown: boolean;
  readonly #seen = new Seen();

  constructor({ options: { names, me }, title }: Chat) {
    this.#areAllKnown = names.length > 0;
    this.#known = [...names, me, title].filter(Boolean).toSorted((a, b) => b.length - a.length);
  }

  /** @param text What follows the time. @returns undefined for a line that begins with no name and is none of the app. */
  split(text: string): Said | undefined {
    const author = this.#known.find((name) => text.startsWith(`${name} `));
    if (eventIn(text) !== undefined || text.startsWith('☎')) return { author: undefined, text, isOpen: false };
    if (author !== undefined) return { author, text: text.slice(author.length + 1), isOpen: false };
    if (this.#areAllKnown) return undefined;
    const end = text.indexOf(' ');
    if (end <= 0) return { author: undefined, text, isOpen: false };
    const first = text.slice(0, end);
    return { author: first, text: text.slice(end + 1), isOpen: this.#seen.add(first) };
  }
}
