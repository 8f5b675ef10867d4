import { type Arrivals, setAsideCode } from '../../checkpoint/delivery.ts';
import type { Sending } from '../sending.ts';
import type { Lane, LaneRow, Lanes } from '../lanes.ts';
import type { Neighbours } from './neighbours.ts';
import { type FailureWords, silentError } from './stop-rules.ts';
import type { Traffic } from './traffic.ts';

/**
 * A message that failed alone, while nobody else was answered: it is to blame for it, or the destination is down. Or several of a batch
 * that were not looked at any further for that.
 */
export interface Suspect {
  readonly rows: readonly LaneRow[];
  readonly failure: FailureWords;
  /** How often exactly these failed. */
  readonly failures: number;
  /** Requests that had left when it last failed. */
  readonly since: number;
  /** Requests in vain that led to it. */
  readonly depth: number;
  /** Somebody was answered before it failed last. */
  readonly isSeen: boolean;
  /** An earlier run has set it aside, and this one has not tried it yet. */
  readonly isRecalled: boolean;
}

/** So many messages fail alone, one after the other, while nobody is answered: it is not the messages. Less where nobody ever was. */
const suspectsMax = 12;
const suspectsMaxAtFirst = 6;
/** An earlier run split a batch down to it. */
const recalledDepth = 4;
/** In the same minutes: so long, and so many graces, for each of a few messages that fail is tried a few times. */
const sameMinutesMs = 600_000;
const sameGraces = 60;
/** A destination that answers nobody gets some rest before anything is concluded from that. */
const restMs = 60_000;

/** How the messages are asked for again: one after the other, in their order. `isLast`: by what was answered before them. */
export type AskAgain = (suspects: readonly Suspect[], how: { readonly isLast: boolean }) => Promise<void>;

export interface SetAsideOptions {
  readonly sending: Sending;
  readonly traffic: Traffic;
  readonly lanes: Lanes;
  readonly neighbours: Neighbours;
  readonly arrivals: Pick<Arrivals, 'wasLeftOut' | 'latestBatch'>;
}

/**
 * Messages of which nobody knows yet whether they are to blame. What comes behind them in their conversations waits while other lanes
 * have something to send; as soon as anybody is answered they are asked for again, alone. The store remembers them: the next run
 * does not begin with them.
 *
 *     set aside ──a neighbour is answered──▶ asked for again ──▶ imported, refused, or set aside
 *         └──nothing else to send──▶ lanes go on behind them ──▶ … ──▶ the run stops, and they stay pending
 */
export class SetAside {
  readonly #sending: Sending;
  readonly #traffic: Traffic;
  readonly #lanes: Lanes;
  readonly #neighbours: Neighbours;
  readonly #arrivals: SetAsideOptions['arrivals'];
  readonly #askAgain: AskAgain;
  #suspects: Suspect[] = [];
  /** Those that were noted since somebody was answered, each once; those of earlier runs are none of them. */
  readonly #noted = new Set<number>();
  readonly #recalled = new Set<number>();
  /** Requests that had been answered when the destination last got some rest. */
  #restedAfter: number | undefined;

  constructor({ sending, traffic, lanes, neighbours, arrivals }: SetAsideOptions, askAgain: AskAgain) {
    this.#sending = sending;
    this.#traffic = traffic;
    this.#lanes = lanes;
    this.#neighbours = neighbours;
    this.#arrivals = arrivals;
    this.#askAgain = askAgain;
  }

  /** Writes down that a message is one. @throws DestinationError if there are too many: the destination is down. */
  async note({ rows, failure, failures, isSeen }: Suspect): Promise<void> {
    const { journal } = this.#sending;
    const detail = `${failure.code}: ${failure.detail}`;
    const changes = rows.map(({ seq }) => ({ seq, state: 'pending' as const, code: setAsideCode, detail }));
    await journal.record(undefined, changes, { closes: false });
    const max = this.#neighbours.lastAnswered > 0 ? suspectsMax : suspectsMaxAtFirst;
    const [{ seq, muid }] = rows as [LaneRow];
    if (!isSeen && failures > 0 && !this.#recalled.has(seq)) this.#noted.add(seq);
    if (this.#noted.size >= max) throw silentError(muid, failure);
  }

  /** Nobody was answered since: they wait. */
  add(suspects: readonly Suspect[]): void {
    this.#suspects.push(...suspects);
    for (const { rows } of suspects) for (const row of rows) this.#traffic.setAside(row);
  }

  /** What an earlier run has set aside of a lane that is open now. */
  recall(lane: Lane): void {
    if (lane.asideCount === 0) return;
    const { rows: reader, refuseTooOld, advance } = this.#sending;
    let rows = reader.setAside(lane);
    lane.pendingCount -= rows.length;
    const tooOld = refuseTooOld(rows);
    if (tooOld > 0) {
      advance(tooOld);
      rows = reader.setAside(lane);
    }
    lane.asideCount = rows.length;
    lane.isHeld = rows.length > 0;
    const failure = { code: setAsideCode, detail: 'It failed in an earlier run as well' };
    for (const row of rows) {
      this.#recalled.add(row.seq);
      this.#suspects.push({
        rows: [row],
        failure,
        failures: 1,
        depth: recalledDepth,
        since: 0,
        isSeen: false,
        isRecalled: true,
      });
    }
  }

  /** Somebody was answered. */
  noteAnswered(): void {
    this.#noted.clear();
    this.askWhereAnswered();
  }

  /** Asks again for those since whose failure a neighbour was answered. @returns Whether there was one that can be asked for now. */
  askWhereAnswered(): boolean {
    return this.#ask(({ since }) => since < this.#neighbours.lastAnswered);
  }

  /** When nothing else is under way. @returns Whether something is again. */
  goOn(): boolean {
    const [first] = this.#suspects;
    if (!first || this.#traffic.isStopping) return false;
    if (this.askWhereAnswered() || this.#askAfterRest() || this.#lanes.letGo()) return true;
    if (this.#askRecalled()) return true;
    if (!this.#neighbours.areTroubled && this.#askLast()) return true;
    this.#traffic.stop(silentError(first.rows[0]!.muid, first.failure));
    return false;
  }

  /** Before lanes go on behind what is set aside, the first of each is asked for again: where it arrives, all of it is sent in order. */
  #askAfterRest(): boolean {
    if (this.#restedAfter === this.#neighbours.lastAnswered) return false;
    this.#restedAfter = this.#neighbours.lastAnswered;
    const groups = Map.groupBy(this.#suspects, laneOfSuspect).values();
    const firsts = new Set([...groups].map(([first]) => first));
    return this.#ask((one) => firsts.has(one), { rests: this.#neighbours.sentCount > 0 });
  }

  /**
   * Those of earlier runs, first whose latest request is longest ago: after a few in vain the others are not tried, and a good message
   * would stay behind the same ones in every run.
   */
  #askRecalled(): boolean {
    const tried = ({ rows }: Suspect) => this.#arrivals.latestBatch(rows[0]!.seq);
    this.#suspects = this.#suspects
      .map((suspect) => ({ suspect, at: tried(suspect) }))
      .sort((one, other) => one.at - other.at)
      .map(({ suspect }) => suspect);
    return this.#ask(({ isRecalled }) => isRecalled);
  }

  /** First those without which an earlier request of theirs has arrived, then the others, where that is likely. */
  #askLast(): boolean {
    const wasLeftOut = ({ seq }: LaneRow) => this.#arrivals.wasLeftOut(seq);
    if (this.#ask(({ rows }) => rows.every(wasLeftOut), { isLast: true, rests: true })) return true;
    const { graceLongMs } = this.#sending.target.profile;
    const areAmongAnswered = this.#neighbours.areAnswered(sameMinutesMs + sameGraces * graceLongMs);
    const count = this.#suspects.reduce((sum, { rows }) => sum + rows.length, 0);
    const areToBlame = areAmongAnswered && this.#neighbours.mayAllBeToBlame(count);
    return areToBlame && this.#ask(() => true, { isLast: true, rests: true });
  }

  /** Takes those of which nothing else is on its way. */
  #ask(isWanted: (suspect: Suspect) => boolean, { isLast = false, rests = false } = {}): boolean {
    if (this.#traffic.isStopping) return false;
    const isTaken = (one: Suspect) => isWanted(one) && laneOfSuspect(one).inFlightCount === 0;
    const { taken = [], left = [] } = Object.groupBy(this.#suspects, (one) => (isTaken(one) ? 'taken' : 'left'));
    this.#suspects = left;
    for (const [lane, suspects] of Map.groupBy(taken, laneOfSuspect)) {
      this.#lanes.take(lane);
      lane.isHeld = left.some((one) => laneOfSuspect(one) === lane);
      lane.inFlightCount = suspects.reduce((sum, { rows }) => sum + rows.length, 0);
      lane.asideCount -= lane.inFlightCount;
      this.#traffic.start('delivering', async () => {
        if (rests) await this.#traffic.wait(restMs, 'nobody is answered; messages that failed are tried again');
        await this.#askAgain(suspects, { isLast });
      });
    }
    return taken.length > 0;
  }
}

/** Of several of a batch, those of one lane are one suspect. */
const laneOfSuspect = ({ rows }: Suspect): Lane => rows[0]!.lane;
