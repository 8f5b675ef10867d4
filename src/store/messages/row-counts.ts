import { PairCounts } from '../../lib/maps/pair-counts.ts';
import type { RowHome } from './rows.ts';
import type { StagedRow } from '../../model/staged-item.ts';

/** Pairs of a conversation and a person who writes in it that are held in memory: 6 MB, or 9 while they grow. */
const pairsMax = 1 << 18;

type CountedRow = Pick<StagedRow, 'rootMuid' | 'facts' | 'verdict' | 'reason' | 'part' | 'sentAtMs'>;

/**
 * Counts that a first plan makes of its rows on their way into the store, so that it need not go through all of them
 * again at its end. They are valid only if no row was changed after it was written.
 */
export class RowCounts {
  hasReplies = false;
  /** Links into the old system, which only some sources count. */
  hasOldLinks = false;
  /** Rows that are not sent, by the rule or the fault. */
  readonly #leftOut = { skipped: new Map<string, number>(), invalid: new Map<string, number>() };
  #pairs: PairCounts | undefined = new PairCounts();
  /** By conversation, the second of its latest message; `tied` if one was sent in the second of another, or came behind a later one. */
  #seconds = new Float64Array(1024).fill(Number.NEGATIVE_INFINITY);

  add(row: CountedRow, { conversation, sender }: RowHome): void {
    if (row.rootMuid !== null) this.hasReplies = true;
    if (row.facts?.includes('"oldLinks"')) this.hasOldLinks = true;
    if (row.verdict !== 'planned') {
      const counted = this.#leftOut[row.verdict];
      counted.set(row.reason!, (counted.get(row.reason!) ?? 0) + 1);
      return;
    }
    // Parts of one message share its time, and count once.
    if (row.part !== undefined && row.part > 1) return;
    if (conversation === null || sender === null || !this.#pairs || this.#pairs.size > pairsMax) {
      this.#pairs = undefined;
      return;
    }
    this.#pairs.add(conversation, sender);
    if (conversation >= this.#seconds.length) this.#grow(conversation);
    const second = Math.trunc(row.sentAtMs! / 1000);
    this.#seconds[conversation] = second <= this.#seconds[conversation]! ? tied : second;
  }

  /** Who wrote where, in the order of the conversations and people; only where it could be held. */
  writers(): Iterable<readonly [conversation: number, sender: number, count: number]> {
    return this.#pairs!.sorted();
  }

  *leftOut() {
    for (const verdict of ['skipped', 'invalid'] as const)
      for (const [reason, count] of this.#leftOut[verdict]) yield { verdict, reason, count };
  }

  /** Whether who wrote where could be held. */
  get hasWriters(): boolean {
    return this.#pairs !== undefined;
  }

  *tied(): Generator<readonly [conversation: number]> {
    for (const [conversation, second] of this.#seconds.entries()) if (second === tied) yield [conversation];
  }

  #grow(conversation: number): void {
    const before = this.#seconds;
    this.#seconds = new Float64Array(Math.max(conversation + 1, before.length * 2)).fill(Number.NEGATIVE_INFINITY);
    this.#seconds.set(before);
  }
}

const tied = Number.POSITIVE_INFINITY;
