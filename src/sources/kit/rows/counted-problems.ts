import { formatCount } from '../../../lib/text/count.ts';
import type { Entry } from '../../../model/entry.ts';

/**
 * Counts of data of a file that is not migrated: `12 × read positions`. One problem for each thing, where the file ends.
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

  /** Counts fields of a row that have something: a list by its elements, an object by its keys. @param words By the name of the field. */
  addFields(code: string, row: Readonly<Record<string, unknown>>, words: Readonly<Record<string, string>>): void {
    for (const [key, what] of Object.entries(words)) this.add(code, what, sizeOf(row[key]));
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

function sizeOf(value: unknown): number {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return value === undefined || value === null || value === '' || value === false ? 0 : 1;
}
