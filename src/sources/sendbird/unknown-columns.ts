import { formatCount } from '../../lib/text/count.ts';
import type { Entry } from '../../model/entry.ts';
import { messageColumns } from './format.ts';

/** Columns that are counted by name: no table of Sendbird has as many. */
const namesMax = 200;

/** Columns of one table of messages that Sendbird does not have: in how many rows each has a value. */
export class UnknownColumns {
  readonly #rows = new Map<string, number>();

  note(names: Iterable<string>, cell: (name: string) => string | undefined): void {
    for (const name of names) {
      if (messageColumns.has(name) || name.startsWith('user.') || cell(name) === undefined) continue;
      const count = this.#rows.get(name);
      if (count !== undefined || this.#rows.size < namesMax) this.#rows.set(name, (count ?? 0) + 1);
    }
  }

  /** Names alone: values may be anything. */
  end(path: string): Entry[] {
    return [...this.#rows].map(([column, count]) => {
      const reason = `${JSON.stringify(column)} has a value in ${count === 1 ? 'a row' : `${formatCount(count)} rows`}`;
      return { type: 'problem', code: 'column-not-migrated', reason, location: { path }, count, column };
    });
  }
}
