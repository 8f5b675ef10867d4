import { asString } from '../kit/narrow.ts';
import { type DatabaseRow, numberOf } from '../kit/rows/database-row.ts';
import { timeOf, tokenOf } from './format.ts';
import { type Info, readInfo, namedToken } from './info.ts';

interface Edit {
  readonly atMs: number;
  readonly event: number | undefined;
}

/** Edits of messages that are in the database: by the author of the message, in its chat. Memory: some 200 bytes each. */
export class Edits {
  /** The last one of each message. */
  readonly #latest = new Map<string, Edit>();
  readonly #found = new Set<string>();
  readonly #textOf: (event: number) => Iterable<DatabaseRow>;

  /**
   * @param rows Events that may be edits, in their order.
   * @param tokens All messages; not read if there is no edit.
   * @param textOf Reads the text of an edit.
   */
  constructor(
    rows: Iterable<DatabaseRow>,
    tokens: () => Iterable<DatabaseRow>,
    textOf: (event: number) => Iterable<DatabaseRow>,
  ) {
    this.#textOf = textOf;
    for (const row of rows) {
      const target = keyOf(namedToken(readInfo(row.Info)?.edit), row);
      const edit = { atMs: timeOf(row.TimeStamp) ?? 0, event: numberOf(row.EventID) };
      if (target !== undefined) this.#latest.set(target, edit);
    }
    if (this.#latest.size === 0) return;
    for (const row of tokens()) {
      const key = keyOf(tokenOf(row.Token), row);
      if (key !== undefined && this.#latest.has(key)) this.#found.add(key);
    }
  }

  /** Whether an event is an edit of a message, which then has its text. */
  isOfOther(info: Info, row: DatabaseRow): boolean {
    const target = keyOf(namedToken(info.edit), row);
    return target !== undefined && this.#found.has(target);
  }

  /** When a message was edited last; 0 if only that is known. */
  timeOf(token: string | undefined, row: DatabaseRow, info: Info): number | undefined {
    const atMs = this.#latest.get(keyOf(token, row) ?? '')?.atMs;
    if (atMs !== undefined) return atMs;
    const isMarked = info.edit !== undefined || namedToken(info.desktop_info, 'edit_token') !== undefined;
    return isMarked ? 0 : undefined;
  }

  /** The text of the last edit: the message itself may still have the text before it. */
  textOf(row: DatabaseRow): string | undefined {
    if (this.#latest.size === 0) return undefined;
    const event = this.#latest.get(keyOf(tokenOf(row.Token), row) ?? '')?.event;
    if (event === undefined) return undefined;
    const [found] = this.#textOf(event);
    return asString(found?.Body);
  }
}

function keyOf(token: string | undefined, row: DatabaseRow): string | undefined {
  if (token === undefined) return undefined;
  const person = row.person ?? row.ContactID ?? row.Number;
  return `${token} ${String(row.ChatID)} ${numberOf(row.Direction) === 1 ? 'self' : String(person)}`;
}
