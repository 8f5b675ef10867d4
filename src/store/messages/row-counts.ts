import type { RowHome } from './rows.ts';
import type { StagedRow } from '../../model/staged-item.ts';

/** Pairs of a conversation and a person who writes in it that are held in memory: some 40 bytes each. */
const pairsMax = 100_000;

type CountedRow = Pick<StagedRow, 'rootMuid' | 'facts' | 'verdict' | 'reason' | 'part' | 'sentAtMs'>;

interface ConversationCounts {
  /** How many messages by whom. */
  readonly bySender: Map<number, number>;
  /** Second of the previous message. */
  second: number;
}

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
  #conversations: Map<number, ConversationCounts> | undefined = new Map();
  /** Conversations in which a message was sent in the second of another, or came behind a later one. */
  readonly #tied = new Set<number>();
  #pairCount = 0;
  /** The conversation of the row before: rows of one come one after the other. */
  #latest: readonly [id: number, counts: ConversationCounts] | undefined;

  add(row: CountedRow, { conversation, sender }: RowHome): void {
    if (row.rootMuid !== null) this.hasReplies = true;
    if (row.facts?.includes('"oldLinks"')) this.hasOldLinks = true;
    if (row.verdict !== 'planned') {
      const counted = this.#leftOut[row.verdict];
      counted.set(row.reason!, (counted.get(row.reason!) ?? 0) + 1);
      return;
    }
    const counts = conversation === null ? undefined : this.#countsOf(conversation);
    if (!counts || sender === null) {
      this.#giveUp();
      return;
    }
    // Parts of one message share its time, and count once.
    const isFurtherPart = row.part !== undefined && row.part > 1;
    const count = counts.bySender.get(sender);
    if (count === undefined && ++this.#pairCount > pairsMax) {
      this.#giveUp();
      return;
    }
    counts.bySender.set(sender, (count ?? 0) + (isFurtherPart ? 0 : 1));
    if (isFurtherPart) return;
    const second = Math.trunc(row.sentAtMs! / 1000);
    if (second <= counts.second) this.#tied.add(conversation!);
    else counts.second = second;
  }

  /** Who wrote where, in the order of the conversations and people; only where it could be held. */
  *writers(): Generator<readonly [conversation: number, sender: number, count: number]> {
    for (const [conversation, { bySender }] of ascending(this.#conversations!))
      for (const [sender, count] of ascending(bySender)) yield [conversation, sender, count];
  }

  *leftOut() {
    for (const verdict of ['skipped', 'invalid'] as const)
      for (const [reason, count] of this.#leftOut[verdict]) yield { verdict, reason, count };
  }

  /** Whether who wrote where could be held. */
  get hasWriters(): boolean {
    return this.#conversations !== undefined;
  }

  get tied(): Iterable<number> {
    return this.#tied;
  }

  #countsOf(conversation: number): ConversationCounts | undefined {
    if (this.#latest?.[0] === conversation) return this.#latest[1];
    if (!this.#conversations) return undefined;
    let counts = this.#conversations.get(conversation);
    if (!counts) {
      counts = { bySender: new Map(), second: Number.NEGATIVE_INFINITY };
      this.#conversations.set(conversation, counts);
    }
    this.#latest = [conversation, counts];
    return counts;
  }

  #giveUp(): void {
    this.#conversations = undefined;
    this.#latest = undefined;
  }
}

const ascending = <Value>(counts: ReadonlyMap<number, Value>) => [...counts].sort(([a], [b]) => a - b);
