import type { DatabaseRow } from '../kit/rows/database-row.ts';
import { timeOf, tokenOf } from './format.ts';
import { type Info, infoOf, namedToken } from './info.ts';

/** Edits of messages that are in the database. Memory: some 100 bytes each. */
export class Edits {
  readonly #times = new Map<string, number>();
  readonly #found = new Set<string>();

  /**
   * @param rows Events that may be edits, in their order.
   * @param tokens All messages; not read if there is no edit.
   */
  constructor(rows: Iterable<DatabaseRow>, tokens: () => Iterable<DatabaseRow>) {
    for (const row of rows) {
      const target = namedToken(infoOf(row.Info)?.edit);
      if (target !== undefined) this.#times.set(target, timeOf(row.TimeStamp) ?? 0);
    }
    if (this.#times.size === 0) return;
    for (const { Token } of tokens()) {
      const token = tokenOf(Token);
      if (token !== undefined && this.#times.has(token)) this.#found.add(token);
    }
  }

  /** Whether an event is an edit whose message says the new text itself. */
  isOfOther(info: Info): boolean {
    const target = namedToken(info.edit);
    return target !== undefined && this.#found.has(target);
  }

  /** When a message was edited last; 0 if only that is known. */
  timeOf(token: string | undefined, info: Info): number | undefined {
    const atMs = token === undefined ? undefined : this.#times.get(token);
    if (atMs !== undefined) return atMs;
    const isMarked = info.edit !== undefined || namedToken(info.desktop_info, 'edit_token') !== undefined;
    return isMarked ? 0 : undefined;
  }
}
