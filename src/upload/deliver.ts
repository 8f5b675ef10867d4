import pLimit from 'p-limit';
import type { Journal } from '../checkpoint/journal.ts';
import type { Clock } from '../lib/clock.ts';
import { DestinationError } from '../lib/errors.ts';
import type { ImportOutcome, NotAppliedWhy } from '../service/outcome.ts';
import { type BatchLimits, batchOf, nextBatch, type ReadRows } from './batches.ts';
import type { Batch, Destination } from './destination.ts';
import { isBefore, type Lane, type LaneRow, type Lanes } from './lanes.ts';
import type { openLane } from './open-lane.ts';
import type { ReadPage } from './reader.ts';
import { type FailureWords, Settlement } from './settlement.ts';
import { RefusalWatch } from './stop-rules.ts';

export interface DeliverOptions {
  /** Lanes without anything in doubt. */
  readonly lanes: Lanes;
  /** Lanes in which an earlier run left something in doubt: settled before anything else of them is sent. */
  readonly doubtful: readonly Lane[];
  /** Settles what is in doubt of a lane; answers how many messages turned out to be absent, and are pending again. */
  readonly recover: (lane: Lane, signal: AbortSignal) => Promise<number>;
  readonly limits: BatchLimits;
  readonly concurrency: number;
  readonly readRows: ReadRows;
  readonly destination: Destination;
  readonly readPage: ReadPage;
  readonly journal: Journal;
  /** Reads what is there before the first send into a conversation: `openLane`. */
  readonly open: (lane: Lane, signal: AbortSignal) => ReturnType<typeof openLane>;
  /** Grows with every receipt. */
  readonly knownPeople: Set<number>;
  /** How long an absent message may still arrive: after the service's own error, and after anything else. */
  readonly graceShortMs: number;
  readonly graceLongMs: number;
  readonly maxRefusedShare: number;
  readonly clock: Clock;
  readonly onProgress: (done: number) => void;
  readonly onWait: (ms: number, why: string) => void;
  /** Aborted: nothing new is sent, what is in flight may finish. */
  readonly stopping: AbortSignal;
  /** Aborted: requests in flight are cut; their messages stay in doubt. */
  readonly signal: AbortSignal;
}

/** A batch that fails whole this often is split in halves, to find the message that causes it. */
const wholeFailuresMax = 2;
/** The same for a message alone, which is then refused: a network may well break three times in a row. */
const aloneFailuresMax = 4;

/** So many messages that seem to be the cause, one after the other, while nothing is answered: it is not the messages. */
const suspectsMax = 3;

/** Requests for the same rows that fail as a whole, one after the other. */
interface Trouble {
  readonly failures: number;
  /** Requests that had left when it began: an answer to a later one shows that the destination is not simply down. */
  readonly sentBefore: number;
  /** Messages that failed alone before any later request was answered. Shared by all parts of a batch. */
  readonly suspects: { readonly row: LaneRow; readonly failure: FailureWords }[];
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
 * Halves lead to the message that no request can carry. It is refused if other requests are answered meanwhile; if none
 * is, the destination is down, and the run stops.
 *
 * @returns Why it stopped early, if it did; messages not reached stay pending, messages without an answer stay in doubt.
 */
export async function deliver(options: DeliverOptions): Promise<DestinationError | undefined> {
  return await new Delivery(options).run();
}

type Send = (rows: readonly LaneRow[]) => Promise<{ batch: Batch; outcome: ImportOutcome; number: number }>;

class Delivery {
  readonly #options: DeliverOptions;
  readonly #watch: RefusalWatch;
  readonly #settlement: Settlement;
  readonly #running = new Set<Promise<void>>();
  #sending = 0;
  /** Tasks that will free lanes soon: everything except those that wait for a grace to pass. */
  #active = 0;
  #opening = 0;
  #done = 0;
  /** Requests that have left, and the latest of them that was answered. */
  #sentCount = 0;
  #lastAnswered = 0;
  #stopped: DestinationError | undefined;
  /** Lanes that cannot be opened: what they hold stays pending. */
  readonly #parked: Lane[] = [];
  #failure: unknown;
  #wake: () => void = () => {};

  constructor(options: DeliverOptions) {
    this.#options = options;
    this.#watch = new RefusalWatch(options.maxRefusedShare);
    this.#settlement = new Settlement({
      ...options,
      whileWaiting: (wait) => this.#whileWaiting(wait),
      onSettled: (rows) => this.#release(rows),
      onAnswer: (code, detail) => this.#note(code, detail),
    });
  }

  async run(): Promise<DestinationError | undefined> {
    const { concurrency, stopping } = this.#options;
    const limit = pLimit(concurrency);
    stopping.addEventListener('abort', () => this.#wake());
    for (const lane of this.#options.doubtful) this.#start(() => this.#recover(lane));
    for (;;) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      this.#openAhead();
      while (!this.#isStopping() && this.#sending < concurrency) {
        const batch = this.#nextBatch();
        if (!batch) break;
        this.#sending++;
        this.#active++;
        this.#start(() =>
          this.#deliver(batch.rows, (rows) => limit(() => this.#send(rows))).finally(() => this.#active--),
        );
      }
      if (this.#running.size === 0) break;
      await woken;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return this.#stopped ?? parkedError(this.#parked);
  }

  #isStopping(): boolean {
    return this.#stopped !== undefined || this.#failure !== undefined || this.#options.stopping.aborted;
  }

  /** Opens lanes, longest first, until there is enough to keep every request full. */
  #openAhead(): void {
    const { lanes, concurrency, limits } = this.#options;
    const enough = 2 * concurrency * limits.itemsMax;
    while (!this.#isStopping() && this.#opening < concurrency && lanes.readyCount < enough && lanes.hasClosed) {
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
    const { open, lanes, signal } = this.#options;
    const found = await open(lane, signal);
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
    const { lanes, limits, readRows } = this.#options;
    const mayBePartial = this.#active === 0 && this.#opening === 0 && !lanes.hasClosed;
    return nextBatch(lanes, limits, readRows, mayBePartial);
  }

  /** Runs a task beside the others; the first that fails stops the run. */
  #start(task: () => Promise<void>): void {
    const running: Promise<void> = task()
      .catch((error: unknown) => {
        if (error instanceof DestinationError) this.#stopped ??= error;
        else if (!this.#options.signal.aborted) this.#failure ??= error;
      })
      .finally(() => {
        this.#running.delete(running);
        this.#wake();
      });
    this.#running.add(running);
  }

  async #send(rows: readonly LaneRow[]): ReturnType<Send> {
    const batch = batchOf(rows);
    const number = ++this.#sentCount;
    const outcome = await this.#options.destination.send(batch, this.#options.signal);
    if (outcome.kind === 'answered' && outcome.answers.size > 0)
      this.#lastAnswered = Math.max(this.#lastAnswered, number);
    // Before anything else leaves: the next request would meet the same answer.
    if (isStop(outcome)) this.#stopped ??= stopError(outcome);
    return { batch, outcome, number };
  }

  /** Sends rows and settles each, whatever it takes. The caller has counted the first request among those in flight. */
  async #deliver(rows: readonly LaneRow[], send: Send, before?: Trouble): Promise<void> {
    const { graceShortMs, graceLongMs } = this.#options;
    const { batch, outcome, number } = await send(rows).finally(() => this.#sending--);
    this.#wake();
    const { failures, sentBefore, suspects } = before ?? { failures: 0, sentBefore: this.#sentCount, suspects: [] };
    const trouble = { failures: failures + 1, sentBefore, suspects };
    if (outcome.kind === 'answered') {
      const doubtful = await this.#settlement.receive(batch, outcome.answers, outcome.missing);
      const absent = await this.#settlement.resolve(batch, doubtful, graceLongMs, outcome.answers);
      const unanswered = await this.#settlement.refuseHidden(absent, outcome.answers);
      if (outcome.answers.size > 0)
        await this.#again(unanswered, send, { failures: 0, sentBefore: number - 1, suspects });
      else await this.#repeat(unanswered, unmentioned, send, trouble);
    } else if (outcome.kind === 'unknown') {
      const absent = await this.#settlement.resolve(batch, rows, outcome.byService ? graceShortMs : graceLongMs);
      await this.#repeat(absent, outcome, send, trouble);
    } else {
      await this.#settlement.putBack(batch, rows);
      if (isStop(outcome)) return;
      if (rows.length === 1) await this.#settlement.refuse(rows[0]!, outcome);
      else await this.#halve(rows, send, trouble);
    }
    if (!before) await this.#judge(suspects, sentBefore);
  }

  /** Another request for rows of an earlier one. A run that is stopping leaves them pending. */
  async #again(rows: readonly LaneRow[], send: Send, trouble?: Trouble): Promise<void> {
    if (rows.length === 0 || this.#isStopping()) return;
    this.#sending++;
    await this.#deliver(rows.map(asLateAsItIs), send, trouble);
  }

  /** After requests that nobody can tell anything about: again, in halves, or not at all. */
  async #repeat(rows: readonly LaneRow[], failure: FailureWords, send: Send, trouble: Trouble): Promise<void> {
    const [row, ...others] = rows;
    if (!row) return;
    const isAlone = others.length === 0;
    if (trouble.failures < (isAlone ? aloneFailuresMax : wholeFailuresMax))
      return await this.#again(rows, send, trouble);
    if (!isAlone) return await this.#halve(rows, send, trouble);
    if (this.#lastAnswered > trouble.sentBefore) return await this.#settlement.refuse(row, failure);
    trouble.suspects.push({ row, failure });
    if (trouble.suspects.length >= suspectsMax) throw silentError(trouble.suspects[0]!);
  }

  /** One half after the other: both may hold messages of one conversation. */
  async #halve(rows: readonly LaneRow[], send: Send, { sentBefore, suspects }: Trouble): Promise<void> {
    const middle = Math.ceil(rows.length / 2);
    await this.#again(rows.slice(0, middle), send, { failures: 1, sentBefore, suspects });
    await this.#again(rows.slice(middle), send, { failures: 1, sentBefore, suspects });
  }

  /** When all parts of a batch were tried: what failed alone is to blame where the others were answered. */
  async #judge(suspects: Trouble['suspects'], sentBefore: number): Promise<void> {
    for (const suspect of suspects) {
      if (this.#lastAnswered <= sentBefore) throw silentError(suspect);
      await this.#settlement.refuse(suspect.row, suspect.failure);
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
}

/** The row, marked late if messages of its lane that come behind it are already there. */
const asLateAsItIs = (row: LaneRow): LaneRow =>
  row.lane.deliveredUpTo && isBefore(row, row.lane.deliveredUpTo) ? { ...row, isLate: true } : row;

function parkedError(parked: readonly Lane[]): DestinationError | undefined {
  const [first] = parked;
  if (!first) return undefined;
  const pendingCount = parked.reduce((sum, lane) => sum + lane.pendingCount, 0);
  return new DestinationError(
    `Left out ${parked.length === 1 ? 'a conversation' : `${parked.length} conversations`} with ${pendingCount} pending messages: the last message that was sent there is gone from the destination (the first is "${first.sourceId}")`,
    {
      code: 'last-message-gone',
      hint: 'Was the destination emptied or put back to an older state? "chatferry verify" shows what is missing there',
    },
  );
}

const unmentioned: FailureWords = { code: 'no_answer', detail: 'The answer does not mention the message' };

const silentError = ({ row: { muid }, failure: { code, detail } }: Trouble['suspects'][number]) =>
  new DestinationError(`Stopped: the destination answers no import any more: ${code}: ${detail}`, {
    code,
    hint: `Run the same command again when the service answers; if it never does, look at "chatferry explain ${muid}"`,
  });

type NotApplied = Extract<ImportOutcome, { kind: 'not-applied' }>;

/** Nothing of this run can succeed; a request that is not acceptable as it stands is another matter. */
const isStop = (outcome: ImportOutcome): outcome is NotApplied =>
  outcome.kind === 'not-applied' && outcome.why !== 'rejected' && outcome.why !== 'too-large';

const stopError = (outcome: NotApplied) =>
  new DestinationError(`Stopped: ${outcome.code}: ${outcome.detail}`, {
    code: outcome.code,
    requestId: outcome.requestId,
    hint: outcome.hint ?? hintOf[outcome.why],
  });

const hintOf: Readonly<Record<NotAppliedWhy, string>> = {
  unreachable: 'Check the address and the network, then run the same command again',
  'rate-limited': 'The destination asks for a long wait; run the same command again later',
  stop: 'Check the API key and the plan of the destination, then run the same command again',
  rejected: 'Look at the report, fix the cause, then run the same command again',
  'too-large': 'Pass a smaller --batch-bytes, then run the same command again',
};
