import type { ImportOutcome } from '../../service/outcome.ts';
import { quarantinedCode } from '../../store/lanes.ts';
import { attemptsMax, backoff } from '../../lib/flow/retry.ts';
import { type Batch, batchOf } from '../destination.ts';
import { waitBefore } from '../pace/with-retry.ts';
import type { Sending } from './sending.ts';
import { halvesByBytes, halvesByCount } from './batches.ts';
import { asSentBefore, type Lane, type LaneRow } from '../lanes.ts';
import type { Lanes } from './queue.ts';
import type { OldBeginning } from './old-beginning.ts';
import type { Piece, Quarantine } from './quarantine.ts';
import { partition, type Receipts } from './receipts.ts';
import type { StopReasons } from './stop-reasons.ts';
import type { Suspects } from './suspects.ts';
import { type FailureWords, isStop, stopError, unansweredError } from './stop-rules.ts';
import type { Traffic } from './traffic.ts';
import { leftUnconfirmedMax, pausesMax } from '../pace/limits.ts';

type NotApplied = Extract<ImportOutcome, { kind: 'not-applied' }>;

/** Rows that a request did not bring there, and that no answer names: they may be sent again. */
interface Left {
  readonly rows: readonly LaneRow[];
  readonly failure: FailureWords;
  /** The destination answered the service's own error, or stored others of the request, apart from those that it refused by name. */
  readonly evidence?: 'own error' | { readonly refused: ReadonlySet<string> };
}

const unmentioned: FailureWords = { code: 'no_answer', detail: 'The answer does not mention the message' };
const nothingLeft: Left = { rows: [], failure: unmentioned };

export interface BatchDeliveryOptions {
  readonly sending: Omit<Sending, 'store'>;
  readonly traffic: Traffic;
  readonly stops: StopReasons;
  readonly receipts: Receipts;
  readonly quarantine: Quarantine;
  readonly suspects: Suspects;
  readonly lanes: Lanes;
  readonly beginning: OldBeginning;
}

/**
 * Sends rows until it is known what became of each, or until they are suspects or quarantined.
 *
 *     request ──answered──▶ receipts; what is refused alone, or by name, has failed
 *        ├──refused as a whole──▶ read back ──▶ what is absent in halves, or after a pause, or the run stops
 *        └──unanswered──▶ read back ──some are there, after the service's own error──▶ the others are suspects
 *                            └──▶ grace ──▶ read back ──some are there──▶ the others are suspects
 *                                              └──none──▶ sent again, quarantined after `attemptsMax`
 */
export class BatchDelivery {
  readonly #run: BatchDeliveryOptions;
  /** Lanes of batches that are sent again if they do not arrive. */
  readonly #unanswered = new Set<Lane>();

  constructor(run: BatchDeliveryOptions) {
    this.#run = run;
  }

  /** Something is unanswered: it is sent again, or quarantined. */
  get hasUnanswered(): boolean {
    return this.#unanswered.size > 0 || !this.#run.quarantine.isEmpty;
  }

  /**
   * A batch of messages that are sent for the first time in this run, of suspects, or of both.
   *
   * @throws DestinationError when the destination is down; NotSent when the run is being stopped.
   */
  async deliver({ rows, kind }: Batch): Promise<void> {
    let left: Left = { rows, failure: unmentioned };
    for (let attempt = 1; attempt <= attemptsMax && left.rows.length > 0 && !this.#run.stops.isStopping; attempt++) {
      if (attempt > 1) await this.#rest(left.failure, attempt);
      const sent = left.rows;
      left = await this.#judge(sent, await this.#request(sent, attempt === 1 ? kind : 'again'));
    }
    for (const { lane } of rows) this.#unanswered.delete(lane);
    for (const row of left.rows) this.#run.suspects.forget(row);
    if (left.rows.length === 0 || this.#run.stops.isStopping) return;
    if (this.#run.sending.options.oneByOne) return await this.#run.receipts.refuse(left.rows[0]!, left.failure);
    await this.#quarantineRows(left);
  }

  /** Messages that are quarantined. */
  async retry(piece: Piece): Promise<void> {
    if (this.#run.quarantine.hasFailed(piece)) {
      await this.#run.receipts.refuse(piece.rows[0]!, piece.failure);
      return this.#run.quarantine.putBack(piece, [], piece.failure);
    }
    if (this.#run.quarantine.unanswered > 0) await this.#rest(piece.failure, 2 + this.#run.quarantine.unanswered);
    const left = await this.#judge(piece.rows, await this.#request(piece.rows, 'part'));
    if (this.#run.stops.isStopping) return;
    await this.#noteQuarantined(left);
    this.#run.quarantine.putBack(piece, left.rows, left.failure);
  }

  /** When nothing more can be learned of suspects: they are tried in halves, or the run stops. @returns Whether there were any. */
  async quarantineSuspects(): Promise<boolean> {
    const all = this.#run.suspects.takeAll();
    for (const { row, failure } of all) {
      this.#run.lanes.takeBack([row]);
      await this.#quarantineRows({ rows: [row], failure });
    }
    return all.length > 0;
  }

  /** Decides about suspects, and adds new ones. @returns What is left of the other messages. */
  async #judge(rows: readonly LaneRow[], left: Left): Promise<Left> {
    const { evidence, failure } = left;
    const hasSuspects = rows.some(this.#run.suspects.has);
    if (this.#run.stops.isStopping || (left.rows.length === 0 && !hasSuspects)) return left;
    const absent = new Set(left.rows.map(({ muid }) => muid));
    const words = withoutReason(failure);
    if (typeof evidence === 'object') {
      const failed = this.#run.suspects.judge({ rows, absent, refused: evidence.refused, failure });
      await this.#refuseAll(failed, words);
      this.#run.lanes.quarantine(except(left.rows, failed));
      return nothingLeft;
    }
    const isAlone = rows.every(this.#run.suspects.has);
    for (const row of rows) if (!absent.has(row.muid)) this.#run.suspects.forget(row);
    const [known, others] = partition(left.rows, this.#run.suspects.has);
    if (evidence === 'own error' && isAlone) {
      const { failed, undecided } = this.#run.suspects.judgeAlone(known);
      await this.#refuseAll(failed, words);
      this.#wait(except(known, [...failed, ...undecided]));
      await this.#quarantineRows({ rows: undecided, failure });
      return nothingLeft;
    }
    const isOpen = evidence === undefined || !this.#run.suspects.storesOthers;
    if (isOpen && others.length > 0) {
      // In the next attempt nothing overtakes a suspect of its conversation.
      const lanes = new Set(others.map(({ lane }) => lane));
      this.#wait(known.filter(({ lane }) => !lanes.has(lane)));
      return { ...left, rows: left.rows.filter(({ lane }) => lanes.has(lane)) };
    }
    const [untried, tried] = partition(known, (row) => isAlone || this.#run.suspects.isUntried(row));
    for (const row of untried) this.#run.suspects.forget(row);
    this.#wait(tried);
    await this.#quarantineRows({ rows: untried, failure });
    if (evidence !== 'own error' || !this.#run.suspects.storesOthers) return { ...left, rows: others };
    this.#run.suspects.add(others, failure);
    this.#run.lanes.quarantine(others);
    return nothingLeft;
  }

  /** Suspects that stay some. */
  #wait(rows: readonly LaneRow[]): void {
    this.#run.suspects.noteReturned(rows);
    this.#run.lanes.quarantine(rows);
  }

  async #refuseAll(rows: readonly LaneRow[], failure: FailureWords): Promise<void> {
    for (const row of rows) await this.#run.receipts.refuse(row, failure);
  }

  async #quarantineRows(left: Left): Promise<void> {
    if (left.rows.length === 0) return;
    await this.#noteQuarantined(left);
    this.#run.quarantine.add(left.rows, left.failure);
  }

  async #request(rows: readonly LaneRow[], kind: Batch['kind'], pauses = 0): Promise<Left> {
    const batch = batchOf(kind === 'first' ? rows : rows.map(asSentBefore), kind);
    const outcome = await this.#run.traffic.send(batch);
    if (outcome.kind === 'answered') return await this.#afterAnswer(batch, outcome);
    if (outcome.kind === 'unknown') return await this.#afterSilence(batch, outcome);
    return await this.#afterRefusal(batch, outcome, pauses);
  }

  async #afterAnswer(batch: Batch, outcome: Extract<ImportOutcome, { kind: 'answered' }>): Promise<Left> {
    const { answers, missing } = outcome;
    this.#run.sending.flight.byteLimit.noteTaken(batch.body.byteLength);
    const doubtful = await this.#run.receipts.receive(batch, answers, missing);
    const { absent } = await this.#run.receipts.findOut(batch, doubtful, { answers, isApart: this.#run.suspects.has });
    const rows = await this.#run.receipts.refuseHidden(absent, answers);
    const refused = new Set([...answers.keys()].filter((muid) => answers.get(muid)!.result === 'refused'));
    if (answers.size > 0) this.#run.suspects.noteAnswer('by message');
    const isCarriedOut = answers.size > 0 || absent.length < doubtful.length;
    return { rows, failure: unmentioned, ...(isCarriedOut && { evidence: { refused } }) };
  }

  async #afterSilence(batch: Batch, failure: Extract<ImportOutcome, { kind: 'unknown' }>): Promise<Left> {
    const { sending, suspects, beginning } = this.#run;
    const isOwnError = failure.byService;
    const isAlone = batch.rows.every(this.#run.suspects.has);
    // Of suspects alone nothing else is expected.
    if (!isOwnError || !isAlone) this.#run.quarantine.noteUnanswered();
    if (batch.kind !== 'part') for (const { lane } of batch.rows) this.#unanswered.add(lane);
    /** Undefined if all of them were. */
    let foundAtOnce: number | undefined;
    const { absent, leftUnconfirmed } = await this.#run.receipts.findOut(batch, batch.rows, {
      isApart: this.#run.suspects.has,
      isSettled(foundCount) {
        foundAtOnce = foundCount;
        if (isOwnError && foundCount === 0 && batch.kind === 'first') beginning.noteRefused(batch.rows);
        return isOwnError && (foundCount > 0 || (isAlone && suspects.ownErrorsAreFinal));
      },
    });
    const isCarriedOut = absent.length + leftUnconfirmed.length < batch.rows.length;
    if (isOwnError && isCarriedOut && foundAtOnce === 0) suspects.noteLate();
    const isWhole = absent.length + leftUnconfirmed.length === 0;
    if (isOwnError && !isAlone && !isWhole)
      suspects.noteAnswer(isCarriedOut ? 'own error, stored some' : 'own error, stored nothing');
    if (isCarriedOut) {
      sending.session.breaker.noteAnswer(true);
      sending.flight.inFlight.forgive();
      return { rows: absent, failure, evidence: { refused: new Set() } };
    }
    if (absent.length === 1 && batch.rows.length === 1) this.#run.quarantine.noteAbsent(absent[0]!);
    const [first] = leftUnconfirmed;
    if (first && this.#run.quarantine.unanswered >= leftUnconfirmedMax) throw unansweredError([first], failure);
    return { rows: absent, failure, ...(isOwnError && { evidence: 'own error' as const }) };
  }

  /**
   * Handles an answer that says that nothing was applied. If that is not certain, the messages are looked up: the
   * answer to a request that was stored in part may say the same.
   */
  async #afterRefusal(batch: Batch, outcome: NotApplied, pauses: number): Promise<Left> {
    const { proof } = this.#run.sending;
    const { rows } = batch;
    const looks = !outcome.isSure && (proof.readsBackFirst || (rows.length === 1 && proof.tellsAbsence));
    const absent = looks
      ? (await this.#run.receipts.findOut(batch, rows, { isSettled: () => true, isApart: this.#run.suspects.has }))
          .absent
      : rows;
    if (!looks) await this.#run.receipts.putBack(batch, rows);
    const stops: boolean = isStop(outcome);
    if (stops || absent.length === 0 || this.#run.stops.isStopping) return nothingLeft;
    if (outcome.isPassing) return await this.#pause(batch, absent, outcome, pauses + 1);
    return await this.#divide(batch, absent, outcome);
  }

  async #pause(batch: Batch, rows: readonly LaneRow[], outcome: NotApplied, pauses: number): Promise<Left> {
    const { breaker, counts, pausing, random } = this.#run.sending.session;
    if (pauses > pausesMax) {
      this.#run.stops.note(stopError(outcome));
      return nothingLeft;
    }
    const { code, detail } = outcome;
    await this.#run.traffic.wait(waitBefore(pauses + 1, outcome, random()), `${code}: ${detail}`);
    breaker.spend('asked', outcome, pausing);
    await breaker.closed();
    counts.retried++;
    return await this.#request(rows.map(asSentBefore), batch.kind === 'first' ? 'first' : 'part', pauses);
  }

  /** After a request that is not acceptable as it is: what is refused alone has failed. Behind something unanswered nothing else is sent. */
  async #divide(batch: Batch, rows: readonly LaneRow[], outcome: NotApplied): Promise<Left> {
    const isTooLarge = outcome.why === 'too-large';
    const isWhole = rows.length === batch.rows.length;
    if (isTooLarge && isWhole) this.#run.sending.flight.byteLimit.noteTooLarge(batch.body.byteLength);
    if (rows.length === 1 && isWhole) {
      await this.#run.receipts.refuse(rows[0]!, outcome);
      return nothingLeft;
    }
    const halves = rows.length === 1 ? [rows] : isTooLarge ? halvesByBytes(rows) : halvesByCount(rows);
    let left = nothingLeft;
    for (const half of halves) {
      if (this.#run.stops.isStopping) return nothingLeft;
      if (left.rows.length > 0) left = { ...left, rows: [...left.rows, ...half] };
      else left = await this.#request(half, 'part');
    }
    return left;
  }

  /** The store says so of a message: to `explain`, and to a later run that sends such messages alone. */
  async #noteQuarantined({ rows, failure }: Left): Promise<void> {
    const detail = `${failure.code}: ${failure.detail}`;
    const changes = rows.map(({ seq }) => ({ seq, state: 'pending' as const, code: quarantinedCode, detail }));
    await this.#run.sending.records.journal.record(undefined, changes, { closes: false });
  }

  /** Before another try, if no grace has passed: a destination that is in trouble gets some rest. */
  async #rest({ code, detail }: FailureWords, attempt: number): Promise<void> {
    const { profile } = this.#run.sending.session.target;
    if (profile.duplicates !== 'refused' && profile.graceLongMs > 0) return;
    await this.#run.traffic.wait(backoff(attempt, this.#run.sending.session.random()), `${code}: ${detail}`);
  }
}

const except = (rows: readonly LaneRow[], others: readonly LaneRow[]): LaneRow[] => {
  const muids = new Set(others.map(({ muid }) => muid));
  return rows.filter(({ muid }) => !muids.has(muid));
};

/** The destination stored others of the same requests, and gave no reason. */
const withoutReason = ({ code, detail, status }: FailureWords): FailureWords =>
  code === unmentioned.code
    ? unmentioned
    : {
        code: 'refused-without-reason',
        detail: `${status === undefined ? '' : `HTTP ${status} `}${code} after storing the others: ${detail}`,
      };
