import { isEventOf } from './words.ts';

const mark = ' : ';

/** Names of people, for lines of phones: nothing but ` : ` divides a name and a text, and both may have it inside. */
export class KnownNames {
  /** The longest first: `Ann : Harbour` before `Ann`. */
  readonly #names: readonly string[];

  constructor(names: readonly string[]) {
    this.#names = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /**
   * @param line A message, or a line of the app if `mayBeOfApp`: `Ann invited Ben : Boss.`
   * @returns undefined for a line of the app.
   */
  authorOf(line: string, mayBeOfApp: boolean): string | undefined {
    const known = this.#names.find((name) => line.startsWith(`${name}${mark}`));
    if (known !== undefined) return known;
    const end = line.indexOf(mark);
    if (end < 0) return undefined;
    const first = line.slice(0, end);
    return mayBeOfApp && isEventOf(first, line) ? undefined : first;
  }
}

export const noNames = new KnownNames([]);

/** Authors that are watched. */
const authorsMax = 1000;

/**
 * Names that may be longer than the first ` : `: all that the person wrote goes on alike, as in `Ann : Harbour : Hello`.
 *
 * Memory: a name or two for each author.
 */
export class OpenNames<Place> {
  readonly #open = new Map<string, { readonly name: string; readonly first: Place } | undefined>();

  add(author: string, text: string, place: Place): void {
    if (!this.#open.has(author) && this.#open.size >= authorsMax) return;
    const end = text.indexOf(mark);
    const name = end <= 0 ? undefined : `${author}${mark}${text.slice(0, end)}`;
    const before = this.#open.get(author);
    if (!this.#open.has(author)) this.#open.set(author, name === undefined ? undefined : { name, first: place });
    else if (before !== undefined && before.name !== name) this.#open.set(author, undefined);
  }

  *all(): Generator<{ readonly name: string; readonly first: Place }> {
    for (const found of this.#open.values()) if (found !== undefined) yield found;
  }
}
