import type { BatchLimits } from './batches.ts';
import { asSentBefore, type Lane, type LaneRow, isBefore } from '../lanes.ts';
import type { Quarantine } from './quarantine.ts';
import type { Lanes } from './queue.ts';
import type { FailureWords } from './stop-rules.ts';
import { aloneMax, chanceMax, finalErrorsMin, sparedBatches } from '../pace/limits.ts';
import { attemptsMax } from '../../lib/flow/retry.ts';

/** Messages of one request that were sent for the first time: they arrived, or became suspects. */
interface Cohort {
  /** Tries of those that have arrived, and how many of these tries stored others but not them. */
  tries: number;
  absent: number;
  /** Suspects that were tried less than `attemptsMax` times, alone or with others. */
  youngCount: number;
}

interface Suspect {
  row: LaneRow;
  failure: FailureWords;
  readonly cohort: Cohort;
  /** Requests that had it and stored others. 0: it was in none of these yet. */
  tries: number;
  /** Requests of suspects alone that the service answered with its own error, and of which nothing was stored. */
  triesAlone: number;
  isSent: boolean;
}

/** The outcome of a request that had suspects, or whose absent messages are suspects now. */
export interface JudgedRequest {
  readonly rows: readonly LaneRow[];
  /** By muid: not at the destination, and not refused by name. */
  readonly absent: ReadonlySet<string>;
  /** By muid. */
  readonly refused: ReadonlySet<string>;
  readonly failure: FailureWords;
}

/**
 * Messages that the destination did not store although it stored others of the same request. Either they are to blame, or it stores
 * only a part of what it gets. They are tried together, in requests that also hold messages that were never sent.
 *
 * Messages that arrived in such requests are the controls: the share of their tries that stored others but not them is the chance that
 * a good message is absent. A suspect has failed after `attemptsMax` tries if a good message would be absent as often with a chance
 * below `chanceMax`. Controls count once all messages that were first sent with them have arrived or were tried `attemptsMax` times:
 * earlier, only the lucky ones would count.
 */
export class Suspects {
  /** By muid, the oldest first. */
  readonly #all = new Map<string, Suspect>();
  readonly #controls: Cohort = { tries: 0, absent: 0, youngCount: 0 };
  /** Requests with new messages that were answered; those of them with the service's own error; and those of these that stored nothing. */
  #answered = 0;
  #ownErrors = 0;
  #emptyOwnErrors = 0;
  #storesLate = false;
  readonly #quarantine: Pick<Quarantine, 'untriedLanes'>;

  constructor(quarantine: Pick<Quarantine, 'untriedLanes'>) {
    this.#quarantine = quarantine;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  has = ({ muid }: LaneRow): boolean => this.#all.has(muid);

  /** Whether the service stored a part of requests that it answered with its own error. */
  get storesOthers(): boolean {
    return this.#ownErrors > this.#emptyOwnErrors;
  }

  /** Whether the service stores nothing after it has answered with its own error. */
  get ownErrorsAreFinal(): boolean {
    return !this.#storesLate && this.#ownErrors >= finalErrorsMin;
  }

  /** Something of a request arrived after the service had answered it with its own error. */
  noteLate(): void {
    this.#storesLate = true;
  }

  /** A request with new messages was answered. */
  noteAnswer(how: 'by message' | 'own error, stored some' | 'own error, stored nothing'): void {
    this.#answered++;
    if (how !== 'by message') this.#ownErrors++;
    if (how === 'own error, stored nothing') this.#emptyOwnErrors++;
  }

  /**
   * Chooses suspects for a request, in the order of their conversations: none overtakes a quarantined message before its first try.
   *
   * @param passed All suspects of these lanes first, as messages behind them follow in the same request.
   * @param areAlone Otherwise leaves room for new messages.
   */
  due(
    { itemsMax, bytesMax }: BatchLimits,
    { passed = [], areAlone = false }: { readonly passed?: readonly Lane[]; readonly areAlone?: boolean } = {},
  ): LaneRow[] {
    const untried = this.#quarantine.untriedLanes();
    const free = [...this.#all.values()].filter(
      ({ row, isSent }) => !isSent && row.lane.state !== 'busy' && !untried.has(row.lane),
    );
    const isFirst = ({ row }: Suspect) => Number(passed.includes(row.lane));
    const inOrder = passed.length > 0 ? free.toSorted((a, b) => isFirst(b) - isFirst(a)) : free;
    const rows: LaneRow[] = [];
    let bytes = 0;
    for (const { row, tries } of inOrder) {
      // At their first try nothing overtakes them. Later they may be many.
      const needsAll = passed.includes(row.lane) && tries <= 1;
      const room = areAlone ? 0 : needsAll ? 1 : this.controlsMin(itemsMax);
      if (rows.length >= itemsMax - room) break;
      if (rows.length > 0 && bytes + row.bytes > bytesMax / 2) break;
      // With others the request would be too large.
      if (!areAlone && row.bytes > bytesMax / 2) continue;
      bytes += row.bytes + 1;
      rows.push(row);
    }
    return rows.sort((a, b) => (isBefore(a, [b.sentAtMs, b.sortKey, b.seq]) ? -1 : 1)).map(asSentBefore);
  }

  /** How many new messages at least go with suspects. Enough that one of them is good at a destination that refuses most. */
  controlsMin(itemsMax: number): number {
    return Math.max(1, Math.floor(itemsMax / 6));
  }

  /** How many new messages at most go with suspects: the last ones are spared, as each request with suspects needs some. */
  controlsMax(lanes: Lanes, itemsMax: number): number {
    const least = this.controlsMin(itemsMax);
    const isScarce = lanes.hasAtMost(sparedBatches * least, 'held too') && !lanes.hasAtMost(2 * least, 'held too');
    return isScarce ? least : itemsMax;
  }

  /** Lanes that wait for nothing but suspects, with enough to go with these. All of their suspects fit into the same request, if one is so. */
  lanesToPass(lanes: Lanes, itemsMax: number): Lane[] {
    const counts = new Map<Lane, number>();
    const untried = new Set<Lane>();
    for (const { row, tries } of this.#all.values()) {
      counts.set(row.lane, (counts.get(row.lane) ?? 0) + 1);
      if (tries <= 1) untried.add(row.lane);
    }
    const passed: Lane[] = [];
    let [suspectCount, newCount] = [0, 0];
    const passable = lanes
      .held()
      .filter((lane) => counts.get(lane) === lane.quarantinedCount)
      .filter((lane) => counts.get(lane)! < itemsMax || !untried.has(lane));
    for (const lane of passable.toSorted(
      (a, b) => Number(counts.get(a)! >= itemsMax) - Number(counts.get(b)! >= itemsMax),
    )) {
      suspectCount += counts.get(lane)!;
      const fits = suspectCount <= itemsMax - this.controlsMin(itemsMax);
      if (passed.length > 0 && (!fits || newCount >= this.controlsMin(itemsMax))) break;
      passed.push(lane);
      newCount += lane.pendingCount;
    }
    return passed;
  }

  noteSent(rows: readonly LaneRow[]): void {
    for (const { muid } of rows) this.#all.get(muid)!.isSent = true;
  }

  /** They were sent, and nothing was learned of them. */
  noteReturned(rows: readonly LaneRow[]): void {
    for (const { muid } of rows) this.#all.get(muid)!.isSent = false;
  }

  /**
   * Counts a request that the destination carried out. Its absent messages are suspects now.
   *
   * @returns Those that have failed: they are no suspects any more.
   */
  judge({ rows, absent, refused, failure }: JudgedRequest): LaneRow[] {
    const cohort: Cohort = { tries: 0, absent: 0, youngCount: 1 };
    for (const row of rows) {
      const { muid } = row;
      const suspect = this.#all.get(muid);
      if (!absent.has(muid)) {
        if (!refused.has(muid)) this.#count(suspect?.cohort ?? cohort, suspect?.tries ?? 0);
        this.forget(row);
      } else if (suspect) {
        Object.assign(suspect, { row, failure, isSent: false });
        suspect.tries++;
        this.#noteTry(suspect);
      } else {
        cohort.youngCount++;
        this.#all.set(muid, { row, failure, cohort, tries: 1, triesAlone: 0, isSent: false });
      }
    }
    this.#age(cohort);
    return this.#failed(rows);
  }

  /** Adds messages of which nothing is known yet: their request stored nothing, at a destination that stores the others. */
  add(rows: readonly LaneRow[], failure: FailureWords): void {
    const cohort: Cohort = { tries: 0, absent: 0, youngCount: rows.length };
    for (const row of rows) this.#all.set(row.muid, { row, failure, cohort, tries: 0, triesAlone: 0, isSent: false });
  }

  /**
   * Counts a request of suspects alone that was answered with the service's own error, and of which nothing was stored.
   *
   * @returns Those that have failed, and those for which only others could decide: neither are suspects any more.
   */
  judgeAlone(rows: readonly LaneRow[]): { readonly failed: LaneRow[]; readonly undecided: LaneRow[] } {
    for (const { muid } of rows) {
      const suspect = this.#all.get(muid)!;
      suspect.triesAlone++;
      suspect.isSent = false;
      this.#noteTry(suspect);
    }
    const failed = this.#failed(rows);
    const undecided = rows.filter((row) => this.isUntried(row) || this.#all.get(row.muid)?.triesAlone === aloneMax);
    for (const row of undecided) this.forget(row);
    return { failed, undecided };
  }

  /** It arrived, failed, or is quarantined. */
  forget({ muid }: LaneRow): void {
    const suspect = this.#all.get(muid);
    if (!suspect) return;
    this.#all.delete(muid);
    if (triesOf(suspect) < attemptsMax) this.#age(suspect.cohort);
  }

  /** Takes all of them, when nothing more can be learned of them here. */
  takeAll(): readonly Pick<Suspect, 'row' | 'failure'>[] {
    const all = [...this.#all.values()];
    this.#all.clear();
    return all;
  }

  /** Whether it was in no request yet that stored others. */
  isUntried({ muid }: LaneRow): boolean {
    return this.#all.get(muid)?.tries === 0;
  }

  #failed(rows: readonly LaneRow[]): LaneRow[] {
    const failed = rows.filter(({ muid }) => this.#hasFailed(this.#all.get(muid)));
    for (const row of failed) this.forget(row);
    return failed;
  }

  #hasFailed(suspect: Suspect | undefined): boolean {
    if (!suspect || suspect.tries === 0 || triesOf(suspect) < attemptsMax) return false;
    const { tries, absent } = this.#controls;
    let chance = 1;
    // The estimate is as uncertain as the controls are few: each absent try makes the next one likelier, as in Pólya's urn.
    for (let n = 0; n < suspect.tries; n++) chance *= (absent + 1 + n) / (tries + 2 + n);
    const chanceAlone = (absent + 1) / (tries + 2) + (this.#emptyOwnErrors + 1) / (this.#answered + 2);
    return chance * Math.min(1, chanceAlone) ** suspect.triesAlone < chanceMax;
  }

  /** A message of the cohort arrived, after so many tries that stored only others. */
  #count(cohort: Cohort, absent: number): void {
    const into = cohort.youngCount > 0 ? cohort : this.#controls;
    into.tries += absent + 1;
    into.absent += absent;
  }

  #noteTry(suspect: Suspect): void {
    if (triesOf(suspect) === attemptsMax) this.#age(suspect.cohort);
  }

  /** One of its suspects is decided, or was tried often enough. Without young ones its controls count. */
  #age(cohort: Cohort): void {
    if (--cohort.youngCount > 0) return;
    this.#controls.tries += cohort.tries;
    this.#controls.absent += cohort.absent;
    cohort.tries = 0;
    cohort.absent = 0;
  }
}

const triesOf = ({ tries, triesAlone }: Suspect): number => tries + triesAlone;
