import { differenceWriter, seenMessages } from '../checkpoint/differences.ts';
import { peopleReader } from '../checkpoint/people.ts';
import type { Store } from '../checkpoint/store.ts';
import { type TouchedLane, touchedLanes } from '../checkpoint/touched-lanes.ts';
import type { Clock } from '../lib/clock.ts';
import type { VerifyResult } from '../model/books.ts';
import type { ListedMessage } from '../service/list-answer.ts';
import { differingFields, keyOf, sentMessage } from '../upload/compare.ts';
import type { RequestCounts } from '../upload/counts.ts';
import { laneRowsReader, type LaneRowsReader } from '../upload/lane-rows.ts';
import type { Lane, LaneRow } from '../upload/lanes.ts';
import { laneOf } from '../upload/load-lanes.ts';
import { conversationIds } from '../upload/read-back.ts';
import { createReader, type ReadPage, readConversation } from '../upload/reader.ts';
import type { Progress } from './progress.ts';
import type { Target } from './target.ts';

export interface VerifyOptions {
  /** Only the conversations that runs after this one touched. */
  readonly since?: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly counts: RequestCounts;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** A muid of our making: what has one and is not in the store is extra, everything else there is foreign. */
const ourShape = /^m1[a-z2-7]{25}(p\d+)?$/;

/**
 * Reads back what the target has, conversation by conversation, and compares it with what the store says was sent:
 * as sets, field by field, and in order. Memory stays flat; what differs is written to the store.
 *
 * @throws DestinationError if the target cannot be read.
 */
export async function verify(store: Store, target: Target, options: VerifyOptions): Promise<VerifyResult> {
  const { clock, random, counts, progress, signal } = options;
  const lanes = touchedLanes(store.db, target.id, options.since);
  const stage = progress.stage('Verifying', { total: lanes.reduce((sum, { delivered }) => sum + delivered, 0) });
  const pace = target.openPace((ms, why) => stage.update({ done: 0, waiting: `${Math.ceil(ms / 1000)} s: ${why}` }));
  const readPage = createReader({
    list: (query, abort) => target.client.listMessages(query, abort),
    pace,
    clock,
    random,
    counts,
    attemptsMax: 6,
  });
  const verifier = new Verifier(store, target, readPage, signal, (done) => stage.update({ done }));
  try {
    for (const lane of lanes) await verifier.lane(lane);
    return verifier.result;
  } finally {
    stage.finish();
    pace.close();
  }
}

class Verifier {
  readonly result: { -readonly [Key in keyof VerifyResult]: number } = {
    same: 0,
    missing: 0,
    extra: 0,
    different: 0,
    duplicated: 0,
    foreign: 0,
  };
  readonly #store: Store;
  readonly #readPage: ReadPage;
  readonly #signal: AbortSignal;
  readonly #onProgress: (done: number) => void;
  readonly #rows: LaneRowsReader;
  readonly #seen: ReturnType<typeof seenMessages>;
  readonly #differences: ReturnType<typeof differenceWriter>;
  readonly #personOf: ReturnType<typeof peopleReader>;
  /** The row before that is not late, to see whether messages stand in order. */
  #previous: LaneRow | undefined;

  constructor(
    store: Store,
    target: Target,
    readPage: ReadPage,
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ) {
    this.#store = store;
    this.#readPage = readPage;
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#rows = laneRowsReader(store, {
      ...target.profile,
      destination: target.id,
      details: 'never',
      knownPeople: new Set(),
    });
    this.#seen = seenMessages(store.db, target.id);
    this.#differences = differenceWriter(store.db, target.id);
    this.#personOf = peopleReader(store.db);
    this.#differences.clear();
  }

  async lane(touched: TouchedLane): Promise<void> {
    const lane = laneOf(touched, this.#personOf, undefined);
    this.#seen.clear();
    this.#previous = undefined;
    for (const conversationId of conversationIds(lane)) {
      let listedCount = 0;
      for await (const page of readConversation(this.#readPage, { conversationId }, this.#signal)) {
        listedCount += page.length;
        this.#store.db.transaction(() => {
          for (const listed of page) this.#compare(lane, listed);
        })();
        this.#onProgress(this.result.same + this.result.different);
      }
      if (listedCount > 0) break;
    }
    for (const { seq, muid } of this.#seen.missingOf(lane.conversation)) {
      this.#note('missing', lane, muid, seq, 'sent, and not there any more');
    }
  }

  #compare(lane: Lane, listed: ListedMessage): void {
    const key = keyOf(listed);
    const found = key === undefined ? undefined : this.#rows.byMuid(lane, key);
    if (!found) {
      if (key !== undefined && ourShape.test(key))
        this.#note('extra', lane, key, null, `not in the store; server id ${listed.id}`);
      else this.result.foreign++;
      return;
    }
    const { row, delivery } = found;
    if (!this.#seen.add(row.seq)) {
      this.#note('duplicated', lane, row.muid, row.seq, `again as server id ${listed.id}`);
      return;
    }
    if (delivery !== 'imported' && delivery !== 'present' && delivery !== 'refused') {
      this.#note('extra', lane, row.muid, row.seq, `there, though the store says ${delivery ?? 'pending'}`);
      return;
    }
    const fields = differingFields(sentMessage(row.muid, row.wire), listed);
    if (this.#isOutOfOrder(row)) fields.push('order');
    if (!row.isLate) this.#previous = row;
    if (fields.length > 0) this.#note('different', lane, row.muid, row.seq, `differs in ${fields.join(', ')}`);
    else this.result.same++;
  }

  /** Late messages are named as such where they are counted; they do not break the order. */
  #isOutOfOrder(row: LaneRow): boolean {
    const before = this.#previous;
    if (!before || row.isLate) return false;
    if (row.sentAtMs !== before.sentAtMs) return row.sentAtMs < before.sentAtMs;
    if (row.sortKey !== before.sortKey) return row.sortKey < before.sortKey;
    return row.seq < before.seq;
  }

  #note(
    kind: 'missing' | 'extra' | 'different' | 'duplicated',
    lane: Lane,
    muid: string,
    message: number | null,
    detail: string,
  ): void {
    this.result[kind]++;
    this.#differences.add({ kind, muid, conversation: lane.conversation, message, detail });
  }
}
