import pLimit from 'p-limit';
import type { Journal } from '../../checkpoint/delivery/journal.ts';
import type { Clock } from '../../lib/clock.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { ImportOutcome } from '../../service/client/answers/outcome.ts';
import type { AdaptiveConcurrency } from '../pace/adaptive-concurrency.ts';
import { type BatchLimits, nextBatch, type ReadRows } from './batches.ts';
import { Bisection } from './bisection.ts';
import type { ByteLimit } from './byte-limit.ts';
import { type Batch, type Destination, NotSent } from '../pace/destination.ts';
import type { Lane, LaneRow, Lanes } from './lanes.ts';
import type { openLane } from './open-lane.ts';
import type { ReadBackProof } from '../read-back/read-back-proof.ts';
import type { ReadPage } from '../read-back/read-back.ts';
import { Settlement } from './settlement.ts';
import { isStop, parkedError, RefusalWatch, stopError } from './stop-rules.ts';

export interface DeliverOptions {
  /** Lanes without anything in doubt. */
  readonly lanes: Lanes;
  /** Lanes in which an earlier run left something in doubt: settled before anything else of them is sent. */
  readonly doubtful: readonly Lane[];
  /** Settles what is in doubt of a lane; answers how many messages turned out to be absent, and are pending again. */
  readonly recover: (lane: Lane, signal: AbortSignal) => Promise<number>;
  readonly itemsMax: BatchLimits['itemsMax'];
  readonly byteLimit: ByteLimit;
  readonly concurrency: AdaptiveConcurrency;
  readonly readRows: ReadRows;
  readonly destination: Destination;
  readonly readPage: ReadPage;
  readonly journal: Journal;
  /** Reads what is there before the first send into a conversation: `openLane`. */
  readonly open: (lane: Lane, signal: AbortSignal) => ReturnType<typeof openLane>;
  readonly proof: ReadBackProof;
  /** Grows with every receipt. */
  readonly knownPeople: Set<number>;
  /** What a muid that is already there meets. */
  readonly duplicates: 'unknown' | 'refused';
  /** How long an absent message may still arrive: after the service's own error, and after anything else. */
  readonly graceShortMs: number;
  readonly graceLongMs: number;
  readonly maxRefusedShare: number;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onProgress: (done: number) => void;
  readonly onWait: (ms: number, why: string) => void;
  /** Aborted: nothing new is sent and nothing is waited for; what is in flight may finish. */
  readonly pausing: AbortSignal;
  /** Told why nothing can be written any more: no wait is worth its end then. */
  readonly onFailure: (reason: unknown) => void;
  /** Aborted: requests in flight are cut; their messages stay in doubt. */
  readonly signal: AbortSignal;
}

/**
 * Sends what is pending: oldest first inside a conversation, many conversations side by side.
 *
 * A batch moves through these steps; its lanes are free again when all their messages in it are settled:
 *
 *     send ──answered──▶ receipts ──(missing, already there)──▶ read back
 *       ├──not applied──▶ halves, or the run stops; messages stay pending
 *       └──unknown──▶ read back ──▶ grace ──▶ read back ──▶ what is absent is sent again, then in halves
 *
 * @returns Why it stopped early, if it did; messages not reached stay pending, messages without an answer stay in doubt.
 */
export async function deliver(options: DeliverOptions): Promise<DestinationError | undefined> {
  return await new Delivery(options).run();
}

class Delivery {
  readonly #options: DeliverOptions;
  readonly #watch: RefusalWatch;
  readonly #bisection: Bisection;
  readonly #slots: ReturnType<typeof pLimit>;
  readonly #running = new Set<Promise<void>>();
  /** Requests that are in flight, or wait for a slot. */
  #sending = 0;
  /** Tasks that will free lanes soon: everything except those that wait for a grace to pass. */
  #active = 0;
  #opening = 0;
  #done = 0;
  #stopped: DestinationError | undefined;
  /** Lanes that cannot be opened: what they hold stays pending. */
  readonly #parked: Lane[] = [];
  #failure: unknown;
  #wake: () => void = () => {};

  constructor(options: DeliverOptions) {
    this.#options = options;
    this.#watch = new RefusalWatch(options.maxRefusedShare);
    this.#slots = pLimit(options.concurrency.limit);
    const whileWaiting = (wait: Promise<void>) => this.#whileWaiting(wait);
    const settlement = new Settlement({
      ...options,
      whileWaiting,
      onSettled: (rows) => this.#release(rows),
      onAnswer: (code, detail) => this.#note(code, detail),
    });
    this.#bisection = new Bisection({
      ...options,
      settlement,
      whileWaiting,
      send: (batch, onLeave) => this.#send(batch, onLeave),
      isStopping: () => this.#isStopping(),
    });
  }

  async run(): Promise<DestinationError | undefined> {
    this.#options.pausing.addEventListener('abort', () => this.#wake());
    for (const lane of this.#options.doubtful) this.#start(() => this.#recover(lane));
    for (;;) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      this.#openAhead();
      while (this.#mayStart()) {
        const batch = this.#nextBatch();
        if (!batch) break;
        this.#active++;
        this.#start(() => this.#bisection.bring(batch.rows).finally(() => this.#active--));
      }
      if (this.#running.size === 0) break;
      await woken;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return this.#stopped ?? this.#leftOut();
  }

  #isStopping(): boolean {
    return this.#stopped !== undefined || this.#failure !== undefined || this.#options.pausing.aborted;
  }

  /** Until it is proved that messages can be read back, one batch at a time. */
  #mayStart(): boolean {
    const { concurrency, proof } = this.#options;
    if (this.#isStopping()) return false;
    return proof.isNeeded ? this.#active === 0 : this.#sending < concurrency.limit;
  }

  /** Opens lanes, longest first, until there is enough to keep every request full. */
  #openAhead(): void {
    const { lanes, concurrency, itemsMax } = this.#options;
    const enough = 2 * concurrency.max * itemsMax;
    while (!this.#isStopping() && this.#opening < concurrency.max && lanes.readyCount < enough && lanes.hasClosed) {
      const lane = lanes.takeClosed()!;
      this.#opening++;
      this.#start(() => this.#open(lane).finally(() => this.#opening--));
    }
  }

  async #recover(lane: Lane): Promise<void> {
    const { recover, signal } = this.#options;
    lane.pendingCount += await recover(lane, signal);
    await this.#open(lane);
  }

  async #open(lane: Lane): Promise<void> {
    const { open, lanes, proof, signal } = this.#options;
    const found = proof.reads ? await open(lane, signal) : 0;
    if (found === 'last message gone') {
      lane.state = 'parked';
      this.#parked.push(lane);
      return;
    }
    lane.pendingCount -= found;
    this.#progress(found);
    lanes.release(lane);
  }

  #nextBatch(): Batch | undefined {
    const { lanes, itemsMax, byteLimit, readRows } = this.#options;
    const mayBePartial = this.#active === 0 && this.#opening === 0 && !lanes.hasClosed;
    return nextBatch(lanes, { itemsMax, bytesMax: byteLimit.max }, readRows, mayBePartial);
  }

  /** Runs a task beside the others; the first that fails stops the run. */
  #start(task: () => Promise<void>): void {
    const running: Promise<void> = task()
      .catch((error: unknown) => {
        if (error instanceof DestinationError) this.#stopped ??= error;
        else if (!this.#isOfStopping(error)) this.#fail(error);
      })
      .finally(() => {
        this.#running.delete(running);
        this.#wake();
      });
    this.#running.add(running);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#options.onFailure(error);
  }

  /** A wait that ended because the run is being stopped, or a request that was cut for that: no failure. */
  #isOfStopping(error: unknown): boolean {
    const { pausing, signal } = this.#options;
    return signal.aborted || (pausing.aborted && (error === pausing.reason || error instanceof NotSent));
  }

  /** One request, when there is a slot for it. */
  async #send(batch: Batch, onLeave: () => void): Promise<ImportOutcome> {
    const { destination, concurrency, signal } = this.#options;
    this.#sending++;
    this.#slots.concurrency = concurrency.limit;
    try {
      const outcome = await this.#slots(() => {
        onLeave();
        return destination.send(batch, signal);
      });
      // Before anything else leaves: the next request would meet the same answer.
      if (isStop(outcome)) this.#stopped ??= stopError(outcome);
      return outcome;
    } finally {
      this.#sending--;
      this.#slots.concurrency = concurrency.limit;
      this.#wake();
    }
  }

  /** Lanes that wait for a grace to pass free nothing soon. */
  async #whileWaiting(wait: Promise<void>): Promise<void> {
    this.#active--;
    this.#wake();
    await wait.finally(() => this.#active++);
  }

  /** Looks at a refusal, or at a good receipt: one code that takes over stops the run, before anything else leaves. */
  #note(code: string | undefined, detail: string): void {
    try {
      this.#watch.note(code, detail);
    } catch (error) {
      this.#stopped ??= error as DestinationError;
    }
  }

  /** Rows are settled for good; a lane is free again with the last of its rows. */
  #release(rows: readonly LaneRow[]): void {
    for (const { lane } of rows) if (--lane.inFlightCount === 0) this.#options.lanes.release(lane);
    this.#progress(rows.length);
  }

  #progress(count: number): void {
    this.#done += count;
    if (count > 0) this.#options.onProgress(this.#done);
  }

  #leftOut(): DestinationError | undefined {
    const isUnseenAsBefore = this.#parked.length > 0 && this.#options.proof.isUnseenAsBefore;
    return isUnseenAsBefore ? this.#options.proof.notListed() : parkedError(this.#parked);
  }
}
