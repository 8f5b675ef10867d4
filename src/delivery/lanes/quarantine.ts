import type { DestinationError } from '../../lib/errors.ts';
import { halvesByCount } from './batches.ts';
import type { Lane, LaneRow } from '../lanes.ts';
import type { Lanes } from './queue.ts';
import { type FailureWords, unansweredError } from './stop-rules.ts';
import { chanceMax, freeTriesMax, unansweredMax } from '../pace/limits.ts';
import { attemptsMax } from '../../lib/flow/retry.ts';

export interface Piece {
  readonly rows: readonly LaneRow[];
  /** Failure of their last request. */
  readonly failure: FailureWords;
  /** Exactly these were sent since they were quarantined. */
  readonly isTried: boolean;
  /** How often it failed alone with a success before it. The next success is the one behind the last of them. */
  readonly failures: number;
  /** Successes of the run when it last failed. */
  readonly since: number;
}

/**
 * Messages that no request has carried yet: either they are to blame, or the destination is. A success is an import request of which
 * at least one message was answered, or found there. Reads that work prove nothing about writes.
 *
 *     waiting ──a success──▶ due ──▶ sent ──arrived──▶ gone from here
 *                                     ├──several, unanswered──▶ two halves, waiting
 *                                     └──alone, unanswered──▶ waiting, one failure more; after `attemptsMax` and a success, failed
 *
 * At a destination that loses good messages too, a message alone fails only if chance would hardly lose it as often: the share of requests
 * of one message that brought nothing, though the message arrived later, is the chance that a good one is absent.
 *
 * When nothing else is left to do, no success can come by itself. Then what was not tried as it is may be sent without one (a good half
 * is a success for the other), then lanes go on behind what waits, and if neither succeeds the run stops.
 */
export class Quarantine {
  readonly #lanes: Lanes;
  /** In the order of their conversations, those that are being sent included. */
  readonly #pieces: Piece[] = [];
  /** Those that are being sent, and whether there was a success before. */
  readonly #sent = new Map<Piece, boolean>();
  #successes = 0;
  #unanswered = 0;
  /** By muid, of what has not arrived: how many requests had it alone and brought nothing. */
  readonly #absences = new Map<string, number>();
  /** The same of what arrived alone in the end, and all of these requests. */
  readonly #controls = { absent: 0, tries: 0 };
  #freeTries = 0;
  #hasGoneBehind = false;

  constructor(lanes: Lanes) {
    this.#lanes = lanes;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Whether anything of this run is known to have arrived. */
  get hasSucceeded(): boolean {
    return this.#successes > 0;
  }

  /** Requests in a row of which nothing is known to have arrived. */
  get unanswered(): number {
    return this.#unanswered;
  }

  get isCautious(): boolean {
    return this.#unanswered >= unansweredMax;
  }

  /** @param sent Rows of the request that brought something. */
  noteSuccess(sent: readonly LaneRow[]): void {
    const [row] = sent;
    if (row && sent.length === 1) {
      const absent = this.#absencesOf(row);
      this.#controls.absent += absent;
      this.#controls.tries += absent + 1;
      this.#absences.delete(row.muid);
    }
    this.#successes++;
    this.#unanswered = 0;
    this.#freeTries = 0;
    this.#hasGoneBehind = false;
  }

  noteUnanswered(): void {
    this.#unanswered++;
  }

  /** It was alone in a request, and did not arrive. */
  noteAbsent(row: LaneRow): void {
    this.#absences.set(row.muid, this.#absencesOf(row) + 1);
  }

  /** Whether a message alone is to blame, and not the destination. */
  hasFailed({ rows: [row], failures }: Piece): boolean {
    const { absent, tries } = this.#controls;
    if (failures < attemptsMax) return false;
    return absent === 0 || (absent / tries) ** this.#absencesOf(row!) < chanceMax;
  }

  #absencesOf({ muid }: LaneRow): number {
    return this.#absences.get(muid) ?? 0;
  }

  /** Adds the remaining rows of a batch. Their lanes wait. */
  add(left: readonly LaneRow[], failure: FailureWords): void {
    this.#pieces.push(...this.#split(left, failure));
    this.#lanes.quarantine(left);
  }

  /** Lanes of which something waits for its first try: nothing behind it may leave before that. */
  untriedLanes(): ReadonlySet<Lane> {
    return new Set(this.#pieces.flatMap(({ rows, isTried }) => (isTried ? [] : rows.map(({ lane }) => lane))));
  }

  /** Begins with what may be sent: something succeeded since it failed, and nothing before it in its lanes waits for its first try. */
  takeDue(): Piece[] {
    const passed = new Set<Lane>();
    return this.#pieces.filter((piece) => {
      const lanes = piece.rows.map(({ lane }) => lane);
      const isFree = lanes.every((lane) => lane.state !== 'busy' && (piece.isTried || !passed.has(lane)));
      for (const lane of lanes) passed.add(lane);
      const isDue = isFree && piece.since < this.#successes && !this.#sent.has(piece);
      if (isDue) this.#begin(piece, true);
      return isDue;
    });
  }

  /** When nothing else is left to do: begins with the first that was not tried as it is, unless many such tries were without result. */
  takeUntried(): Piece | undefined {
    const piece = this.#freeTries < freeTriesMax ? this.#pieces.find(({ isTried }) => !isTried) : undefined;
    if (!piece) return undefined;
    this.#freeTries++;
    this.#begin(piece, false);
    return piece;
  }

  #begin(piece: Piece, isAfterSuccess: boolean): void {
    this.#sent.set(piece, isAfterSuccess);
    this.#lanes.takeBack(piece.rows);
  }

  /** When nothing else is left to do: lets lanes go on behind what waits, once after each success. @returns Whether there is one. */
  goBehind(): boolean {
    if (this.#hasGoneBehind) return false;
    this.#hasGoneBehind = true;
    this.#unanswered = 0;
    return this.#lanes.letGo() || this.#lanes.readyCount > 0 || this.#lanes.hasClosed;
  }

  /** Puts back the remaining rows of a piece that was sent. */
  putBack(piece: Piece, left: readonly LaneRow[], failure: FailureWords): void {
    const failures = piece.failures + (this.#sent.get(piece) ? 1 : 0);
    this.#sent.delete(piece);
    const isAlone = piece.rows.length === 1 && left.length === 1;
    const pieces = isAlone
      ? [{ rows: left, failure, failures, isTried: true, since: this.#successes }]
      : this.#split(left, failure);
    this.#pieces.splice(this.#pieces.indexOf(piece), 1, ...pieces);
    this.#lanes.quarantine(left);
  }

  /** Why a run stops with what is still here. */
  error(): DestinationError {
    const rows = this.#pieces.flatMap((piece) => piece.rows);
    return unansweredError(rows, this.#pieces[0]!.failure, this.hasSucceeded);
  }

  #split(rows: readonly LaneRow[], failure: FailureWords): Piece[] {
    const parts = rows.length > 1 ? halvesByCount(rows) : rows.length === 1 ? [rows] : [];
    return parts.map((part) => ({ rows: part, failure, failures: 0, isTried: false, since: this.#successes }));
  }
}
