import { hadAttemptReader, metMessages, reconcileWriter } from '../../checkpoint/repair/reconcile-rows.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { muidShape } from '../../mapping/muid.ts';
import type { ListedMessage } from '../../service/client/answers/list-answer.ts';
import { differingFields, keyOf, sentMessage } from '../../upload/read-back/compare.ts';
import { laneRowsReader, type LaneRowsReader } from '../../upload/lanes/lane-rows.ts';
import { isBefore, type Lane, type LaneRow } from '../../upload/lanes/lanes.ts';
import { conversationIds, readConversation, type ReadPage } from '../../upload/read-back/read-back.ts';
import type { Target } from '../../upload/target.ts';
import { noCounts, type ReconcileCounts } from './counts.ts';

/** One look at a whole conversation, and what was written down. */
interface Look {
  readonly lane: Lane;
  readonly counts: ReconcileCounts;
  /** Place of the last message so far in the order of the source. */
  upTo: Lane['cursor'] | undefined;
  lastServerId: string | undefined;
}

/** Reads whole conversations and writes down what is there of ours. */
export class ThereReader {
  readonly met: ReturnType<typeof metMessages>;
  readonly #store: Store;
  readonly #target: Target;
  readonly #readPage: ReadPage;
  readonly #write: ReturnType<typeof reconcileWriter>;
  readonly #hadAttempt: ReturnType<typeof hadAttemptReader>;
  readonly #signal: AbortSignal;
  #rows!: LaneRowsReader;

  constructor(store: Store, target: Target, run: number, readPage: ReadPage, signal: AbortSignal) {
    this.#store = store;
    this.#target = target;
    this.#readPage = readPage;
    this.#signal = signal;
    this.met = metMessages(store.db, target.id);
    this.#write = reconcileWriter(store.db, target.id, run);
    this.#hadAttempt = hadAttemptReader(store.db, target.id);
    this.renew();
  }

  /** To be called when muids of the books have changed. */
  renew(): void {
    const { id, profile } = this.#target;
    this.#rows = laneRowsReader(this.#store, { ...profile, destination: id, details: 'never', knownPeople: new Set() });
  }

  /** Every message of a conversation under the first of its ids that shows any, a page at a time. @throws DestinationError */
  async *pages(lane: Lane): AsyncGenerator<readonly ListedMessage[]> {
    let isFound = false;
    for (const conversationId of conversationIds(lane)) {
      for await (const page of readConversation(this.#readPage, { conversationId }, this.#signal)) {
        isFound = true;
        yield page;
      }
      if (!isFound) continue;
      lane.conversationId ??= conversationId;
      return;
    }
  }

  /** @returns What was found; `met` then knows which messages. */
  async look(lane: Lane): Promise<ReconcileCounts> {
    this.met.clear(lane.conversation);
    const look: Look = { lane, counts: noCounts(), upTo: undefined, lastServerId: undefined };
    let isEmpty = true;
    for await (const page of this.pages(lane)) {
      isEmpty = false;
      this.#store.db.transaction(() => {
        for (const listed of page) this.#note(look, listed);
      })();
    }
    const { conversation, receiverType, conversationId, lastServerId: before } = lane;
    const { lastServerId, counts } = look;
    if (!isEmpty || before !== undefined) {
      const { foreign: foreignCount } = counts;
      this.#write.conversation({ conversation, receiverType, conversationId, lastServerId, foreignCount });
    }
    return counts;
  }

  /** The message of the books that a listed one is. */
  find(lane: Lane, listed: ListedMessage): ReturnType<LaneRowsReader['byMuid']> {
    const key = keyOf(listed);
    return key === undefined ? undefined : this.#rows.byMuid(lane, key);
  }

  #note(look: Look, listed: ListedMessage): void {
    const { lane, counts } = look;
    const known = this.find(lane, listed);
    if (!known) {
      const key = keyOf(listed);
      if (key !== undefined && muidShape.test(key)) counts.extra++;
      else counts.foreign++;
      return;
    }
    const { row, delivery } = known;
    if (!this.met.add(lane.conversation, row.seq)) {
      counts.duplicated++;
      return;
    }
    const fields = differingFields(sentMessage(row.muid, row.wire), listed);
    if (fields.length > 0) this.#noteDifferent(look, row, delivery, listed, fields);
    else this.#noteSame(look, row, delivery, listed);
  }

  #noteSame(look: Look, row: LaneRow, delivery: string | null, listed: ListedMessage): void {
    const { counts, lane } = look;
    const serverId = listed.id;
    const isLate = look.upTo !== undefined && isBefore(row, look.upTo);
    if (!isLate) look.upTo = [row.sentAtMs, row.sortKey, row.seq];
    look.lastServerId = laterId(look.lastServerId, serverId);
    this.#write.person(row.sender.id);
    for (const { id } of lane.receiverType === 'user' ? (lane.people ?? []) : []) this.#write.person(id);
    if (delivery === 'imported' || delivery === 'present') {
      counts.confirmed++;
      this.#write.learnServerId(row.seq, serverId);
      return;
    }
    counts.found++;
    const state = this.#hadAttempt(row.seq) ? 'imported' : 'present';
    this.#write.found({ seq: row.seq, state, serverId, isLate });
  }

  #noteDifferent(
    { counts }: Look,
    { seq }: LaneRow,
    delivery: string | null,
    listed: ListedMessage,
    fields: readonly string[],
  ): void {
    if (delivery === 'imported' || delivery === 'present') {
      counts.different++;
      return;
    }
    counts.refused++;
    const detail = `already there with another ${fields.join(', ')}`;
    const code = 'different-content';
    this.#write.found({ seq, state: 'refused', serverId: listed.id, code, detail, isLate: false });
  }
}

/** Of two ids of the service the one that arrived later: ids that are numbers ascend. */
function laterId(a: string | undefined, b: string): string {
  if (a === undefined || !/^\d+$/.test(a) || !/^\d+$/.test(b)) return b;
  return BigInt(b) > BigInt(a) ? b : a;
}
