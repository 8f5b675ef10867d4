import type { Reaction } from '../../model/records.ts';
import { asObject, asString, asStrings } from '../kit/narrow.ts';
import type { Content } from './format.ts';

/**
 * An event about another event. `what`: the new content of an edit, or nothing if it is encrypted; the emoji; ids of
 * answers; why it was deleted.
 */
export interface Row {
  /** Number of the row before it that belongs to the same event; -1 for none. */
  readonly before: number;
  readonly target: string;
  readonly kind: 'edit' | 'reaction' | 'vote' | 'deletion';
  readonly id: string;
  readonly sender: string;
  readonly atMs: number;
  readonly what: unknown;
}

/** The last valid edit of a message. */
export interface LastEdit {
  readonly atMs: number | undefined;
  readonly content: Content | undefined;
}

/** The events that belong to one event, except deleted ones. */
export class Belonging {
  readonly #rows: readonly Row[];

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  #all(kind: Row['kind']): readonly Row[] {
    return this.#rows.filter((row) => row.kind === kind);
  }

  /** Returns the number of edits; an event may be in a file twice. */
  get edits(): number {
    return new Set(this.#all('edit').map(({ id }) => id)).size;
  }

  /** Why it was deleted, if it was. */
  get deletion(): { readonly reason: string | undefined } | undefined {
    const [first] = this.#all('deletion');
    return first && { reason: asString(first.what) };
  }

  /** The last edit by who wrote the message: others cannot edit it. */
  editBy(sender: string | undefined): LastEdit | undefined {
    const last = this.#all('edit').findLast((edit) => edit.sender === sender);
    return last && { atMs: last.atMs || undefined, content: asObject<Content>(last.what) as Content | undefined };
  }

  /** Each emoji once, with who gave it; the same by the same person twice is one. */
  reactions(): Reaction[] | undefined {
    const users = new Map<string, Set<string>>();
    for (const { what, sender } of this.#all('reaction'))
      users.set(String(what), (users.get(String(what)) ?? new Set()).add(sender));
    return users.size === 0 ? undefined : [...users].map(([emoji, by]) => ({ emoji, users: [...by], count: by.size }));
  }

  /** How many chose each answer, by the last vote of each person. */
  votes(): ReadonlyMap<string, number> {
    const last = new Map(this.#all('vote').map(({ sender, what }) => [sender, asStrings(what)]));
    const votes = new Map<string, number>();
    for (const answers of last.values()) for (const answer of answers) votes.set(answer, (votes.get(answer) ?? 0) + 1);
    return votes;
  }
}
