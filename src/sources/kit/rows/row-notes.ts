import { formatCount } from '../../../lib/text/count.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import { problemEntry } from '../entries.ts';

/** Problems of one kind that a file shows one by one; the others are only counted. */
const shownMax = 20;

/**
 * Problems of one file: the first of each kind with their places and a count of the rest, so that a bad column cannot
 * fill the report.
 *
 *     notes.add('damaged-text', reason, { path, line }, entries); // for every such row
 *     notes.end(path, entries); // behind the last row: "980 more rows of this file have this problem"
 */
export class RowNotes {
  readonly #counts = new Map<string, number>();

  /** @param about Ids of people or conversations that a decision is about: each is shown, for what depends on it is counted. */
  add(code: string, reason: string, location: Location, into: Entry[], about?: readonly string[]): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    if (about === undefined) this.#counts.set(code, count);
    if (count <= shownMax) into.push(problemEntry(code, reason, location, about));
  }

  /** For what holds for the whole file: said at its first row only. */
  addOnce(code: string, reason: string, location: Location, into: Entry[]): void {
    if (this.#counts.has(code)) return;
    this.#counts.set(code, 1);
    into.push(problemEntry(code, reason, location));
  }

  /** Reports the number of problems that were not shown, and resets the counts. */
  end(path: string, into: Entry[]): void {
    for (const [code, count] of this.#counts) {
      if (count <= shownMax) continue;
      const reason = `${formatCount(count - shownMax)} more rows of this file have this problem`;
      into.push({ type: 'problem', code, reason, location: { path }, count: count - shownMax });
    }
    this.#counts.clear();
  }

  /** The same as a list of its own. */
  ended(path: string): readonly Entry[] {
    const into: Entry[] = [];
    this.end(path, into);
    return into;
  }
}
