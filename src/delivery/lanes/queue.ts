import type { ClosedLanes, Lane, LaneRow } from '../lanes.ts';

const byUrgency = (a: Lane, b: Lane) => (b.priority ?? 0) - (a.priority ?? 0) || b.pendingCount - a.pendingCount;

/**
 * Lanes of a run with something to send. Those that are not opened yet are in the store, so memory does not grow with their number.
 * Lanes are opened by priority, then longest first, and only a few ahead of what is being sent, so choosing among the ready ones is cheap.
 */
export class Lanes {
  readonly #closed: Iterator<Lane>;
  /** Lanes that are left in `#closed`, and their messages. */
  #closedLeft: number;
  #closedPending: number;
  /** Closed again, the next one last: another process sends to them. */
  #putBack: Lane[] = [];
  readonly #ready = new Set<Lane>();
  readonly #held = new Set<Lane>();
  readyCount = 0;

  constructor({ count, pendingCount, lanes }: ClosedLanes) {
    this.#closed = lanes;
    this.#closedLeft = count;
    this.#closedPending = pendingCount;
  }

  get closedCount(): number {
    return this.#closedLeft + this.#putBack.length;
  }

  get hasClosed(): boolean {
    return this.closedCount > 0;
  }

  /**
   * Whether so many messages at most may be taken into batches, those of lanes that are not open included.
   *
   * @param held Those of lanes that wait count, too.
   */
  hasAtMost(count: number, held?: 'held too'): boolean {
    const known = this.readyCount + this.#closedPending;
    if (known > count || this.closedCount > count) return false;
    const others = held ? [...this.#putBack, ...this.#held] : this.#putBack;
    return others.reduce((sum, { pendingCount }) => sum + pendingCount, known) <= count;
  }

  /** Takes the next lane that is not opened yet, and marks it `opening`. */
  takeClosed(): Lane | undefined {
    const lane = this.#takeStored() ?? this.#putBack.pop();
    if (lane) lane.state = 'opening';
    return lane;
  }

  #takeStored(): Lane | undefined {
    if (this.#closedLeft === 0) return undefined;
    const { value } = this.#closed.next() as IteratorYieldResult<Lane>;
    this.#closedLeft--;
    this.#closedPending -= value.pendingCount;
    return value;
  }

  /** Ready lanes: by priority, then the one with most left first. */
  ready(): Lane[] {
    return [...this.#ready].sort(byUrgency);
  }

  /** Lanes that wait for messages before theirs: by priority, then the one with most left first. */
  held(): Lane[] {
    return [...this.#held].sort(byUrgency);
  }

  /** Lanes that could not be opened now: others come first. */
  putBack(lanes: readonly Lane[]): void {
    this.#putBack = [...lanes, ...this.#putBack];
  }

  /** A lane goes into a batch: nothing else of it is sent until it is released. */
  take(lane: Lane): void {
    lane.state = 'busy';
    this.#held.delete(lane);
    if (this.#ready.delete(lane)) this.readyCount -= lane.pendingCount;
  }

  /** So many messages of a lane are not sent. */
  leaveOut(lane: Lane, count: number): void {
    lane.pendingCount -= count;
    if (lane.state !== 'ready') return;
    this.readyCount -= count;
    if (lane.pendingCount > 0) return;
    lane.state = 'done';
    this.#ready.delete(lane);
  }

  /** A lane goes back to the queue, or is done. */
  release(lane: Lane): void {
    lane.state = lane.pendingCount === 0 ? 'done' : lane.isHeld ? 'held' : 'ready';
    if (lane.state === 'held') this.#held.add(lane);
    if (lane.state !== 'ready') return;
    this.#ready.add(lane);
    this.readyCount += lane.pendingCount;
  }

  /** Messages of lanes that are busy are quarantined: what comes behind them waits. */
  quarantine(rows: readonly LaneRow[]): void {
    for (const { lane } of rows) {
      lane.isHeld = true;
      lane.quarantinedCount++;
      if (--lane.inFlightCount === 0) this.release(lane);
    }
  }

  /** They are sent again: their lanes are busy until then. */
  takeBack(rows: readonly LaneRow[]): void {
    for (const { lane } of rows) {
      this.take(lane);
      lane.inFlightCount++;
      lane.isHeld = --lane.quarantinedCount > 0;
    }
  }

  /** Lets lanes go on behind what is quarantined. @returns Whether there was one. */
  letGo(): boolean {
    const held = [...this.#held];
    this.#held.clear();
    for (const lane of held) {
      lane.isHeld = false;
      this.release(lane);
    }
    return held.length > 0;
  }
}
