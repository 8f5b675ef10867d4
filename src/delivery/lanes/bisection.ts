import type { ImportOutcome } from '../../service/outcome.ts';
import { backoff } from '../../lib/flow/backoff.ts';
import type { Batch } from '../destination.ts';
import { waitBefore } from '../pace/with-retry.ts';
import type { Sending } from '../sending.ts';
import { batchOf, halvesByBytes } from '../batches.ts';
import type { LaneRow, Lanes } from '../lanes.ts';
import { Neighbours } from './neighbours.ts';
import type { Receipts } from './receipts.ts';
import { type AskAgain, SetAside, type Suspect } from './set-aside.ts';
import { type FailureWords, isStop, silentError, stopError } from './stop-rules.ts';
import { asSentBefore, halvesByCount, leftOut, noTrouble, type Trouble } from './trouble.ts';
import type { Traffic } from './traffic.ts';

/** A batch that fails whole this often is split in halves, to find the message that causes it; what was split off, at once. */
const wholeFailuresMax = { first: 2, part: 1 } as const;
/** The same for a message alone, which is then to blame: a network may well break three times in a row. */
const aloneFailuresMax = { first: 4, part: 2 } as const;
/** The service has asked so often for a pause: enough for this run. */
const pausesMax = 5;
/** So many messages of a batch fail alone while nobody is answered: the others of it are not looked at before somebody is. */
const inVainMax = 3;
/** So many requests in a row whose messages stay in doubt, while nothing is answered: the next would end like them. */
const leftInDoubtMax = 3;

type NotApplied = Extract<ImportOutcome, { kind: 'not-applied' }>;

/**
 * Sends rows until it is known what became of each: again, then in halves, down to the message that no request can carry. It
 * is refused if other requests are answered meanwhile; if none is, it is set aside, and the destination may be down.
 *
 *     send ──answered──▶ receipts ──(missing, already there)──▶ read back
 *       ├──refused as a whole──▶ read back ──▶ what is absent in halves, or after a pause, or the run stops
 *       └──unknown──▶ read back ──▶ grace ──▶ read back ──▶ what is absent is sent again, then in halves
 *
 * Such a message in a batch of 50 costs some 15 further requests: one for the whole batch again, two for each of six
 * halvings, and one more for the message alone.
 */
export class Bisection {
  readonly setAside: SetAside;
  readonly #sending: Sending;
  readonly #traffic: Traffic;
  readonly #receipts: Receipts;
  readonly #neighbours: Neighbours;
  #leftInDoubt = 0;

  constructor(sending: Sending, traffic: Traffic, receipts: Receipts, lanes: Lanes) {
    this.#sending = sending;
    this.#traffic = traffic;
    this.#receipts = receipts;
    const { store, target, clock } = sending;
    const arrivals = store.delivery.arrivalsAt(target.id);
    this.#neighbours = new Neighbours(clock, arrivals);
    this.setAside = new SetAside({ sending, traffic, lanes, neighbours: this.#neighbours, arrivals }, this.#askAgain);
  }

  /** @throws DestinationError when the destination is down; NotSent when the run is being stopped. */
  async deliver(rows: readonly LaneRow[]): Promise<void> {
    const trouble = noTrouble();
    await this.#send(rows, 'first', trouble);
    await this.#judge(trouble.suspects);
  }

  /** Messages that failed alone, one after the other. A run that is stopping leaves them pending. */
  readonly #askAgain: AskAgain = async (suspects, { isLast }) => {
    const again: Suspect[] = [];
    for (const { rows, isSeen, since, ...known } of suspects) {
      const sentBefore = isLast || isSeen ? -1 : since;
      const trouble = { ...noTrouble(), ...known, suspects: again, isPart: !isLast, isLastTry: true, sentBefore };
      await this.#again(rows, 'part', trouble);
      if (trouble.blamed.count === 0 && !this.#traffic.isStopping) this.#neighbours.noteWithoutCause();
    }
    await this.#judge(again);
  };

  /** When all parts of a batch were tried: what failed alone is asked for again where others were answered since. */
  async #judge(suspects: readonly Suspect[]): Promise<void> {
    const isDue = ({ since, isSeen }: Suspect) => isSeen || since < this.#neighbours.lastAnswered;
    this.setAside.add(suspects.filter((suspect) => !isDue(suspect)));
    const due = suspects.filter(isDue);
    if (due.length > 0) await this.#askAgain(due, { isLast: false });
    this.setAside.askWhereAnswered();
  }

  async #send(rows: readonly LaneRow[], kind: Batch['kind'], before: Trouble): Promise<void> {
    const batch = batchOf(rows, kind);
    const { blamed } = before;
    let number = 0;
    let isSeen = false;
    const outcome = await this.#traffic.send(batch, () => {
      number = this.#neighbours.leaves();
      isSeen = this.#neighbours.lastAnswered > before.sentBefore;
    });
    const sentBefore = Number.isNaN(before.sentBefore) ? this.#neighbours.sentCount : before.sentBefore;
    const { failures, depth } = before;
    const trouble = { ...before, sentBefore, isSeen, failures: failures + 1, depth: depth + 1 };
    const blamedBefore = blamed.count;
    if (outcome.kind === 'answered') return await this.#afterAnswer(batch, outcome, number, trouble);
    const isFailed =
      outcome.kind === 'unknown'
        ? await this.#afterSilence(batch, outcome, number, trouble)
        : await this.#afterRefusal(batch, outcome, number, trouble);
    if (isFailed && blamed.count === blamedBefore && !this.#traffic.isStopping) this.#neighbours.noteWithoutCause();
  }

  async #afterAnswer(
    batch: Batch,
    { answers, missing }: Extract<ImportOutcome, { kind: 'answered' }>,
    number: number,
    trouble: Trouble,
  ): Promise<void> {
    if (answers.size > 0) this.#noteAnswered(number);
    this.#sending.byteLimit.noteTaken(batch.body.byteLength);
    const doubtful = await this.#receipts.receive(batch, answers, missing);
    const { absent } = await this.#receipts.findOut(batch, doubtful, { answers });
    const unanswered = await this.#receipts.refuseHidden(absent, answers);
    if (answers.size === 0) return await this.#repeat(unanswered, unmentioned, trouble);
    await this.#again(unanswered, 'again', { ...trouble, failures: 0, sentBefore: number - 1 });
  }

  /** @returns Whether something of it is not there. */
  async #afterSilence(
    batch: Batch,
    outcome: Extract<ImportOutcome, { kind: 'unknown' }>,
    number: number,
    trouble: Trouble,
  ): Promise<boolean> {
    const { duplicates, graceLongMs } = this.#sending.target.profile;
    const { absent, leftInDoubt } = await this.#receipts.findOut(batch, batch.rows);
    const [left] = leftInDoubt;
    if (left && ++this.#leftInDoubt >= leftInDoubtMax) throw silentError(left.muid, outcome);
    if (absent.length + leftInDoubt.length < batch.rows.length) this.#noteAnswered(number);
    const isAtOnce = duplicates === 'refused' || graceLongMs === 0;
    const getsRest = isAtOnce && (!trouble.isSeen || trouble.failures > wholeFailuresMax.first);
    if (absent.length > 0 && getsRest) await this.#wait(outcome, trouble.depth + 1);
    for (const [rows, after] of leftOut(batch, absent, { number, trouble })) await this.#repeat(rows, outcome, after);
    return absent.length > 0;
  }

  /**
   * Whoever answers so says that nothing was taken. Where that is not sure, it is looked for: a request that was stored in part is an
   * answer too.
   *
   * @returns Whether something of it is not there, and may be sent again.
   */
  async #afterRefusal(batch: Batch, outcome: NotApplied, number: number, trouble: Trouble): Promise<boolean> {
    const { proof } = this.#sending;
    const { rows } = batch;
    const looks = !outcome.isSure && (proof.looksFirst || (rows.length === 1 && proof.tellsAbsence));
    const absent = looks ? (await this.#receipts.findOut(batch, rows, { atOnce: true })).absent : rows;
    if (!looks) await this.#receipts.putBack(batch, rows);
    if (absent.length < rows.length) this.#noteAnswered(number);
    const stops: boolean = isStop(outcome);
    if (stops || absent.length === 0) return false;
    if (outcome.isPassing) await this.#pause(batch, absent, outcome, trouble);
    else await this.#divide(batch, absent, outcome, trouble);
    return !outcome.isPassing;
  }

  /** The service asks for a pause. */
  async #pause(batch: Batch, rows: readonly LaneRow[], outcome: NotApplied, trouble: Trouble): Promise<void> {
    const { breaker, counts, pausing, random } = this.#sending;
    const pauses = trouble.pauses + 1;
    if (pauses > pausesMax) return this.#traffic.stop(stopError(outcome));
    const { code, detail } = outcome;
    await this.#traffic.wait(waitBefore(pauses + 1, outcome, random()), `${code}: ${detail}`);
    breaker.spend('asked', outcome, pausing);
    await breaker.closed();
    counts.retried++;
    await this.#again(rows, batch.kind === 'first' ? 'first' : 'part', {
      ...trouble,
      pauses,
      failures: trouble.failures - 1,
      depth: trouble.depth - 1,
    });
  }

  /** After a request that is not acceptable as it stands. */
  async #divide(batch: Batch, rows: readonly LaneRow[], outcome: NotApplied, trouble: Trouble): Promise<void> {
    const isTooLarge = outcome.why === 'too-large';
    const isWhole = rows.length === batch.rows.length;
    if (isTooLarge && isWhole) this.#sending.byteLimit.noteTooLarge(batch.body.byteLength);
    if (rows.length > 1 || !isWhole)
      return await this.#halve(isTooLarge ? halvesByBytes(rows) : halvesByCount(rows), trouble);
    if (trouble.failures < this.#neighbours.failuresNeeded(1)) return await this.#again(rows, 'part', trouble);
    await this.#refuse(rows[0]!, outcome, trouble);
  }

  /** Another request for rows of an earlier one. A run that is stopping leaves them pending. */
  async #again(rows: readonly LaneRow[], kind: Batch['kind'], trouble: Trouble): Promise<void> {
    if (rows.length === 0 || this.#traffic.isStopping) return;
    const inVain = trouble.suspects.filter(({ since, isSeen }) => !isSeen && since >= this.#neighbours.lastAnswered);
    if (inVain.length >= inVainMax) return await this.#leave(rows, inVain[0]!.failure, trouble);
    await this.#send(rows.map(asSentBefore), kind, trouble);
  }

  /** After requests that nobody can tell anything about: again, in halves, or not at all. */
  async #repeat(rows: readonly LaneRow[], failure: FailureWords, trouble: Trouble): Promise<void> {
    const [row, ...others] = rows;
    if (!row || this.#traffic.isStopping) return;
    const { failures, isPart } = trouble;
    const which = isPart ? 'part' : 'first';
    const again = () => this.#again(rows, isPart ? 'part' : 'again', trouble);
    if (others.length > 0) {
      return failures < wholeFailuresMax[which] ? await again() : await this.#halve(halvesByCount(rows), trouble);
    }
    await this.#afterAlone(row, failure, trouble, again);
  }

  /** After one for a message alone. */
  async #afterAlone(row: LaneRow, failure: FailureWords, trouble: Trouble, again: () => Promise<void>): Promise<void> {
    const { failures, depth, isPart, isSeen, isLastTry } = trouble;
    const usual = aloneFailuresMax[isPart ? 'part' : 'first'];
    const needed = isSeen ? this.#neighbours.failuresNeeded(usual) : isPart ? 1 : usual;
    const isToBlame = (more = 0) => failures + more >= needed && this.#neighbours.isBeyondChance(depth + more);
    if (isSeen && isToBlame()) return await this.#refuse(row, failure, trouble);
    // What stands behind it in its batch may tell more before it is tried once more.
    if (isSeen ? isLastTry || isToBlame(1) : failures < needed) return await again();
    const since = this.#neighbours.sentCount;
    const suspect = { rows: [row], failure, failures, depth, since, isSeen, isRecalled: false };
    await this.#suspect(suspect, trouble);
  }

  async #suspect(suspect: Suspect, { blamed, suspects }: Trouble): Promise<void> {
    blamed.count++;
    suspects.push(suspect);
    await this.setAside.note(suspect);
  }

  /** Several of a batch failed alone, and nobody was answered: the others of it are set aside as they are. */
  async #leave(rows: readonly LaneRow[], failure: FailureWords, trouble: Trouble): Promise<void> {
    const since = this.#neighbours.sentCount;
    for (const some of Map.groupBy(rows, ({ lane }) => lane).values())
      await this.#suspect(
        { rows: some, failure, failures: 0, depth: 0, since, isSeen: false, isRecalled: false },
        trouble,
      );
  }

  async #refuse(row: LaneRow, failure: FailureWords, { blamed }: Trouble): Promise<void> {
    blamed.count++;
    await this.#receipts.refuse(row, failure);
  }

  /** One half after the other: both may hold messages of one conversation. */
  async #halve(halves: readonly (readonly LaneRow[])[], trouble: Trouble): Promise<void> {
    for (const half of halves) await this.#again(half, 'part', { ...trouble, isPart: true, failures: 0 });
  }

  #noteAnswered(number: number): void {
    this.#leftInDoubt = 0;
    this.#neighbours.noteAnswered(number);
    this.setAside.noteAnswered();
  }

  /** Where no grace has passed: a destination that is in trouble gets some rest. */
  async #wait({ code, detail }: FailureWords, attempt: number): Promise<void> {
    await this.#traffic.wait(backoff(attempt, this.#sending.random()), `${code}: ${detail}`);
  }
}

const unmentioned: FailureWords = { code: 'no_answer', detail: 'The answer does not mention the message' };
