import type { ConversationNews, Journal, Settled } from '../checkpoint/journal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Failure, MessageAnswer } from '../service/outcome.ts';
import type { Batch } from './destination.ts';
import { type Lane, type LaneRow, noteDelivered } from './lanes.ts';
import { type Found, readBack } from './read-back.ts';
import type { ReadPage } from './reader.ts';

export type FailureWords = Pick<Failure, 'code' | 'detail'>;

export interface SettlementOptions {
  readonly journal: Journal;
  readonly readPage: ReadPage;
  /** Grows with every receipt. */
  readonly knownPeople: Set<number>;
  readonly clock: Clock;
  readonly onWait: (ms: number, why: string) => void;
  /** Aborted: messages that are being read back stay in doubt. */
  readonly signal: AbortSignal;
  /** Around the wait for a grace to pass: nothing else has to wait for it. */
  readonly whileWaiting: (wait: Promise<void>) => Promise<void>;
  /** Rows that are settled for good. */
  readonly onSettled: (rows: readonly LaneRow[]) => void;
  /** Every receipt and refusal, in the order of the answers; without a code for a good one. */
  readonly onAnswer: (code: string | undefined, detail: string) => void;
}

/** Writes down what became of the messages of a batch, and finds it out where no answer says. */
export class Settlement {
  readonly #options: SettlementOptions;

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /** Writes receipts down. @returns Rows whose answer is missing, or that are said to be there already. */
  async receive(
    batch: Batch,
    answers: ReadonlyMap<string, MessageAnswer>,
    missing: readonly string[],
  ): Promise<LaneRow[]> {
    const isMissing = new Set(missing);
    const settled: Settled[] = [];
    const good: LaneRow[] = [];
    const refused: LaneRow[] = [];
    const doubtful: LaneRow[] = [];
    const serverIds = new Map<Lane, string>();
    for (const row of batch.rows) {
      const answer = isMissing.has(row.muid) ? undefined : answers.get(row.muid);
      if (!answer || answer.result === 'already-exists') {
        doubtful.push(row);
      } else if (answer.result === 'imported') {
        settled.push({ seq: row.seq, state: 'imported', serverId: answer.serverId });
        good.push(row);
        row.lane.conversationId ??= answer.conversationId;
        if (answer.serverId !== undefined) serverIds.set(row.lane, answer.serverId);
      } else {
        settled.push({ seq: row.seq, state: 'refused', code: answer.code, detail: answer.detail });
        refused.push(row);
      }
    }
    for (const { code, detail } of settled) this.#options.onAnswer(code, detail ?? '');
    await this.#write(batch, settled, good, serverIds, doubtful.length === 0);
    this.#options.onSettled([...good, ...refused]);
    return doubtful;
  }

  /**
   * Finds out what became of rows without an answer: read back at once; what is absent is believed absent only after
   * the grace.
   *
   * @returns Rows that are not there and may be sent again.
   */
  async resolve(
    batch: Batch,
    rows: readonly LaneRow[],
    graceMs: number,
    answers: ReadonlyMap<string, MessageAnswer> = new Map(),
  ): Promise<LaneRow[]> {
    if (rows.length === 0) return [];
    const { clock, signal, onWait, whileWaiting } = this.#options;
    const graceEndsAt = clock.monotonic() + graceMs;
    // "Already there" is ours only if a request with it left earlier; without an answer, what is found came from this one.
    const isOurs = ({ muid, hadIntent }: LaneRow) =>
      answers.get(muid)?.result !== 'already-exists' || hadIntent || batch.attemptCount > 1;
    const absent = await this.#readBack(batch, rows, isOurs);
    const waitMs = graceEndsAt - clock.monotonic();
    if (absent.length === 0) return [];
    if (waitMs > 0) {
      onWait(waitMs, `${absent.length} messages without an answer may still arrive`);
      await whileWaiting(clock.sleep(waitMs, signal));
    }
    const stillAbsent = await this.#readBack(batch, absent, isOurs);
    await this.putBack(batch, stillAbsent);
    return stillAbsent;
  }

  /** Surely not applied: the rows are pending again. */
  async putBack(batch: Batch, rows: readonly LaneRow[]): Promise<void> {
    await this.#write(
      batch,
      rows.map(({ seq }) => ({ seq, state: 'pending' as const })),
    );
  }

  /**
   * The service says that it has a message, and its conversation does not show it, also after the grace: it stands
   * somewhere else, and no further request would change that.
   *
   * @returns The other rows.
   */
  async refuseHidden(absent: readonly LaneRow[], answers: ReadonlyMap<string, MessageAnswer>): Promise<LaneRow[]> {
    const others: LaneRow[] = [];
    for (const row of absent) {
      const answer = answers.get(row.muid);
      if (answer?.result !== 'already-exists') others.push(row);
      else await this.refuse(row, { code: answer.code, detail: `${answer.detail}; it is not in this conversation` });
    }
    return others;
  }

  /** No request can carry this message: it is refused, with the words of the last one. */
  async refuse(row: LaneRow, { code, detail }: FailureWords): Promise<void> {
    await this.#write(undefined, [{ seq: row.seq, state: 'refused', code, detail }]);
    this.#options.onSettled([row]);
    this.#options.onAnswer(code, detail);
  }

  /** One read-back of each conversation concerned. @returns Rows that were not found. */
  async #readBack(batch: Batch, rows: readonly LaneRow[], isOurs: (row: LaneRow) => boolean): Promise<LaneRow[]> {
    const { readPage, signal } = this.#options;
    const absent: LaneRow[] = [];
    for (const [lane, laneRows] of Map.groupBy(rows, (row) => row.lane)) {
      const found = await readBack(lane, laneRows, readPage, signal);
      const present = laneRows.filter((row) => found.get(row)!.is !== 'absent');
      absent.push(...laneRows.filter((row) => found.get(row)!.is === 'absent'));
      const settled = present.map((row) => settledByReadBack(row, found.get(row)!, isOurs(row)));
      await this.#write(batch, settled, present, new Map(), false);
      this.#options.onSettled(present);
    }
    if (absent.length === 0) await this.#write(batch, []);
    return absent;
  }

  async #write(
    batch: Batch | undefined,
    settled: readonly Settled[],
    good: readonly LaneRow[] = [],
    serverIds: ReadonlyMap<Lane, string> = new Map(),
    closes = true,
  ): Promise<void> {
    const { journal, knownPeople } = this.#options;
    const people: number[] = [];
    const conversations: ConversationNews[] = [];
    for (const { sender, lane } of good) {
      const peers = lane.receiverType === 'user' ? (lane.people ?? []) : [];
      for (const { id } of [sender, ...peers]) {
        if (knownPeople.has(id)) continue;
        knownPeople.add(id);
        people.push(id);
      }
    }
    for (const row of good) noteDelivered(row.lane, row);
    for (const lane of new Set(good.map((row) => row.lane))) {
      lane.isReceiverKnown = true;
      lane.lastServerId = serverIds.get(lane) ?? lane.lastServerId;
      const { conversation, receiverType, conversationId, lastServerId } = lane;
      conversations.push({ conversation, receiverType, conversationId, lastServerId });
    }
    await journal.settle(batch?.id, settled, { people, conversations, closes });
  }
}

function settledByReadBack(row: LaneRow, found: Found, isOurs: boolean): Settled {
  if (found.is === 'absent') throw new Error(`message ${row.seq} is absent`);
  const serverId = found.listed.id;
  if (found.is === 'different') {
    return {
      seq: row.seq,
      state: 'refused',
      serverId,
      code: 'different-content',
      detail: `already there with another ${found.fields.join(', ')}`,
    };
  }
  const copies = found.times > 1 ? { code: 'possible-duplicate', detail: `found ${found.times} times` } : {};
  return { seq: row.seq, state: isOurs ? 'imported' : 'present', serverId, ...copies };
}
