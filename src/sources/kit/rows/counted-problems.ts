import { formatCount } from '../../../lib/text/count.ts';
import type { Entry } from '../../../model/entry.ts';

/**
 * What a file has that is not migrated, counted: `12 × read positions`. One problem for each thing, where the file ends.
 *
 *     const counts = new CountedProblems('mattermost-not-migrated');
 *     counts.add('mattermost-not-migrated', 'saved posts', 2);
 *     counts.end(path, entries);
 */
export class CountedProblems {
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param codes Said in this order. */
  constructor(...codes: readonly string[]) {
    for (const code of codes) this.#counts.set(code, new Map());
  }

  add(code: string, what: string, by = 1): void {
    if (by <= 0) return;
    const ofCode = this.#counts.get(code) ?? new Map<string, number>();
    this.#counts.set(code, ofCode.set(what, (ofCode.get(what) ?? 0) + by));
  }

  /** Reports the counts and resets them. */
  end(path: string, into: Entry[]): void {
    for (const [code, counts] of this.#counts)
      for (const [what, count] of counts)
        into.push({ type: 'problem', code, reason: `${formatCount(count)} × ${what}`, location: { path }, count });
    for (const counts of this.#counts.values()) counts.clear();
  }
  /** The same as a list of its own. */
  ended(path: string): readonly Entry[] {
    const into: Entry[] = [];
    this.end(path, into);
    return into;
  }
}
