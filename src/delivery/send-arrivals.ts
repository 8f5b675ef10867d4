import { DestinationError } from '../lib/errors.ts';
import { inParallel } from '../lib/flow/in-parallel.ts';
import { type ArrivalKind, arrivalKinds } from '../model/arrival.ts';
import type { ImportOutcome, MessageAnswer, NotDone } from '../service/outcome.ts';
import type { ArrivalReceipt, ArrivalRow, Arrivals } from '../store/arrivals.ts';
import type { Store } from '../store/open.ts';
import { beforeSending, noRequests } from './destination.ts';
import { undoUnfinished } from './import.ts';
import { timeLeft } from '../lib/flow/smoothed-rate.ts';
import { forecastMs } from './lanes/sending.ts';
import { doubtsInARowMax, ownErrorGraceMs, refusalsMax, roundsMax } from './pace/limits.ts';
import { makeRequest } from './one-request.ts';
import type { PerformOptions } from './perform-actions.ts';
import { endOfSending, type ImportResult, openSendingSession, type SendingSession } from './session.ts';
import type { Target } from './target.ts';

/**
 * Imports people, groups and members, in this order, before the messages. Without an answer they are asked for again, as often as it
 * takes: the service refuses what it has, so that nothing is made twice.
 *
 *     pending ──intent──▶ unconfirmed ──made──▶ imported, and ours
 *                          ├──"exists already", asked for the first time──▶ existing: it is left as it is
 *                          ├──"exists already", after a request without an answer──▶ imported, and maybe ours
 *                          ├──refused, twice if as a whole, or the service's own error in every round──▶ failed: it may be there if a request was doubtful
 *                          └──no answer, or none for this one──▶ asked for again
 *
 * @throws StoreError if the store cannot write. Everything else that can happen to a request is an outcome.
 */
export async function sendArrivals(store: Store, target: Target, options: PerformOptions): Promise<ImportResult> {
  const requests = noRequests();
  store.arrivals.rejoin(target.id);
  const total = target.profile.people === 'import' ? store.arrivals.countOpen(target.id) : 0;
  if (total === 0) return { requests, stopped: undefined };
  if (store.undo.hasOpen(target.id)) return { requests, stopped: undoUnfinished(target) };
  const session = openSendingSession(
    target,
    { ...options, counts: requests },
    {
      name: 'People, groups, members',
      total,
      more: timeLeft({ total, forecastMs: forecastMs(total, target), clock: options.clock }),
    },
  );
  const { runId, concurrency } = options;
  const sending = new ArrivalSending({ ...session, arrivals: store.arrivals, runId, concurrency });
  const { stopped } = await endOfSending(session, requests, async () => {
    for (const kind of arrivalKinds) await sending.sendAll(kind);
  });
  return { requests, stopped: stopped && withAdvice(stopped) };
}

/** An endpoint without these operations: the address is right, and the profile is not. */
const withAdvice = (error: DestinationError): DestinationError =>
  error.code === 'ERR_API_NOT_FOUND'
    ? new DestinationError(`${error.message}: the destination has no operation that imports people`, {
        code: error.code,
        needsPerson: true,
        hint: 'Pass --people with-messages: people and groups come with their messages then',
      })
    : error;

interface ArrivalSession extends SendingSession {
  readonly arrivals: Arrivals;
  readonly runId: number;
  readonly concurrency: number;
}

type Unknown = Extract<NotDone, { kind: 'unknown' }>;

class ArrivalSending {
  readonly #session: ArrivalSession;
  #doubtsInARow = 0;
  /** By id: in how many rounds the service's own error was the answer to this one alone. */
  readonly #errorsAlone = new Map<number, number>();

  constructor(session: ArrivalSession) {
    this.#session = session;
  }

  /** @throws DestinationError if some are still unconfirmed after a few rounds, or nothing can succeed; NotSent */
  async sendAll(kind: ArrivalKind): Promise<void> {
    const { target, concurrency, clock, pausing, giveUp, onWait } = this.#session;
    const waitMs = Math.min(target.profile.graceLongMs, ownErrorGraceMs);
    let doubt: Unknown | undefined;
    for (let round = 1; round <= roundsMax; round++) {
      if (doubt) {
        // Short outages end: nothing has failed because of one.
        onWait(waitMs, 'some imports of people have no answer yet');
        await beforeSending(clock.sleep(waitMs, pausing), pausing);
      }
      doubt = undefined;
      const work = async (rows: readonly ArrivalRow[]) => {
        try {
          doubt = (await this.#send(kind, rows)) ?? doubt;
        } catch (error) {
          giveUp(error);
          throw error;
        }
      };
      await inParallel(this.#batches(kind), concurrency, work, pausing);
      pausing.throwIfAborted();
      if (!doubt) return;
    }
    throw unanswered(doubt!);
  }

  *#batches(kind: ArrivalKind): Generator<ArrivalRow[]> {
    const { arrivals, target } = this.#session;
    const { batchItemsMax, batchBytesMax } = target.profile;
    let after = 0;
    for (;;) {
      const page = arrivals.page(target.id, kind, after, batchItemsMax);
      let bytes = 100;
      const rows = page.filter(({ key, payload }, at) => {
        bytes += Buffer.byteLength(payload) + key.length + 4;
        return at === 0 || bytes <= batchBytesMax;
      });
      if (rows.length === 0) return;
      after = rows.at(-1)!.id;
      yield rows;
    }
  }

  /** @returns Why some of them are unconfirmed, if they are. */
  async #send(kind: ArrivalKind, rows: readonly ArrivalRow[]): Promise<Unknown | undefined> {
    const { arrivals, target, runId, clock, advance } = this.#session;
    const receive = (receipts: readonly ArrivalReceipt[]) => arrivals.receive(target.id, receipts);
    const all = (state: ArrivalReceipt['state'], { code, detail }: NotDone) =>
      receive(rows.map((row) => ({ row, state, code, detail })));
    const { outcome } = await makeRequest<ImportOutcome>(
      {
        kind: 'import',
        name: 'an import of people',
        pending: { arrivals: rows.map(({ id }) => id) },
        intend: () => arrivals.intend(target.id, runId, rows, clock.now()),
        request: (client, signal) => client.importItems(kind, bodyOf(kind, rows), keysOf(rows), signal),
        reopen: (failure) => receive(rows.map((row) => ({ row, ...reopened(row, failure) }))),
      },
      this.#session,
    );
    if (outcome.kind === 'answered') {
      this.#doubtsInARow = 0;
      const answered = rows.filter(({ key }) => outcome.answers.has(key));
      await receive(answered.map((row) => receiptOf(row, outcome.answers.get(row.key)!)));
      advance(answered.length);
      return answered.length < rows.length ? notNamed : undefined;
    }
    await all('sent', outcome);
    const isOfService = outcome.kind === 'not-applied' || outcome.byService;
    if (outcome.kind === 'unknown' && ++this.#doubtsInARow >= doubtsInARowMax) throw unanswered(outcome);
    // One of them may be what the service cannot take.
    if (isOfService && rows.length > 1) return await this.#sendHalves(kind, rows);
    const [row] = rows as [ArrivalRow];
    const isRefused = outcome.kind === 'not-applied';
    if (isOfService && this.#noteAlone(row) >= (isRefused ? refusalsMax : roundsMax)) {
      await all('failed', { ...outcome, detail: mayBeThere(outcome.detail) });
      advance(1);
      return undefined;
    }
    // Asked again, a service that has stored it says so.
    return isRefused ? await this.#send(kind, [{ ...row, isDoubtful: 1 }]) : outcome;
  }

  #noteAlone({ id }: ArrivalRow): number {
    const count = (this.#errorsAlone.get(id) ?? 0) + 1;
    this.#errorsAlone.set(id, count);
    return count;
  }

  async #sendHalves(kind: ArrivalKind, rows: readonly ArrivalRow[]): Promise<Unknown | undefined> {
    const middle = Math.ceil(rows.length / 2);
    // A request that failed as a whole may have made some of them.
    const halves = [rows.slice(0, middle), rows.slice(middle)].map((half) =>
      half.map((row) => ({ ...row, isDoubtful: 1 })),
    );
    let doubt: Unknown | undefined;
    for (const half of halves) doubt = (await this.#send(kind, half)) ?? doubt;
    return doubt;
  }
}

const fields = { people: 'users', groups: 'groups', members: 'members' } as const;

/** Written by hand: an object of JavaScript lists keys of digits first. */
const bodyOf = (kind: ArrivalKind, rows: readonly ArrivalRow[]): string =>
  `{"${fields[kind]}":{${rows.map(({ key, payload }) => `${JSON.stringify(key)}:${payload}`).join(',')}}}`;

const keysOf = (rows: readonly ArrivalRow[]): string[] => rows.map(({ key }) => key);

function receiptOf(row: ArrivalRow, answer: MessageAnswer): ArrivalReceipt {
  if (answer.result === 'imported') return { row, state: 'imported', isOurs: true };
  const { code, detail } = answer;
  if (!/ALREADY_(?:EXISTS|JOINED)$/.test(code))
    return row.isDoubtful
      ? { row, state: 'failed', code, detail: mayBeThere(detail) }
      : { row, state: 'failed', isOurs: false, code, detail };
  return row.isDoubtful ? { row, state: 'imported' } : { row, state: 'existing', isOurs: false };
}

/** An earlier request without an answer may have made it, whatever became of this one. */
function reopened({ isDoubtful }: ArrivalRow, failure: NotDone): Pick<ArrivalReceipt, 'state' | 'code' | 'detail'> {
  const { code, detail } = failure;
  const mayBeDone = failure.kind === 'not-applied' && failure.why === 'stop' && !failure.isSure;
  return { state: isDoubtful || mayBeDone ? 'sent' : 'pending', code, detail };
}

const mayBeThere = (detail: string) => `${detail} (an earlier request may have stored it)`;

const notNamed: Unknown = {
  kind: 'unknown',
  byService: false,
  code: 'bad_answer',
  detail: 'The answer does not name everything that was sent',
};

const unanswered = ({ code, detail }: Unknown) =>
  new DestinationError(
    `Stopped before the messages: the destination does not answer imports of people: ${code}: ${detail}`,
    {
      code,
      hint: 'Run the same command again when the service answers',
    },
  );
