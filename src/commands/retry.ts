import { hasDeliveries } from '../checkpoint/base/destinations.ts';
import { Journal } from '../checkpoint/delivery/journal.ts';
import { peopleReader } from '../checkpoint/staging/people.ts';
import {
  chooseRefused,
  chosenLanes,
  type RefusedCount,
  takeChosen,
  unknownRefused,
} from '../checkpoint/repair/failed-messages.ts';
import { openStore, type Store } from '../checkpoint/base/store.ts';
import { DestinationError, StoreError, UsageError } from '../lib/errors.ts';
import { oneLine } from '../lib/plain-text.ts';
import { noRequests } from '../upload/pace/destination.ts';
import { laneRowsReader } from '../upload/lanes/lane-rows.ts';
import { laneOf } from '../upload/lanes/lanes.ts';
import { createReader } from '../upload/read-back/read-back.ts';
import { recoverLane } from '../upload/lanes/recover.ts';
import { collectReport, tallyOf } from '../report/collect/collect-report.ts';
import { exitCodes, exitOfImport } from '../report/exit-codes.ts';
import type { ImportResult } from '../upload/import.ts';
import { type Outcome, sendAndVerify, type SendRequest } from './session.ts';
import { knownDestination, openTarget, type Target, type TargetOptions } from '../upload/target.ts';

export interface RetryRequest extends Omit<SendRequest, 'confirm'>, TargetOptions {
  readonly store: string;
  /** muids or ids at the source; empty: all that were refused. */
  readonly ids: readonly string[];
  /** Only those that were refused with this code. */
  readonly code?: string | undefined;
  /** Told what was refused and what of it is tried again, before anything is sent; `false` ends the run there. */
  readonly confirm: (choice: RetryChoice) => Promise<boolean>;
}

export interface RetryChoice {
  readonly destination: string;
  readonly isEmbedded: boolean;
  /** Every code with which messages were refused there, most first. */
  readonly codes: readonly RefusedCount[];
  readonly chosen: number;
  /** Pending all the same: they are sent with the others, so that none of them turns late. */
  readonly pending: number;
}

/** The outcome, and what was chosen. */
export interface Retried extends Outcome {
  readonly choice: RetryChoice;
}

/** Another content stands there under the same id: sending again changes nothing, so it has to be named. */
const differentContent = 'different-content';

/** Messages that are looked for at once: their items are held in memory, some 2 KB each. */
const lookedForAtOnce = 1000;

/**
 * Sends refused messages again, after what caused the refusal was put right. Each is looked for first: what is there
 * after all is written down as imported, and nothing arrives twice.
 *
 * @throws UsageError, StoreError; DestinationError if the destination cannot be opened.
 */
export async function retryRefused(request: RetryRequest): Promise<Retried> {
  const { clock, ids, code } = request;
  const startedMs = clock.monotonic();
  const lockTakenAtMs = clock.now();
  const store = openStore(request.store, { command: 'retry', nowMs: lockTakenAtMs });
  try {
    const known = knownDestination(store, request);
    if (!known || !hasDeliveries(store.db, known.id)) throw nothingSent(request);
    const codes = chooseRefused(store.db, known.id, { ids, code, exceptCode: differentContent });
    assertRefused(store, known, request, codes);
    const target = await openTarget(store, request);
    try {
      const tally = tallyOf(store, target.id);
      const choice: RetryChoice = {
        destination: target.name,
        isEmbedded: target.isEmbedded,
        codes,
        chosen: codes.reduce((sum, { chosen }) => sum + chosen, 0),
        pending: tally.books.pending,
      };
      const isWanted = await request.confirm(choice);
      if (choice.chosen === 0 || !isWanted) {
        const elapsedMs = clock.monotonic() - startedMs;
        const about = { command: 'retry', nowMs: clock.now(), destination: target, elapsedMs, tally };
        const report = collectReport(store, about);
        const exit = isWanted ? exitOfImport(report) : exitCodes.usage;
        return { report, exit, counted: { destination: target.id, tally }, choice };
      }
      const { confirm: _, ...sending } = request;
      const prepare = (run: number) => putBack(store, target, request, run);
      const task = { command: 'retry', startedMs, lockTakenAtMs, prepare };
      return { ...(await sendAndVerify(store, target, sending, task)), choice };
    } finally {
      await target.close();
    }
  } finally {
    store.close();
  }
}

/**
 * Refused is what a destination said; what it did may differ. So each message is read back: what is there is imported
 * (or refused for its other content), what is absent is pending again.
 */
async function putBack(
  store: Store,
  target: Target,
  { clock, random, progress, signal, stopping }: RetryRequest,
  run: number,
): Promise<Pick<ImportResult, 'requests' | 'stopped'>> {
  const requests = noRequests();
  const lanes = chosenLanes(store.db, target.id);
  const stage = progress.stage('Looking', { total: lanes.reduce((sum, { pending }) => sum + pending, 0) });
  const onWait = (ms: number, why: string) => stage.update({ done, waiting: why, waitMs: ms });
  const pace = target.openPace(onWait);
  const list = target.client.listMessages.bind(target.client);
  const readPage = createReader({ list, pace, clock, random, counts: requests, attemptsMax: 6 });
  const journal = new Journal(store, target.id, run);
  const personOf = peopleReader(store.db);
  const rows = laneRowsReader(store, {
    ...target.profile,
    destination: target.id,
    details: 'never',
    knownPeople: new Set(),
  });
  const take = takeChosen(store.db, target.id);
  let done = 0;
  try {
    for (const found of lanes) {
      const lane = laneOf(found, personOf, undefined);
      for (let left = found.pending; left > 0 && !stopping.aborted; left -= lookedForAtOnce) {
        const muids = take(lane.conversation, lookedForAtOnce);
        const doubtfulRows = () => muids.flatMap((muid) => rows.byMuid(lane, muid)?.row ?? []);
        // A refusal is an answer: nothing of it is still on its way, so what is absent is absent.
        const graceEndsAt = clock.monotonic();
        await recoverLane(lane, { doubtfulRows, readPage, journal, clock, graceEndsAt, onWait }, signal);
        done += muids.length;
        stage.update({ done });
      }
    }
    return { requests, stopped: undefined };
  } catch (error) {
    if (error instanceof DestinationError) return { requests, stopped: error };
    throw error;
  } finally {
    stage.finish();
    pace.close();
  }
}

function assertRefused(
  store: Store,
  destination: { readonly id: number; readonly name: string },
  { ids, code }: RetryRequest,
  codes: readonly RefusedCount[],
): void {
  const [unknown] = unknownRefused(store.db, destination.id, ids);
  if (unknown !== undefined) {
    throw new UsageError(
      `Cannot retry "${oneLine(unknown)}": ${destination.name} has refused no message with this id`,
      {
        hint: `chatferry explain ${oneLine(unknown)} shows what became of it`,
      },
    );
  }
  if (code === undefined || codes.some((found) => found.code === code)) return;
  const found = codes.map((each) => each.code).join(', ') || 'nothing was refused';
  throw new UsageError(`Cannot retry code "${oneLine(code)}": no message was refused with it at ${destination.name}`, {
    hint: `Codes there: ${oneLine(found)}`,
  });
}

const nothingSent = ({ store, to, appId }: RetryRequest) =>
  new StoreError(`Cannot retry: nothing of "${store}" was sent to ${appId ?? to} yet`, {
    path: store,
    hint: 'Run "chatferry import EXPORT" first, or pass --to with the destination of an import',
  });
