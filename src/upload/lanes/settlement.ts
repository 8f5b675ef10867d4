import type { ConversationNews, Journal, Settled } from '../../checkpoint/delivery/journal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Failure, MessageAnswer } from '../../service/client/answers/outcome.ts';
import type { Batch } from '../pace/destination.ts';
import { differentContent } from '../read-back/compare.ts';
import { type Lane, type LaneRow, noteDelivered } from './lanes.ts';
import { type Found, readBack, type ReadPage } from '../read-back/read-back.ts';
import type { ReadBackProof } from '../read-back/read-back-proof.ts';

export type FailureWords = Pick<Failure, 'code' | 'detail'>;

export interface SettlementOptions {
  readonly journal: Journal;
  readonly readPage: ReadPage;
  readonly proof: ReadBackProof;
  /** What a muid that is already there meets. */
  readonly duplicates: 'unknown' | 'refused';
  /** Grows with every receipt. */
  readonly knownPeople: Set<number>;
  readonly clock: Clock;
  readonly onWait: (ms: number, why: string) => void;
  /** Aborted: messages that are being read back stay in doubt. */
  readonly signal: AbortSignal;
  /** Aborted: the same of messages that wait for the grace to pass. */
  readonly pausing: AbortSignal;
  /** Around the wait for a grace to pass: nothing else has to wait for it. */
  readonly whileWaiting: (wait: Promise<void>) => Promise<void>;
  /** Rows that are settled for good. */
  readonly onSettled: (rows: readonly LaneRow[]) => void;
  /** Every receipt and refusal, in the order of the answers; without a code for a good one. */
  readonly onAnswer: (code: string | undefined, detail: string) => void;
}

/** What is known of rows whose answer is missing, besides those that were found. */
export interface Resolved {
  /** Not there: pending again. */
  readonly absent: readonly LaneRow[];
  /** Nobody can say, and sending them again might double them: nothing more is done about them in this run. */
  readonly leftInDoubt: readonly LaneRow[];
}

/** Writes down what became of the messages of a batch, and finds it out where no answer says. */
export class Settlement {
  readonly #options: SettlementOptions;

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /**
   * Writes receipts down. The first ones of a run also prove that messages can be read back there.
   *
   * @returns Rows whose answer is missing, or that are said to be there already.
   * @throws DestinationError if nothing can be read back, and the user has not said what to do then.
   */
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
    const thereUpTo = lastAlreadyThere(batch, answers);
    for (const [index, row] of batch.rows.entries()) {
      const answer = isMissing.has(row.muid) ? undefined : answers.get(row.muid);
      if (!answer || answer.result === 'already-exists') {
        doubtful.push(row);
      } else if (answer.result === 'imported') {
        const isLate = index < (thereUpTo.get(row.lane) ?? -1);
        settled.push({ seq: row.seq, state: 'imported', serverId: answer.serverId, isLate });
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
    const [first] = good;
    if (first && this.#options.proof.isNeeded) await this.#prove(first, answers);
    this.#options.onSettled([...good, ...refused]);
    return doubtful;
  }

  /**
   * Finds out what became of rows without an answer: read back at once; what is absent is believed absent only after
   * the grace. Where nothing can be read back, only a destination that refuses duplicates gets them again.
   */
  async resolve(
    batch: Batch,
    rows: readonly LaneRow[],
    graceMs: number,
    answers: ReadonlyMap<string, MessageAnswer> = new Map(),
  ): Promise<Resolved> {
    if (rows.length === 0) return { absent: [], leftInDoubt: [] };
    const { clock, pausing, onWait, whileWaiting, proof } = this.#options;
    // "Already there" is ours only if a request with it left earlier; without an answer, what is found came from this one.
    const isOurs = ({ muid, hadIntent }: LaneRow) =>
      answers.get(muid)?.result !== 'already-exists' || hadIntent || batch.attemptCount > 1;
    if (!proof.reads) return await this.#resolveUnseen(batch, rows, answers, isOurs);
    const graceEndsAt = clock.monotonic() + graceMs;
    const absent = await this.#readBack(batch, rows, isOurs);
    if (absent.length === 0) return { absent, leftInDoubt: [] };
    if (graceMs === 0) return await this.#believe(batch, absent);
    const waitMs = graceEndsAt - clock.monotonic();
    if (waitMs > 0) {
      onWait(waitMs, `${absent.length} messages without an answer may still arrive`);
      await whileWaiting(clock.sleep(waitMs, pausing));
    }
    return await this.#believe(batch, await this.#readBack(batch, absent, isOurs));
  }

  /** Nothing can be read back: an "already there" has to do, and everything else is unknown. */
  async #resolveUnseen(
    batch: Batch,
    rows: readonly LaneRow[],
    answers: ReadonlyMap<string, MessageAnswer>,
    isOurs: (row: LaneRow) => boolean,
  ): Promise<Resolved> {
    const [there, unknown] = partition(rows, ({ muid }) => answers.get(muid)?.result === 'already-exists');
    const settled = there.map((row) => ({
      seq: row.seq,
      state: isOurs(row) ? ('imported' as const) : ('present' as const),
      code: 'not-compared',
      detail: 'The destination says that it has the message; what it has could not be read back',
    }));
    await this.#write(batch, settled, there, new Map(), unknown.length === 0);
    this.#options.onSettled(there);
    return await this.#believe(batch, unknown);
  }

  /** Rows that were not found are sent again where that is safe, and stay in doubt where it is not. */
  async #believe(batch: Batch, notFound: readonly LaneRow[]): Promise<Resolved> {
    const { proof, duplicates, onSettled } = this.#options;
    if (proof.tellsAbsence || duplicates === 'refused') {
      await this.putBack(batch, notFound);
      return { absent: notFound, leftInDoubt: [] };
    }
    onSettled(notFound);
    return { absent: [], leftInDoubt: notFound };
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

  async #prove(row: LaneRow, answers: ReadonlyMap<string, MessageAnswer>): Promise<void> {
    const answer = answers.get(row.muid);
    const serverId = answer?.result === 'imported' ? answer.serverId : undefined;
    await this.#options.proof.prove(row, serverId, this.#options.signal);
  }

  /** One read-back of each conversation concerned. @returns Rows that were not found. */
  async #readBack(batch: Batch, rows: readonly LaneRow[], isOurs: (row: LaneRow) => boolean): Promise<LaneRow[]> {
    const { readPage, proof, signal } = this.#options;
    const absent: LaneRow[] = [];
    for (const [lane, laneRows] of Map.groupBy(rows, (row) => row.lane)) {
      const found = await readBack(lane, laneRows, readPage, signal);
      const [present, notFound] = partition(laneRows, (row) => found.get(row)!.is !== 'absent');
      if (present.length > 0) proof.note('key');
      absent.push(...notFound);
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

/** The place in the batch of the last message of each lane that is said to be there already: what is new before it is late. */
function lastAlreadyThere({ rows }: Batch, answers: ReadonlyMap<string, MessageAnswer>): ReadonlyMap<Lane, number> {
  const places = new Map<Lane, number>();
  for (const [index, { lane, muid }] of rows.entries()) {
    if (answers.get(muid)?.result === 'already-exists') places.set(lane, index);
  }
  return places;
}

/** Those for which it holds, and the others. */
function partition<T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))];
}

function settledByReadBack(row: LaneRow, found: Found, isOurs: boolean): Settled {
  if (found.is === 'absent') throw new Error(`message ${row.seq} is absent`);
  const serverId = found.listed.id;
  if (found.is === 'different') return differentContent(row.seq, serverId, found.fields);
  const copies = found.times > 1 ? { code: 'possible-duplicate', detail: `found ${found.times} times` } : {};
  return { seq: row.seq, state: isOurs ? 'imported' : 'present', serverId, ...copies };
}
