import type { Store } from '../../../store/open.ts';
import { muidShape } from '../../../mapping/ids.ts';
import type { ListedMessage } from '../../../service/outcome.ts';
import { type ExpectedLanes, expectedLanes, isBefore, type Lane, type LaneRow } from '../../../delivery/lanes.ts';
import type { DestinationSession } from '../../../delivery/session.ts';
import { differingFields, keyOf, sentMessage } from '../../../delivery/compare.ts';
import { listedOf } from '../../../delivery/read-back.ts';
import type { ReconcileCounts } from '../../results.ts';

export const noCounts = (): ReconcileCounts => ({
  conversations: 0,
  confirmed: 0,
  found: 0,
  failed: 0,
  different: 0,
  putBack: 0,
  unsent: 0,
  duplicated: 0,
  extra: 0,
  foreign: 0,
});

/** One look at a whole conversation, and what was written down. */
interface Reading {
  readonly lane: Lane;
  readonly counts: ReconcileCounts;
  /** Place of the last message so far in the order of the source. */
  upTo: Lane['cursor'] | undefined;
  lastServerId: string | undefined;
}

export class ConversationReader {
  readonly store: Store;
  readonly destination: number;
  /** Messages that the last look at a conversation has shown. */
  readonly seen: ReturnType<Store['checks']['openMet']>;
  readonly write: ReturnType<Store['checks']['openReconciled']>;
  readonly #line: DestinationSession;
  readonly #signal: AbortSignal;
  #expected!: ExpectedLanes;

  constructor(store: Store, connection: DestinationSession, run: number, signal: AbortSignal) {
    this.store = store;
    this.destination = connection.target.id;
    this.seen = store.checks.openMet(this.destination);
    this.write = store.checks.openReconciled(this.destination, run);
    this.#line = connection;
    this.#signal = signal;
    this.renew();
  }

  /** To be called when muids of the store have changed. */
  renew(): void {
    this.#expected = expectedLanes(this.store, this.#line.target);
  }

  /** Every message of a conversation, a page at a time. @throws DestinationError */
  pages(lane: Lane): AsyncIterable<readonly ListedMessage[]> {
    return listedOf(lane, this.#line.readPage, this.#signal);
  }

  /** @returns What was found; `met` then knows which messages. */
  async check(lane: Lane): Promise<ReconcileCounts> {
    this.seen.clear(lane.conversation);
    const check: Reading = { lane, counts: noCounts(), upTo: undefined, lastServerId: undefined };
    let isEmpty = true;
    for await (const page of this.pages(lane)) {
      isEmpty = false;
      this.store.transaction(() => {
        for (const listed of page) this.#note(check, listed);
      })();
    }
    const { conversation, receiverType, conversationId, lastServerId: before } = lane;
    const { lastServerId, counts } = check;
    if (!isEmpty || before !== undefined) {
      const { foreign: foreignCount } = counts;
      this.write.conversation({ conversation, receiverType, conversationId, lastServerId, foreignCount });
    }
    return counts;
  }

  find(lane: Lane, listed: ListedMessage): ReturnType<ExpectedLanes['byMuid']> {
    const key = keyOf(listed);
    return key === undefined ? undefined : this.#expected.byMuid(lane, key);
  }

  #note(check: Reading, listed: ListedMessage): void {
    const { lane, counts } = check;
    const known = this.find(lane, listed);
    if (!known) {
      const key = keyOf(listed);
      if (key !== undefined && muidShape.test(key)) counts.extra++;
      else counts.foreign++;
      return;
    }
    const { row, delivery } = known;
    if (!this.seen.add(lane.conversation, row.seq)) {
      counts.duplicated++;
      return;
    }
    const fields = differingFields(sentMessage(row.muid, row.wire), listed);
    if (fields.length > 0) this.#noteDifferent(check, row, delivery, listed, fields);
    else this.#noteSame(check, row, delivery, listed);
  }

  #noteSame(check: Reading, row: LaneRow, delivery: string | null, listed: ListedMessage): void {
    const { counts, lane } = check;
    const serverId = listed.id;
    const isLate = check.upTo !== undefined && isBefore(row, check.upTo);
    if (!isLate) check.upTo = [row.sentAtMs, row.sortKey, row.seq];
    check.lastServerId = laterId(check.lastServerId, serverId);
    this.write.person(row.sender.id);
    for (const { id } of lane.receiverType === 'user' ? (lane.people ?? []) : []) this.write.person(id);
    if (delivery === 'imported' || delivery === 'existing') {
      counts.confirmed++;
      this.write.learnServerId(row.seq, serverId);
      return;
    }
    counts.found++;
    this.write.found({ seq: row.seq, state: this.stateOf(row.seq), serverId, isLate });
  }

  /** Returns the state of a message that was found there: imported if a request for it may have left from this store. */
  stateOf(seq: number): 'imported' | 'existing' {
    return this.store.batches.hadAttempt(this.destination, seq) ? 'imported' : 'existing';
  }

  #noteDifferent(
    { counts }: Reading,
    { seq }: LaneRow,
    delivery: string | null,
    listed: ListedMessage,
    fields: readonly string[],
  ): void {
    if (delivery === 'imported' || delivery === 'existing') {
      counts.different++;
      return;
    }
    counts.failed++;
    const detail = `already there with another ${fields.join(', ')}`;
    const code = 'different-content';
    this.write.found({ seq, state: 'failed', serverId: listed.id, code, detail, isLate: false });
  }
}

/** Returns the one of two service ids that arrived later: ids that are numbers ascend. */
function laterId(a: string | undefined, b: string): string {
  if (a === undefined || !/^\d+$/.test(a) || !/^\d+$/.test(b)) return b;
  return BigInt(b) > BigInt(a) ? b : a;
}
