import { Seen } from '../kit/described.ts';
import type { Chat } from './chats.ts';
import { eventIn, isDoneBySubject } from './words.ts';

/** A line with a time and spaces, split. */
interface Said {
  /** Undefined for a line of the app. */
  readonly author: string | undefined;
  readonly text: string;
  /** The name may be longer, and this is its first line. */
  readonly isOpen: boolean;
  /** A line of the app that may be words of a person. */
  readonly isDoubtful?: true;
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
    const ofApp = { author: undefined, text, isOpen: false };
    const doubtful = { ...ofApp, isDoubtful: true } as const;
    if (text.startsWith('☎')) return ofApp;
    const author = this.#known.find((name) => text.startsWith(`${name} `));
    if (author !== undefined) {
      const said = text.slice(author.length + 1);
      return isDoneBySubject(said) ? doubtful : { author, text: said, isOpen: false };
    }
    const isEvent = eventIn(text) !== undefined;
    if (this.#areAllKnown) return isEvent ? ofApp : undefined;
    const end = text.indexOf(' ');
    if (end <= 0) return isEvent ? ofApp : doubtful;
    // `Ben I invited Ann` has words of the app too, and so has `Ann Kai invited Ben`.
    const isNamed = this.#known.some((name) => text.startsWith(name));
    if (isEvent && (isNamed || eventIn(text.slice(end + 1)) === undefined))
      return isDoneBySubject(text.slice(end + 1)) ? doubtful : ofApp;
    const first = text.slice(0, end);
    return { author: first, text: text.slice(end + 1), isOpen: this.#seen.add(first) };
  }
}
