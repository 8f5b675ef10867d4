import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import { locationInside, partialEntry } from '../entries.ts';
import { asObject } from '../narrow.ts';
import type { GoodRow } from './json-entries.ts';

type Answer = Readonly<Record<string, unknown>>;

/** How answers of a service are told from its rows. */
export interface AnswerWords {
  /** Keys of their lists. */
  readonly lists: readonly string[];
  /** Keys of which a row has one, and an answer none. */
  readonly ofRows: readonly string[];
  /** The field that says that more follows. */
  readonly more: string;
  saysMore(answer: Answer): boolean;
}

/**
 * Rows of a file that may be whole answers: one on each line, or in a list.
 *
 *     for (const [value, location] of this.answers.listRows(row)) this.#addThread(value, location, into);
 */
export class AnswersInRows {
  readonly #words: AnswerWords;
  #count = 0;
  #openCount = 0;

  constructor(words: AnswerWords) {
    this.#words = words;
  }

  /** The rows of an answer with their locations, or the row itself if it is none. Nothing of other lists of an answer that is the file. */
  listRows({ value, location, parentKey }: GoodRow): readonly (readonly [value: unknown, location: Location])[] {
    const answer = asObject<Record<string, unknown>>(value) as Answer | undefined;
    const { lists, ofRows, saysMore } = this.#words;
    if (parentKey !== undefined && !lists.includes(parentKey)) return [];
    const isRow = answer === undefined || ofRows.some((key) => answer[key] !== undefined);
    const given = isRow ? [] : lists.filter((list) => Array.isArray(answer[list]));
    if (given.length === 0) return [[value, location]];
    this.#count += 1;
    if (saysMore(answer!)) this.#openCount += 1;
    return given.flatMap((key) =>
      (answer![key] as readonly unknown[]).map(
        (row, index) => [row, locationInside(location, `/${key}/${index}`)] as const,
      ),
    );
  }

  /** Where the file ends. */
  missing(path: string): readonly Entry[] {
    const isOpen = this.#count > 0 && this.#openCount === this.#count;
    return isOpen
      ? [partialEntry(`each answer has "${this.#words.more}": more follows, and none is the last one`, { path })]
      : [];
  }
}
