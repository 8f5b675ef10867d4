import { columnsNamed } from './aliases.ts';
import { type ColumnProfile, evidence, namesOf, profileOf } from './column-profile.ts';
import type { Draft } from './draft.ts';
import type { Row } from './row.ts';

/** The columns of a table whose proposal is being made: each becomes one thing at most. */
export class ColumnChoice {
  readonly rows: readonly Row[];
  readonly draft: Draft;
  readonly nulls: readonly string[];
  readonly names: readonly string[];
  readonly #used = new Set<string>();

  constructor(rows: readonly Row[], draft: Draft, nulls: readonly string[]) {
    this.rows = rows;
    this.draft = draft;
    this.nulls = nulls;
    this.names = namesOf(rows);
    for (const name of textsIn(draft.at('messages'))) this.use(name);
  }

  use(name: string): void {
    this.#used.add(name);
  }

  isUsed(name: string): boolean {
    return this.#used.has(name);
  }

  /** Columns of these names that hold something and are nothing else yet, the most telling first. */
  candidates(list: string, fits: (profile: ColumnProfile) => boolean = () => true): readonly ColumnProfile[] {
    return columnsNamed(this.names, list)
      .filter((name) => !this.#used.has(name))
      .map((name) => this.profile(name))
      .filter((profile) => profile.texts.length > 0 && fits(profile));
  }

  profile(name: string): ColumnProfile {
    return profileOf(this.rows, name, this.nulls);
  }

  /** Binds the best of some columns, if there is one and the user has not bound another. */
  choose(key: string, [best]: readonly ColumnProfile[]): void {
    if (!best || this.draft.at(key) !== undefined) return;
    this.use(best.name);
    this.draft.choose(key, { value: best.name, because: evidence(best) });
  }
}

/** Every text in the user's own bindings: each may be a column. */
function textsIn(bindings: unknown): readonly string[] {
  if (typeof bindings === 'string') return [bindings];
  return typeof bindings === 'object' && bindings !== null ? Object.values(bindings).flatMap(textsIn) : [];
}
