import pLimit from 'p-limit';
import type { ImportOutcome } from '../../service/outcome.ts';
import type { Batch } from '../destination.ts';
import type { Sending } from './sending.ts';
import type { StopReasons } from './stop-reasons.ts';
import { isStop, stopError } from './stop-rules.ts';

/**
 * Purpose of a task: `recovering` a lane in which an earlier run left messages unconfirmed, `opening` a lane,
 * `delivering` a batch until the outcome of each of its messages is known, or `waiting` for another process that sends
 * to the same lanes.
 */
export type TaskKind = 'recovering' | 'opening' | 'delivering' | 'waiting';

/** Tasks under way side by side, and their requests, as many at a time as the destination bears. Decides nothing. */
export class Traffic {
  readonly #session: Sending['session'];
  readonly #flight: Sending['flight'];
  readonly #stops: StopReasons;
  readonly #slots: ReturnType<typeof pLimit>;
  readonly #tasks: Record<TaskKind, number> = { recovering: 0, opening: 0, delivering: 0, waiting: 0 };
  /** Those that wait for a grace included. */
  #taskCount = 0;
  /** Requests that are in flight, or wait for a slot. */
  #requestCount = 0;
  #wake: () => void = () => {};

  constructor({ session, flight }: Pick<Sending, 'session' | 'flight'>, stops: StopReasons) {
    this.#session = session;
    this.#flight = flight;
    this.#stops = stops;
    this.#slots = pLimit(flight.inFlight.limit);
    session.pausing.addEventListener('abort', () => this.#wake());
  }

  get isIdle(): boolean {
    return this.#taskCount === 0;
  }

  get hasSlot(): boolean {
    return this.#requestCount < this.#flight.inFlight.limit;
  }

  /** Counts the tasks of a kind. For `delivering`, leaves out those that wait for a grace: they free nothing soon. */
  count(kind: TaskKind): number {
    return this.#tasks[kind];
  }

  /** Resolves when more may begin than before. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** More may begin than before. */
  change(): void {
    this.#wake();
  }

  /** Runs a task concurrently with the others. The first task that fails stops the run. */
  start(kind: TaskKind, task: () => Promise<void>): void {
    this.#tasks[kind]++;
    this.#taskCount++;
    void task()
      .catch((error: unknown) => this.#stops.noteThrown(error))
      .finally(() => {
        this.#tasks[kind]--;
        this.#taskCount--;
        this.#wake();
      });
  }

  /** One request, when there is a slot for it. */
  async send(batch: Batch): Promise<ImportOutcome> {
    const { destination, inFlight } = this.#flight;
    this.#requestCount++;
    this.#slots.concurrency = inFlight.limit;
    try {
      const outcome = await this.#slots(() => destination.send(batch, this.#session.signal));
      // Before anything else leaves: the next request would meet the same answer.
      if (isStop(outcome)) this.#stops.note(stopError(outcome));
      return outcome;
    } finally {
      this.#requestCount--;
      this.#slots.concurrency = inFlight.limit;
      this.#wake();
    }
  }

  /** Waits on behalf of a task that is delivering. Ends early if the run is being stopped. */
  async wait(ms: number, why: string): Promise<void> {
    const { clock, onWait, pausing } = this.#session;
    onWait(ms, why);
    this.#tasks.delivering--;
    this.#wake();
    await clock.sleep(ms, pausing).finally(() => this.#tasks.delivering++);
  }
}
