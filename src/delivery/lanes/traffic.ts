import pLimit from 'p-limit';
import { DestinationError } from '../../lib/errors.ts';
import type { ImportOutcome } from '../../service/outcome.ts';
import { type Batch, NotSent } from '../destination.ts';
import type { Sending } from '../sending.ts';
import { nextBatch } from '../batches.ts';
import { addressOfLane, type Lane, type LaneRow, type Lanes } from '../lanes.ts';
import type { Opened } from './open-lane.ts';
import { isStop, parkedError, RefusalWatch, stopError, type Wall, wallError } from './stop-rules.ts';

/**
 * What a task is about: `recovering` a lane in which an earlier run left something in doubt, `opening` one, or `delivering` a
 * batch until it is known what became of each of its messages; `waiting` for another process that sends to the same lanes.
 */
type TaskKind = 'recovering' | 'opening' | 'delivering' | 'waiting';

/** Between two looks at whether another process is done with a lane, in ms. */
const lookAgainMs = 2000;

/**
 * What is under way in a run, and whether more may begin.
 *
 *     sending ──no lane has anything left──▶ idle
 *        ├──an answer after which nothing can succeed, one refusal too many, silence──▶ stopping
 *        ├──the run was told to pause──▶ stopping
 *        └──the store cannot write──▶ stopping, and no wait is worth its end
 *     stopping ──tasks have ended: what is in flight gets its answer, nothing else leaves──▶ idle
 *
 * A batch below the limits leaves only where no lane can add to it soon: no task is delivering or opening. One that waits
 * for a grace to pass frees nothing soon, and does not count as delivering meanwhile.
 */
export class Traffic {
  readonly #sending: Sending;
  readonly #lanes: Lanes;
  readonly #watch: RefusalWatch;
  readonly #slots: ReturnType<typeof pLimit>;
  readonly #tasks: Record<TaskKind, number> = { recovering: 0, opening: 0, delivering: 0, waiting: 0 };
  /** Those that wait for a grace included. */
  #taskCount = 0;
  /** Requests that are in flight, or wait for a slot. */
  #requestCount = 0;
  #stopped: DestinationError | undefined;
  /** One refusal code has taken over. */
  #wall: Wall | undefined;
  #failure: unknown;
  /** Lanes that cannot be opened: what they hold stays pending. */
  readonly #parked: Lane[] = [];
  /** Lanes that another process sends to. */
  #claimed: Lane[] = [];
  #wake: () => void = () => {};

  constructor(sending: Sending, lanes: Lanes) {
    this.#sending = sending;
    this.#lanes = lanes;
    this.#watch = new RefusalWatch(sending.options.maxRefusedShare, sending.wallBefore);
    this.#slots = pLimit(sending.inFlight.limit);
    sending.pausing.addEventListener('abort', () => this.#wake());
  }

  get isIdle(): boolean {
    return this.#taskCount === 0;
  }

  get isStopping(): boolean {
    const isOver = this.#stopped !== undefined || this.#wall !== undefined || this.#failure !== undefined;
    return isOver || this.#sending.pausing.aborted;
  }

  /** Resolves when more may begin than before. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** The next lane to open, longest first, until there is enough to keep every request full. */
  nextLane(): Lane | undefined {
    const { inFlight, target } = this.#sending;
    const enough = 2 * inFlight.max * target.profile.batchItemsMax;
    const isWanted = this.#tasks.opening < inFlight.max && this.#lanes.readyCount < enough;
    return isWanted && !this.isStopping ? this.#lanes.takeClosed() : undefined;
  }

  /** Whether there are lanes to open still: where all that is ready turned out too old, no task has come to its end. */
  get mayOpen(): boolean {
    return this.#lanes.hasClosed && !this.isStopping;
  }

  /** The next batch that may leave. One at a time until it is proved that messages can be read back, and that no wall stands there still. */
  nextBatch(): Batch | undefined {
    const { inFlight, proof, target, byteLimit } = this.#sending;
    const { delivering, opening } = this.#tasks;
    const hasRoom = proof.isNeeded || this.#watch.isWary ? delivering === 0 : this.#requestCount < inFlight.limit;
    if (this.isStopping || !hasRoom) return undefined;
    const limits = { itemsMax: target.profile.batchItemsMax, bytesMax: byteLimit.max };
    return nextBatch(
      this.#lanes,
      limits,
      (...asked) => this.#nextRows(...asked),
      delivering + opening === 0 && !this.#lanes.hasClosed,
    );
  }

  /** Those that are young enough still: waiting for their turn may have taken days. */
  #nextRows(lane: Lane, limit: number): LaneRow[] {
    const { rows, refuseTooOld, advance } = this.#sending;
    for (;;) {
      const found = rows.next(lane, limit);
      const count = refuseTooOld(found);
      if (count === 0) return found;
      this.#lanes.leaveOut(lane, count);
      advance(count);
    }
  }

  /** Runs a task beside the others; the first that fails stops the run. */
  start(kind: TaskKind, task: () => Promise<void>): void {
    this.#tasks[kind]++;
    this.#taskCount++;
    void task()
      .catch((error: unknown) => this.#noteError(error))
      .finally(() => {
        this.#tasks[kind]--;
        this.#taskCount--;
        this.#wake();
      });
  }

  #noteError(error: unknown): void {
    const { pausing, signal, giveUp } = this.#sending;
    if (error instanceof DestinationError) {
      this.#stopped ??= error;
      return;
    }
    // A wait that ended because the run is being stopped, or a request that was cut for that: no failure.
    if (signal.aborted || (pausing.aborted && (error === pausing.reason || error instanceof NotSent))) return;
    this.#failure ??= error;
    giveUp(error);
  }

  /** What opening a lane came to: how many of its pending messages need no sending. */
  opened(lane: Lane, found: Opened): void {
    if (found === 'claimed by another') {
      this.#claimed.push(lane);
      if (this.#tasks.waiting === 0) this.start('waiting', () => this.#waitForOthers());
      return;
    }
    if (found === 'last message gone') {
      lane.state = 'parked';
      this.#parked.push(lane);
      this.#sending.claims.release(addressOfLane(lane));
      return;
    }
    lane.pendingCount -= found;
    if (found > 0) this.#sending.advance(found);
    this.#free(lane);
  }

  /** Other lanes go on meanwhile. */
  async #waitForOthers(): Promise<void> {
    const { clock, onWait, pausing } = this.#sending;
    onWait(lookAgainMs, 'somebody else sends to the same conversations');
    await clock.sleep(lookAgainMs, pausing);
    this.#lanes.putBack(this.#claimed);
    this.#claimed = [];
  }

  #free(lane: Lane): void {
    this.#lanes.release(lane);
    // Where the run is being stopped, something of it may still arrive: that is borne when the claims are closed.
    const isDone = lane.state === 'done' && lane.asideCount === 0;
    if (isDone && !this.isStopping) this.#sending.claims.release(addressOfLane(lane));
  }

  /** One request, when there is a slot for it. `onLeave` is called then. */
  async send(batch: Batch, onLeave: () => void): Promise<ImportOutcome> {
    const { destination, inFlight, signal } = this.#sending;
    this.#requestCount++;
    this.#slots.concurrency = inFlight.limit;
    try {
      const outcome = await this.#slots(() => {
        onLeave();
        return destination.send(batch, signal);
      });
      // Before anything else leaves: the next request would meet the same answer.
      if (isStop(outcome)) this.#stopped ??= stopError(outcome);
      return outcome;
    } finally {
      this.#requestCount--;
      this.#slots.concurrency = inFlight.limit;
      this.#wake();
    }
  }

  /** A wait of a task that is delivering; ends early where the run is being stopped. */
  async wait(ms: number, why: string): Promise<void> {
    const { clock, onWait, pausing } = this.#sending;
    onWait(ms, why);
    this.#tasks.delivering--;
    this.#wake();
    await clock.sleep(ms, pausing).finally(() => this.#tasks.delivering++);
  }

  /** The row waits for what its neighbours come to; its lane is free for what comes behind it, where nothing else is left to do. */
  setAside({ lane }: LaneRow): void {
    lane.isHeld = true;
    lane.asideCount++;
    if (--lane.inFlightCount === 0) this.#lanes.release(lane);
  }

  /** Nothing else leaves; what is in flight gets its answer. */
  stop(error: DestinationError): void {
    this.#stopped ??= error;
  }

  /** Looks at a refusal, or at a good receipt (without a code): one code that takes over stops the run before anything else leaves. */
  noteAnswer(code: string | undefined, detail: string): void {
    this.#wall ??= this.#watch.note(code, detail);
  }

  /** Nothing more is done about these rows in this run; a lane is free again with the last of its rows. */
  release(rows: readonly LaneRow[]): void {
    for (const { lane } of rows) if (--lane.inFlightCount === 0) this.#free(lane);
    if (rows.length === 0) return;
    this.#sending.advance(rows.length);
    this.#wake();
  }

  /** @returns Why it stopped early, if it did. @throws What kept the store from writing. */
  end(): DestinationError | undefined {
    const { proof, wallFacts } = this.#sending;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#wall !== undefined) this.#stopped ??= wallError(this.#wall, wallFacts(this.#wall.code));
    const isUnseenAsBefore = this.#parked.length > 0 && proof.isUnseenAsBefore;
    return this.#stopped ?? (isUnseenAsBefore ? proof.notListed() : parkedError(this.#parked));
  }
}
