import { batchOf } from '../destination.ts';
import { isBefore, type Lane, type LaneRow, noteDelivered } from '../lanes.ts';
import type { Lanes } from './queue.ts';
import type { Sending } from './sending.ts';
import type { Quarantine } from './quarantine.ts';
import type { Receipts } from './receipts.ts';
import { dayMs, tooOldError } from './stop-rules.ts';
import type { StopReasons } from './stop-reasons.ts';
import type { Traffic } from './traffic.ts';
import { datedLanesMax, datingStepsMax } from '../pace/limits.ts';

export interface OldBeginningOptions {
  readonly sending: Pick<Sending, 'options' | 'session' | 'records'>;
  readonly traffic: Traffic;
  readonly stops: StopReasons;
  readonly receipts: Receipts;
  readonly quarantine: Pick<Quarantine, 'hasSucceeded'>;
  readonly lanes: Lanes;
  readonly laneCount: number;
}

/**
 * Notices that the destination takes nothing that is older than some time, if nobody has said so: of the first batches of several
 * conversations nothing is stored, nor of the messages behind them, but the newest message of one is. Then the run stops and says from
 * when on messages are taken, which it finds by trying single messages in between. Otherwise it goes on as if nothing had been tried.
 */
export class OldBeginning {
  readonly #options: OldBeginningOptions;
  /** The last messages of first batches of which nothing is stored. */
  readonly #refused = new Map<Lane, LaneRow>();
  /** Absent so far; each is settled after its grace period. */
  readonly #settling: Promise<unknown>[] = [];
  #state: 'waiting' | 'probing' | 'over';

  constructor(options: OldBeginningOptions) {
    this.#options = options;
    const { outOfOrder, chosenOnly, oneByOne } = options.sending.options;
    // The newest message would make those before it late.
    this.#state = outOfOrder === 'reject' || chosenOnly || oneByOne ? 'over' : 'waiting';
  }

  /** Nothing else is sent meanwhile. */
  get isProbing(): boolean {
    return this.#state === 'probing';
  }

  /** Nothing of a batch is there, and the service answered with its own error. */
  noteRefused(rows: readonly LaneRow[]): void {
    for (const row of rows) this.#refused.set(row.lane, row);
  }

  /** Whether it is time to try. */
  takeDue(): boolean {
    const { quarantine, laneCount } = this.#options;
    // One conversation alone says nothing of time.
    const enough = Math.max(2, Math.min(datedLanesMax, laneCount));
    const isDue = this.#state === 'waiting' && !quarantine.hasSucceeded && this.#refused.size >= enough;
    if (isDue) this.#state = 'probing';
    return isDue;
  }

  async probe(): Promise<void> {
    const { stops, sending } = this.#options;
    const lanes = [...this.#refused].filter(([lane, last]) => lane.pendingCount > 0 && this.#spansDays(lane, last));
    const tried = lanes.toSorted(([a], [b]) => a.pendingCount - b.pendingCount).slice(0, datedLanesMax);
    let isOld = tried.length > 0;
    if (isOld) for (const row of this.#olderRows(tried)) isOld &&= (await this.#stored([row])).length === 0;
    const [newest] = isOld ? await this.#stored(tried.flatMap(([lane, last]) => this.#newest(lane, last))) : [];
    if (newest) {
      const times = await this.#narrow(this.#refused.get(this.#laneOf(newest))!, newest);
      stops.note(tooOldError({ ...times, nowMs: sending.session.clock.now() }));
    }
    await Promise.all(this.#settling);
    this.#state = 'over';
  }

  /**
   * Messages as old as the refused ones: if one of these is stored alone, age is not the reason. The first ones of lanes of which nothing
   * was sent, so that order holds; without such lanes those behind the first batches, if these are long.
   */
  #olderRows(tried: readonly (readonly [Lane, LaneRow])[]): LaneRow[] {
    const { lanes, sending } = this.#options;
    const newestMs = Math.max(...[...this.#refused.values()].map(({ sentAtMs }) => sentAtMs));
    const first = lanes.ready().flatMap((lane) => this.#rowFrom(lane, { sentAtMs: 0 }, 0));
    const older = first.filter(({ sentAtMs }) => sentAtMs <= newestMs).slice(0, datedLanesMax);
    if (older.length > 0) return older;
    const isLong = ([{ pendingCount }]: (typeof tried)[number]) =>
      pendingCount > 2 * sending.session.target.profile.batchItemsMax;
    return tried.every(isLong) ? tried.flatMap(([lane, last]) => this.#rowFrom(lane, last, 1)) : [];
  }

  /** Halves the time between a refused message and one that is stored. */
  async #narrow(refused: LaneRow, stored: LaneRow): Promise<{ readonly refusedMs: number; readonly storedMs: number }> {
    let [refusedMs, storedMs] = [refused.sentAtMs, stored.sentAtMs];
    let [fromMs, toMs] = [refusedMs, storedMs];
    for (let step = 0; step < datingStepsMax && toMs - fromMs > dayMs / 4; step++) {
      const middleMs = (fromMs + toMs) / 2;
      const [row] = this.#rowFrom(refused.lane, refused, middleMs - refused.sentAtMs);
      if (!row || row.sentAtMs >= storedMs) {
        toMs = middleMs;
      } else if ((await this.#stored([row])).length > 0) {
        storedMs = row.sentAtMs;
        toMs = Math.min(middleMs, storedMs);
      } else {
        refusedMs = row.sentAtMs;
        fromMs = refusedMs;
      }
    }
    return { refusedMs, storedMs };
  }

  /** Whether its newest message would tell anything of age. If not, sending it would make those before it late for nothing. */
  #spansDays(lane: Lane, last: LaneRow): boolean {
    return this.#rowFrom(lane, last, dayMs + 1).length > 0;
  }

  /** The newest message of a lane, if it is newer than that one: by halving, as the store finds the next one after a time. */
  #newest(lane: Lane, last: LaneRow): LaneRow[] {
    let newest: LaneRow[] = [];
    for (
      let [fromMs, toMs] = [1, this.#options.sending.session.clock.now() + dayMs - last.sentAtMs];
      toMs - fromMs > 1;
    ) {
      const middleMs = (fromMs + toMs) / 2;
      const found = this.#rowFrom(lane, last, middleMs);
      if (found.length > 0) [newest, fromMs] = [found, Math.max(middleMs, found[0]!.sentAtMs - last.sentAtMs)];
      else toMs = middleMs;
    }
    return newest;
  }

  /** The first message that is so many ms later than one. Its lane is a copy, so that the lane itself is what it was. */
  #rowFrom(lane: Lane, { sentAtMs }: Pick<LaneRow, 'sentAtMs'>, laterMs: number): LaneRow[] {
    const cursor: Lane['cursor'] = [Math.ceil(sentAtMs + laterMs), '', 0];
    const copy = { ...lane, cursor, inFlightCount: Number.POSITIVE_INFINITY, deliveredUpTo: undefined };
    return this.#options.sending.records.rows.next(copy, 1).map((row) => asLateAs(lane, row));
  }

  /** A stored message needs no sending, and those before it are late now. */
  #noteSettled(lanes: ReadonlyMap<LaneRow, Lane>, absent: readonly LaneRow[]): void {
    for (const [row, lane] of lanes) {
      if (isThere(row)) noteStored(lane, row);
      if (!absent.includes(row)) this.#options.lanes.leaveOut(lane, 1);
    }
  }

  #laneOf = ({ lane }: LaneRow): Lane =>
    [...this.#refused.keys(), ...this.#options.lanes.ready()].find(
      ({ conversation }) => conversation === lane.conversation,
    )!;

  /** Sends messages. @returns Those that are there at once. */
  async #stored(rows: readonly LaneRow[]): Promise<LaneRow[]> {
    const { traffic, receipts, stops } = this.#options;
    if (rows.length === 0 || stops.isStopping) return [];
    const batch = batchOf(rows);
    // Now: a lane that has nothing else is not ready any more once its row is settled.
    const lanes = new Map(rows.map((row) => [row, this.#laneOf(row)]));
    const outcome = await traffic.send(batch);
    const { answers, missing } = outcome.kind === 'answered' ? outcome : { answers: new Map(), missing: [] };
    const doubtful = outcome.kind === 'answered' ? await receipts.receive(batch, answers, missing) : batch.rows;
    await new Promise<void>((resolve, reject) => {
      const isSettled = () => {
        resolve();
        return false;
      };
      const settled = receipts.findOut(batch, doubtful, { answers, isSettled });
      const noted = settled.then(({ absent }) => this.#noteSettled(lanes, absent));
      this.#settling.push(noted);
      noted.then(resolve, reject);
    });
    const there = rows.filter(isThere);
    for (const row of there) noteStored(lanes.get(row)!, row);
    return there;
  }
}

/** Late if messages that come behind it in the lane are there. */
const asLateAs = ({ deliveredUpTo }: Lane, row: LaneRow): LaneRow => ({
  ...row,
  isLate: deliveredUpTo !== undefined && isBefore(row, deliveredUpTo),
});

/** Its id tells which of those before it arrive behind it. */
function noteStored(lane: Lane, row: LaneRow): void {
  noteDelivered(lane, row);
  if (isThere({ ...row, lane })) lane.lastServerId = row.lane.lastServerId ?? lane.lastServerId;
}

/** Whether it was stored: the copy of its lane knows. */
const isThere = ({ lane, seq }: LaneRow): boolean => lane.deliveredUpTo?.[2] === seq;
