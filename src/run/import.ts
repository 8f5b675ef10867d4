import { Journal } from '../checkpoint/journal.ts';
import { refuseLateOutsiders } from '../checkpoint/late-outsiders.ts';
import { closeSettledBatches, lastDoubtfulAttemptMs } from '../checkpoint/pending-lanes.ts';
import { knownPeople } from '../checkpoint/people.ts';
import type { Store } from '../checkpoint/store.ts';
import type { Clock } from '../lib/clock.ts';
import type { DestinationError } from '../lib/errors.ts';
import { differingFields, sentMessage } from '../upload/compare.ts';
import { noRequests, type RequestCounts } from '../upload/counts.ts';
import { deliver } from '../upload/deliver.ts';
import type { Destination } from '../upload/destination.ts';
import { laneRowsReader } from '../upload/lane-rows.ts';
import { type Lane, Lanes } from '../upload/lanes.ts';
import { loadLanes } from '../upload/load-lanes.ts';
import { type Claim, openLane } from '../upload/open-lane.ts';
import type { Pace } from '../upload/pace.ts';
import { createReader } from '../upload/reader.ts';
import { recoverLane } from '../upload/recover.ts';
import { withAttemptLog } from '../upload/with-attempt-log.ts';
import { withPace } from '../upload/with-pace.ts';
import { withRetry } from '../upload/with-retry.ts';
import type { Progress } from './progress.ts';
import type { Target } from './target.ts';

export interface ImportOptions {
  readonly runId: number;
  /** When this process took the store: nothing of an earlier one can still be sent after it, but may still be applied. */
  readonly lockTakenAtMs: number;
  readonly concurrency: number;
  /** When people's and groups' details travel with a message. */
  readonly details: 'until-known' | 'always' | 'never';
  readonly maxRefusedShare: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly progress: Progress;
  /** Aborted: nothing new is sent. */
  readonly stopping: AbortSignal;
  /** Aborted: requests in flight are cut. */
  readonly signal: AbortSignal;
}

export interface ImportResult {
  readonly requests: RequestCounts;
  /** Why it stopped before everything was sent, if it did. The same command continues. */
  readonly stopped: DestinationError | undefined;
}

/** Attempts per request, the first one included. */
const attemptsMax = 6;
/** A server that asks for a longer wait stops the run, resumable. */
const waitMaxMs = 10 * 60_000;
/** The total deadline of a request: after it nothing of it is still on its way from us. */
const requestTimeoutMs = 90_000;

/**
 * Sends what is pending at the target. Whatever an earlier run left there without an answer is found out first.
 *
 * @throws StoreError if the store cannot write; everything else that can happen to a request is an outcome.
 */
export async function sendPending(store: Store, target: Target, options: ImportOptions): Promise<ImportResult> {
  const { clock, random, progress, details, signal, stopping } = options;
  const requests = noRequests();
  refuseLateOutsiders(store.db, target.id, options.runId);
  const { clear, doubtful, pendingCount } = loadLanes(store, target.id);
  if (pendingCount === 0) return { requests, stopped: undefined };

  const stage = progress.stage('Sending', { total: pendingCount });
  let done = 0;
  stage.update({ done, ...timeLeft(pendingCount, target) });
  const onWait = (ms: number, why: string) => stage.update({ done, waiting: `${Math.ceil(ms / 1000)} s: ${why}` });
  const pace = target.openPace(onWait);
  try {
    const people = knownPeople(store.db, target.id);
    const rows = laneRowsReader(store, { ...target.profile, destination: target.id, details, knownPeople: people });
    const journal = new Journal(store, target.id, options.runId);
    const readPage = createReader({
      list: (query, abort) => target.client.listMessages(query, abort),
      pace,
      clock,
      random,
      counts: requests,
      attemptsMax,
    });
    const claimOf =
      (lane: Lane) =>
      (muid: string): Claim | undefined => {
        const found = rows.byMuid(lane, muid);
        return (
          found && {
            row: found.row,
            isPending: found.delivery === null || found.delivery === 'pending',
            hadIntent: found.delivery !== null,
            differingFields: (listed) => differingFields(sentMessage(muid, found.row.wire), listed),
          }
        );
      };
    const graceEndsAt = graceAfterKill(store, target, options);
    const stopped = await deliver({
      lanes: new Lanes(clear),
      doubtful,
      limits: { itemsMax: target.profile.batchItemsMax, bytesMax: target.profile.batchBytesMax },
      concurrency: options.concurrency,
      readRows: rows.next,
      destination: destinationOf(target, journal, pace, requests, options, onWait),
      readPage,
      journal,
      open: (lane, abort) => openLane(lane, { readPage, journal, claimOf: claimOf(lane) }, abort),
      recover: (lane, abort) =>
        recoverLane(lane, { doubtfulRows: rows.doubtful, readPage, journal, clock, graceEndsAt, onWait }, abort),
      knownPeople: people,
      graceShortMs: target.profile.graceShortMs,
      graceLongMs: target.profile.graceLongMs,
      maxRefusedShare: options.maxRefusedShare,
      clock,
      onProgress: (count) => {
        done = count;
        stage.update({ done, ...timeLeft(pendingCount - done, target) });
      },
      onWait,
      stopping,
      signal,
    });
    closeSettledBatches(store.db, target.id);
    return { requests, stopped };
  } finally {
    stage.finish();
    pace.close();
  }
}

/** What the destination's rate allows, where it is known: true before the first request. */
function timeLeft(messages: number, { profile }: Target): { etaMs?: number } {
  if (profile.importsPerMinute === undefined) return {};
  return { etaMs: (Math.ceil(messages / profile.batchItemsMax) / profile.importsPerMinute) * 60_000 };
}

/** A request, wrapped from the inside: write it down, wait for the pace before that, repeat what may be repeated. */
function destinationOf(
  target: Target,
  journal: Journal,
  pace: Pace,
  counts: RequestCounts,
  { clock, random }: ImportOptions,
  onWait: (ms: number, why: string) => void,
): Destination {
  const service: Destination = {
    async send(batch, signal) {
      const outcome = await target.client.importBatch(
        batch.body,
        batch.rows.map(({ muid }) => muid),
        signal,
      );
      pace.learn('import', outcome.hints);
      return outcome;
    },
  };
  const { duplicates } = target.profile;
  const paced = withPace(withAttemptLog(service, journal, clock), pace, counts);
  return withRetry(paced, { attemptsMax, waitMaxMs, duplicates, clock, random, counts, onWait });
}

/**
 * When (monotonic ms) what an earlier run sent can no longer arrive: the long grace, counted from the latest instant at
 * which its last request can have ended.
 */
function graceAfterKill(store: Store, target: Target, { clock, lockTakenAtMs }: ImportOptions): number {
  const lastMs = lastDoubtfulAttemptMs(store.db, target.id);
  if (lastMs === undefined) return clock.monotonic();
  const endedMs = Math.min(lastMs + requestTimeoutMs, lockTakenAtMs);
  return clock.monotonic() + (endedMs - clock.now()) + target.profile.graceLongMs;
}
