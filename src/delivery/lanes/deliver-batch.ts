import type { ImportOutcome } from '../../service/outcome.ts';
import { quarantinedCode } from '../../checkpoint/delivery.ts';
import { backoff } from '../../lib/flow/backoff.ts';
import type { Batch } from '../destination.ts';
import { waitBefore } from '../pace/with-retry.ts';
import type { Sending } from '../sending.ts';
import { batchOf, halvesByBytes, halvesByCount } from '../batches.ts';
import { asSentBefore, type Lane, type LaneRow } from '../lanes.ts';
import { attemptsMax, type Piece, type Quarantine } from './quarantine.ts';
import type { Receipts } from './receipts.ts';
import type { StopReasons } from './stop-reasons.ts';
import { type FailureWords, isStop, stopError, unansweredError } from './stop-rules.ts';
import type { Traffic } from './traffic.ts';

/** The service has asked so often for a pause: enough for this run. */
const pausesMax = 5;
/** So many requests in a row whose messages stay unconfirmed, while nothing is answered: the next would end like them. */
const leftUnconfirmedMax = 3;

type NotApplied = Extract<ImportOutcome, { kind: 'not-applied' }>;

/** Rows that a request did not bring there, and that no answer names: they may be sent again. */
interface Left {
  readonly rows: readonly LaneRow[];
  readonly failure: FailureWords;
}

const unmentioned: FailureWords = { code: 'no_answer', detail: 'The answer does not mention the message' };
const nothingLeft: Left = { rows: [], failure: unmentioned };

export interface BatchDeliveryOptions {
  readonly sending: Sending;
  readonly traffic: Traffic;
  readonly stops: StopReasons;
  readonly receipts: Receipts;
  readonly quarantine: Quarantine;
}

/**
 * Sends rows until it is known what became of each, or until they are quarantined.
 *
 *     request ──answered──▶ receipts; what is refused alone, or by name, has failed
 *        ├──refused as a whole──▶ read back ──▶ what is absent in halves, or after a pause, or the run stops
 *        └──unanswered──▶ read back ──▶ grace ──▶ read back ──▶ what is absent is left: sent again, quarantined after `attemptsMax`
 */
export class BatchDelivery {
  readonly #sending: Sending;
  readonly #traffic: Traffic;
  readonly #stops: StopReasons;
  readonly #receipts: Receipts;
  readonly #quarantine: Quarantine;
  /** Lanes of batches that are sent again if they do not arrive. */
  readonly #unanswered = new Set<Lane>();

  constructor({ sending, traffic, stops, receipts, quarantine }: BatchDeliveryOptions) {
    this.#sending = sending;
    this.#traffic = traffic;
    this.#stops = stops;
    this.#receipts = receipts;
    this.#quarantine = quarantine;
  }

  /** Something is unanswered: it is sent again, or quarantined. */
  get hasUnanswered(): boolean {
    return this.#unanswered.size > 0 || !this.#quarantine.isEmpty;
  }

  /** A batch that is sent for the first time in this run. @throws DestinationError when the destination is down; NotSent when the run is being stopped. */
  async deliver(rows: readonly LaneRow[]): Promise<void> {
    let left: Left = { rows, failure: unmentioned };
    for (let attempt = 1; attempt <= attemptsMax && left.rows.length > 0 && !this.#stops.isStopping; attempt++) {
      if (attempt > 1) await this.#rest(left.failure, attempt);
      left = await this.#request(left.rows, attempt === 1 ? 'first' : 'again');
    }
    for (const { lane } of rows) this.#unanswered.delete(lane);
    if (left.rows.length === 0 || this.#stops.isStopping) return;
    if (this.#sending.options.oneByOne) return await this.#receipts.refuse(left.rows[0]!, left.failure);
    await this.#noteQuarantined(left);
    this.#quarantine.add(left.rows, left.failure);
  }

  /** Messages that are quarantined. */
  async retry(piece: Piece): Promise<void> {
    if (piece.failures >= attemptsMax) {
      await this.#receipts.refuse(piece.rows[0]!, piece.failure);
      return this.#quarantine.putBack(piece, [], piece.failure);
    }
    await this.#rest(piece.failure, 2 + this.#quarantine.unanswered);
    const left = await this.#request(piece.rows, 'part');
    if (this.#stops.isStopping) return;
    await this.#noteQuarantined(left);
    this.#quarantine.putBack(piece, left.rows, left.failure);
  }

  async #request(rows: readonly LaneRow[], kind: Batch['kind'], pauses = 0): Promise<Left> {
    const batch = batchOf(kind === 'first' ? rows : rows.map(asSentBefore), kind);
    const outcome = await this.#traffic.send(batch);
    if (outcome.kind === 'answered') return await this.#afterAnswer(batch, outcome);
    if (outcome.kind === 'unknown') return await this.#afterSilence(batch, outcome);
    return await this.#afterRefusal(batch, outcome, pauses);
  }

  async #afterAnswer(batch: Batch, outcome: Extract<ImportOutcome, { kind: 'answered' }>): Promise<Left> {
    const { answers, missing } = outcome;
    this.#sending.byteLimit.noteTaken(batch.body.byteLength);
    const doubtful = await this.#receipts.receive(batch, answers, missing);
    const { absent } = await this.#receipts.findOut(batch, doubtful, { answers });
    return { rows: await this.#receipts.refuseHidden(absent, answers), failure: unmentioned };
  }

  async #afterSilence(batch: Batch, failure: Extract<ImportOutcome, { kind: 'unknown' }>): Promise<Left> {
    this.#quarantine.noteUnanswered();
    if (batch.kind !== 'part') for (const { lane } of batch.rows) this.#unanswered.add(lane);
    const { absent, leftUnconfirmed } = await this.#receipts.findOut(batch, batch.rows);
    const [first] = leftUnconfirmed;
    if (first && this.#quarantine.unanswered >= leftUnconfirmedMax) throw unansweredError([first], failure);
    return { rows: absent, failure };
  }

  /**
   * Handles an answer that says that nothing was applied. If that is not certain, the messages are looked up: the
   * answer to a request that was stored in part may say the same.
   */
  async #afterRefusal(batch: Batch, outcome: NotApplied, pauses: number): Promise<Left> {
    const { proof } = this.#sending;
    const { rows } = batch;
    const looks = !outcome.isSure && (proof.readsBackFirst || (rows.length === 1 && proof.tellsAbsence));
    const absent = looks ? (await this.#receipts.findOut(batch, rows, { atOnce: true })).absent : rows;
    if (!looks) await this.#receipts.putBack(batch, rows);
    const stops: boolean = isStop(outcome);
    if (stops || absent.length === 0 || this.#stops.isStopping) return nothingLeft;
    if (outcome.isPassing) return await this.#pause(batch, absent, outcome, pauses + 1);
    return await this.#divide(batch, absent, outcome);
  }

  /** The service asks for a pause. */
  async #pause(batch: Batch, rows: readonly LaneRow[], outcome: NotApplied, pauses: number): Promise<Left> {
    const { breaker, counts, pausing, random } = this.#sending;
    if (pauses > pausesMax) {
      this.#stops.note(stopError(outcome));
      return nothingLeft;
    }
    const { code, detail } = outcome;
    await this.#traffic.wait(waitBefore(pauses + 1, outcome, random()), `${code}: ${detail}`);
    breaker.spend('asked', outcome, pausing);
    await breaker.closed();
    counts.retried++;
    return await this.#request(rows.map(asSentBefore), batch.kind === 'first' ? 'first' : 'part', pauses);
  }

  /** After a request that is not acceptable as it is: what is refused alone has failed. Behind something unanswered nothing else is sent. */
  async #divide(batch: Batch, rows: readonly LaneRow[], outcome: NotApplied): Promise<Left> {
    const isTooLarge = outcome.why === 'too-large';
    const isWhole = rows.length === batch.rows.length;
    if (isTooLarge && isWhole) this.#sending.byteLimit.noteTooLarge(batch.body.byteLength);
    if (rows.length === 1 && isWhole) {
      await this.#receipts.refuse(rows[0]!, outcome);
      return nothingLeft;
    }
    const halves = rows.length === 1 ? [rows] : isTooLarge ? halvesByBytes(rows) : halvesByCount(rows);
    let left = nothingLeft;
    for (const half of halves) {
      if (this.#stops.isStopping) return nothingLeft;
      if (left.rows.length > 0) left = { ...left, rows: [...left.rows, ...half] };
      else left = await this.#request(half, 'part');
    }
    return left;
  }

  /** The store says so of a message: to `explain`, and to a later run that sends such messages alone. */
  async #noteQuarantined({ rows, failure }: Left): Promise<void> {
    const detail = `${failure.code}: ${failure.detail}`;
    const changes = rows.map(({ seq }) => ({ seq, state: 'pending' as const, code: quarantinedCode, detail }));
    await this.#sending.journal.record(undefined, changes, { closes: false });
  }

  /** Before another try, if no grace has passed: a destination that is in trouble gets some rest. */
  async #rest({ code, detail }: FailureWords, attempt: number): Promise<void> {
    const { profile } = this.#sending.target;
    if (profile.duplicates !== 'refused' && profile.graceLongMs > 0) return;
    await this.#traffic.wait(backoff(attempt, this.#sending.random()), `${code}: ${detail}`);
  }
}
