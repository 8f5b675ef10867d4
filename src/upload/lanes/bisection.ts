import type { ImportOutcome } from '../../service/client/answers/outcome.ts';
import { backoff } from '../pace/backoff.ts';
import type { Batch } from '../pace/destination.ts';
import type { Sending } from '../sending.ts';
import { batchOf, halvesByBytes } from './batches.ts';
import { isBefore, type LaneRow } from './lanes.ts';
import type { Receipts } from './receipts.ts';
import { type FailureWords, isStop, silentError } from './stop-rules.ts';
import type { Traffic } from './traffic.ts';

/** A batch that fails whole this often is split in halves, to find the message that causes it. */
const wholeFailuresMax = 2;
/** The same for a message alone, which is then refused: a network may well break three times in a row. */
const aloneFailuresMax = 4;
/** So many messages that seem to be the cause, one after the other, while nothing is answered: it is not the messages. */
const suspectsMax = 3;
/** So many requests in a row whose messages stay in doubt, while nothing is answered: the next would end like them. */
const leftInDoubtMax = 3;

/** Requests for the same rows that fail as a whole, one after the other. */
interface Trouble {
  /** Of exactly these rows. A part begins as if it had failed whole: it is split again at its first failure. */
  readonly failures: number;
  /** They were split off from a request that failed. */
  readonly isPart: boolean;
  /** Requests in vain that led here, for the wait before the next one. */
  readonly depth: number;
  /** Requests that had left when it began: an answer to a later one shows that the destination is not simply down. */
  readonly sentBefore: number;
  /** Messages that failed alone before any later request was answered. Shared by all parts of a batch. */
  readonly suspects: { readonly row: LaneRow; readonly failure: FailureWords }[];
}

/**
 * Sends rows until it is known what became of each: again, then in halves, down to the message that no request can carry. It
 * is refused if other requests are answered meanwhile; if none is, the destination is down, and the run stops.
 *
 *     send ──answered──▶ receipts ──(missing, already there)──▶ read back
 *       ├──not applied──▶ halves, or the run stops; messages stay pending
 *       └──unknown──▶ read back ──▶ grace ──▶ read back ──▶ what is absent is sent again, then in halves
 *
 * Such a message in a batch of 50 costs 14 further requests at most: one for the whole batch again, two for each of six
 * halvings, and one more for the message alone.
 */
export class Bisection {
  readonly #sending: Sending;
  readonly #traffic: Traffic;
  readonly #receipts: Receipts;
  /** Requests that have left, and the latest of them that was answered. */
  #sentCount = 0;
  #lastAnswered = 0;
  #leftInDoubt = 0;

  constructor(sending: Sending, traffic: Traffic, receipts: Receipts) {
    this.#sending = sending;
    this.#traffic = traffic;
    this.#receipts = receipts;
  }

  /** @throws DestinationError when the destination is down; NotSent when the run is being stopped. */
  async deliver(rows: readonly LaneRow[]): Promise<void> {
    const trouble: Trouble = { failures: 0, isPart: false, depth: 0, sentBefore: Number.NaN, suspects: [] };
    await this.#judge(await this.#send(rows, 'first', trouble));
  }

  /** @returns The trouble as it is known after the first of these requests. */
  async #send(rows: readonly LaneRow[], kind: Batch['kind'], before: Trouble): Promise<Trouble> {
    const batch = batchOf(rows, kind);
    let number = 0;
    const outcome = await this.#traffic.send(batch, () => (number = ++this.#sentCount));
    const sentBefore = Number.isNaN(before.sentBefore) ? this.#sentCount : before.sentBefore;
    const trouble = { ...before, sentBefore, failures: before.failures + 1, depth: before.depth + 1 };
    if (outcome.kind === 'answered') await this.#afterAnswer(batch, outcome, number, trouble);
    else if (outcome.kind === 'unknown') await this.#afterSilence(batch, outcome, number, trouble);
    else await this.#afterRefusal(batch, outcome, trouble);
    return trouble;
  }

  async #afterAnswer(
    batch: Batch,
    { answers, missing }: Extract<ImportOutcome, { kind: 'answered' }>,
    number: number,
    trouble: Trouble,
  ): Promise<void> {
    const { target, byteLimit } = this.#sending;
    if (answers.size > 0) this.#noteAnswered(number);
    byteLimit.noteTaken(batch.body.byteLength);
    const doubtful = await this.#receipts.receive(batch, answers, missing);
    const { absent } = await this.#receipts.findOut(batch, doubtful, target.profile.graceLongMs, answers);
    const unanswered = await this.#receipts.refuseHidden(absent, answers);
    if (answers.size === 0) return await this.#repeat(unanswered, unmentioned, trouble);
    await this.#again(unanswered, 'again', { ...trouble, failures: 0, sentBefore: number - 1 });
  }

  async #afterSilence(
    batch: Batch,
    outcome: Extract<ImportOutcome, { kind: 'unknown' }>,
    number: number,
    trouble: Trouble,
  ): Promise<void> {
    const { duplicates, graceShortMs, graceLongMs } = this.#sending.target.profile;
    // Where duplicates are refused, nothing has to be waited for before a message is sent again.
    const graceMs = duplicates === 'refused' ? 0 : outcome.byService ? graceShortMs : graceLongMs;
    const { absent, leftInDoubt } = await this.#receipts.findOut(batch, batch.rows, graceMs);
    const [left] = leftInDoubt;
    if (left && ++this.#leftInDoubt >= leftInDoubtMax) throw silentError(left.muid, outcome);
    const isAnsweringOthers = this.#lastAnswered > trouble.sentBefore;
    if (absent.length > 0 && graceMs === 0 && !isAnsweringOthers) await this.#wait(outcome, trouble.depth + 1);
    const appliedCount = batch.rows.length - absent.length - leftInDoubt.length;
    await this.#repeat(absent, outcome, appliedCount > 0 ? this.#afterPart(absent.length, number, trouble) : trouble);
  }

  /**
   * A request that was applied in part shows as well as an answer that the destination is not down. Where it left out one
   * message or two, it speaks against these; where it left out more, it may have been the beginning of an outage.
   */
  #afterPart(absentCount: number, number: number, trouble: Trouble): Trouble {
    this.#noteAnswered(number);
    return absentCount < suspectsMax ? { ...trouble, sentBefore: number - 1 } : trouble;
  }

  async #afterRefusal(
    batch: Batch,
    outcome: Extract<ImportOutcome, { kind: 'not-applied' }>,
    trouble: Trouble,
  ): Promise<void> {
    const { rows } = batch;
    const isTooLarge = outcome.why === 'too-large';
    const words = { code: outcome.code, detail: outcome.detail };
    await this.#receipts.putBack(batch, rows);
    if (isStop(outcome)) return;
    if (isTooLarge) this.#sending.byteLimit.noteTooLarge(batch.body.byteLength);
    if (rows.length === 1) await this.#receipts.refuse(rows[0]!, words);
    else await this.#halve(isTooLarge ? halvesByBytes(rows) : halvesByCount(rows), trouble);
  }

  /** Another request for rows of an earlier one. A run that is stopping leaves them pending. */
  async #again(rows: readonly LaneRow[], kind: Batch['kind'], trouble: Trouble): Promise<void> {
    if (rows.length === 0 || this.#traffic.isStopping) return;
    await this.#send(rows.map(asLateAsItIs), kind, trouble);
  }

  /** After requests that nobody can tell anything about: again, in halves, or not at all. */
  async #repeat(rows: readonly LaneRow[], failure: FailureWords, trouble: Trouble): Promise<void> {
    const [row, ...others] = rows.map(asMaybeSent);
    if (!row || this.#traffic.isStopping) return;
    const isAlone = others.length === 0;
    const kind = trouble.isPart ? 'part' : 'again';
    if (trouble.failures < (isAlone ? aloneFailuresMax : wholeFailuresMax))
      return await this.#again([row, ...others], kind, trouble);
    if (!isAlone) return await this.#halve(halvesByCount([row, ...others]), trouble);
    if (this.#lastAnswered > trouble.sentBefore) return await this.#receipts.refuse(row, failure);
    trouble.suspects.push({ row, failure });
    if (trouble.suspects.length >= suspectsMax) throw silentError(trouble.suspects[0]!.row.muid, failure);
  }

  /** One half after the other: both may hold messages of one conversation. */
  async #halve(halves: readonly (readonly LaneRow[])[], trouble: Trouble): Promise<void> {
    const parts = { ...trouble, isPart: true, failures: wholeFailuresMax };
    for (const half of halves) await this.#again(half, 'part', parts);
  }

  /** When all parts of a batch were tried: what failed alone is to blame where the others were answered. */
  async #judge({ suspects, sentBefore }: Trouble): Promise<void> {
    for (const { row, failure } of suspects) {
      if (this.#lastAnswered <= sentBefore) throw silentError(row.muid, failure);
      await this.#receipts.refuse(row, failure);
    }
  }

  #noteAnswered(number: number): void {
    this.#lastAnswered = Math.max(this.#lastAnswered, number);
    this.#leftInDoubt = 0;
  }

  /** Where no grace has passed: a destination that is in trouble gets some rest. */
  async #wait({ code, detail }: FailureWords, attempt: number): Promise<void> {
    await this.#traffic.wait(backoff(attempt, this.#sending.random()), `${code}: ${detail}`);
  }
}

function halvesByCount(rows: readonly LaneRow[]): [readonly LaneRow[], readonly LaneRow[]] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
}

/** The row, marked late if messages of its lane that come behind it are already there. */
const asLateAsItIs = (row: LaneRow): LaneRow =>
  row.lane.deliveredUpTo && isBefore(row, row.lane.deliveredUpTo) ? { ...row, isLate: true } : row;

/** The row after a request of which nobody knows: "already there" is then our own. */
const asMaybeSent = (row: LaneRow): LaneRow => ({ ...row, hadIntent: true });

const unmentioned: FailureWords = { code: 'no_answer', detail: 'The answer does not mention the message' };
