import { destinationFacts, type DestinationFacts, learnDestination } from '../checkpoint/base/destinations.ts';
import { Journal } from '../checkpoint/delivery/journal.ts';
import { assertContentKept } from '../checkpoint/repair/forget-content.ts';
import { refuseLateOutsiders, refuseLateParts, refuseTooLate } from '../checkpoint/delivery/refuse-late.ts';
import { closeSettledBatches, sinceDoubtfulAttemptMs } from '../checkpoint/delivery/pending-lanes.ts';
import { dropVoidFollowUps } from '../checkpoint/staging/follow-ups.ts';
import { knownPeople } from '../checkpoint/staging/people.ts';
import type { Store } from '../checkpoint/base/store.ts';
import { hasOpenUndo } from '../checkpoint/repair/undo.ts';
import type { Clock } from '../lib/clock.ts';
import { DestinationError } from '../lib/errors.ts';
import type { LatePolicy } from '../model/change.ts';
import { AdaptiveConcurrency } from './pace/adaptive-concurrency.ts';
import { ByteLimit } from './lanes/byte-limit.ts';
import { differingFields, sentMessage } from './read-back/compare.ts';
import { noRequests, type RequestCounts } from './pace/destination.ts';
import { deliver, type DeliverOptions } from './lanes/deliver.ts';
import { laneRowsReader } from './lanes/lane-rows.ts';
import { type Lane, Lanes, loadLanes } from './lanes/lanes.ts';
import { type Claim, groupExistsReader, openLane } from './lanes/open-lane.ts';
import { ReadBackProof } from './read-back/read-back-proof.ts';
import { createReader } from './read-back/read-back.ts';
import { recoverLane } from './lanes/recover.ts';
import { refusingLate } from './lanes/refuse-late.ts';
import { createAsk } from './read-back/ask.ts';
import { notePeople } from './note-people.ts';
import type { Progress } from '../lib/progress.ts';
import { attemptsMax, breakerOf, destinationOf } from './sending-line.ts';
import type { Target } from './target.ts';
import { timeLeft } from './time-left.ts';

export interface ImportOptions {
  readonly runId: number;
  /** When this process took the store: nothing of an earlier one can still be sent after it, but may still be applied. */
  readonly lockTakenAtMs: number;
  readonly concurrency: number;
  /** When people's and groups' details travel with a message. */
  readonly details: 'until-known' | 'always' | 'never';
  readonly maxRefusedShare: number;
  /** What is done with new messages that are older than what is there already. Default: sent, and counted as late. */
  readonly late?: LatePolicy | undefined;
  /** Asks the destination about people before their first message, so that an undo may deactivate those it did not have. */
  readonly notePeople?: boolean;
  /** Sends nothing but what `chooseMessages` named; everything else that is pending stays so. */
  readonly chosenOnly?: boolean;
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

/** The total deadline of a request: after it nothing of it is still on its way from us. */
const requestTimeoutMs = 90_000;

/**
 * Sends what is pending at the target. Whatever an earlier run left there without an answer is found out first.
 *
 * @throws StoreError if the store cannot write; everything else that can happen to a request is an outcome.
 */
export async function sendPending(store: Store, target: Target, options: ImportOptions): Promise<ImportResult> {
  const { clock, random, progress, details, signal, stopping, chosenOnly = false } = options;
  const { profile } = target;
  const requests = noRequests();
  assertContentKept(store.db, target.id);
  refuseLateOutsiders(store.db, target.id, options.runId);
  refuseLateParts(store.db, target.id, options.runId);
  dropVoidFollowUps(store.db, target.id);
  if (options.late === 'refuse') refuseTooLate(store.db, target.id, options.runId);
  const { clear, doubtful, pendingCount } = loadLanes(store, target.id, chosenOnly);
  if (pendingCount === 0) return { requests, stopped: undefined };
  if (hasOpenUndo(store.db, target.id)) return { requests, stopped: undoUnfinished(target) };

  const stage = progress.stage('Sending', { total: pendingCount });
  let done = 0;
  const left = timeLeft({ total: pendingCount, forecastMs: forecastMs(pendingCount, target), clock });
  stage.update({ done, ...left(done) });
  const onWait = (ms: number, why: string) => stage.update({ done, ...left(done), waiting: why, waitMs: ms });
  const pace = target.openPace(onWait);
  try {
    const people = knownPeople(store.db, target.id);
    const rows = laneRowsReader(store, {
      ...profile,
      destination: target.id,
      details,
      knownPeople: people,
      chosenOnly,
    });
    const journal = new Journal(store, target.id, options.runId, options.late === 'allow');
    const facts = destinationFacts(store.db, target.id);
    const learn = (news: DestinationFacts) => learnDestination(store.db, target.id, news);
    const giveUp = new AbortController();
    const pausing = AbortSignal.any([stopping, signal, giveUp.signal]);
    const line = { target, pace, clock, random, counts: requests, onWait, pausing };
    const breaker = breakerOf(line);
    const concurrency = new AdaptiveConcurrency(options.concurrency);
    const asking = { ...line, attemptsMax, breaker };
    const readPage = createReader({ list: (query, abort) => target.client.listMessages(query, abort), ...asking });
    const ask = createAsk(asking);
    const groupExists = groupExistsReader(target.client, ask);
    if (options.notePeople) await notePeople(store, target, { ...options, ask });
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
    const { duplicates, graceShortMs, graceLongMs, batchItemsMax, batchBytesMax } = profile;
    const proof = new ReadBackProof({
      known: target.isEmbedded ? 'key' : facts.shownBy,
      isWanted: profile.readBack ?? true,
      destination: target.name,
      duplicates,
      readPage,
      graceMs: graceLongMs,
      clock,
      onWait,
      pausing,
      onLearn: (shownBy) => learn({ shownBy }),
    });
    const waiting = { clock, graceMs: graceShortMs, onWait, pausing };
    const recovering = { doubtfulRows: rows.doubtful, readPage, journal, clock, onWait, proof, duplicates, pausing };
    const graceEndsAt = graceAfterKill(store, target, options);
    const open: DeliverOptions['open'] = (lane, abort) =>
      openLane(
        lane,
        { readPage, journal, claimOf: claimOf(lane), groupExists, onShown: (by) => proof.note(by), ...waiting },
        abort,
      );
    // A retry sends what it was asked for.
    const refusesLate = options.late === 'refuse' && !chosenOnly;
    const refusing = { store, destination: target.id, run: options.runId, doubtful };
    const stopped = await deliver({
      lanes: new Lanes(clear),
      doubtful,
      itemsMax: batchItemsMax,
      byteLimit: new ByteLimit(Math.min(batchBytesMax, facts.batchBytesMax ?? Number.POSITIVE_INFINITY), (bytes) =>
        learn({ batchBytesMax: bytes }),
      ),
      concurrency,
      readRows: rows.next,
      destination: destinationOf({ ...line, journal, concurrency, breaker }),
      readPage,
      journal,
      open: refusesLate ? refusingLate(open, refusing) : open,
      recover: (lane, abort) => recoverLane(lane, { ...recovering, graceEndsAt }, abort),
      proof,
      knownPeople: people,
      duplicates,
      graceShortMs,
      graceLongMs,
      maxRefusedShare: options.maxRefusedShare,
      clock,
      random,
      onProgress: (count) => {
        done = count;
        stage.update({ done, ...left(done) });
      },
      onWait,
      pausing,
      onFailure: (reason) => giveUp.abort(reason),
      signal,
    });
    closeSettledBatches(store.db, target.id);
    return { requests, stopped };
  } finally {
    stage.finish();
    pace.close();
  }
}

/** A request to delete that may still be applied would take what is sent now with it. */
export const undoUnfinished = ({ name }: Target) =>
  new DestinationError(
    `Cannot send to ${name}: an undo there was interrupted, and may still take away what is sent now`,
    {
      code: 'undo-unfinished',
      hint: 'Run "chatferry undo" first: it finds out what is gone',
    },
  );

/** What the destination's rate allows, where it is known: true before the first request. */
function forecastMs(messages: number, { profile }: Target): number | undefined {
  if (profile.importsPerMinute === undefined) return undefined;
  return (Math.ceil(messages / profile.batchItemsMax) / profile.importsPerMinute) * 60_000;
}

/**
 * When (monotonic ms) what an earlier run sent can no longer arrive: the long grace, counted from the latest instant at
 * which its last request can have ended.
 */
function graceAfterKill(store: Store, target: Target, { clock, lockTakenAtMs }: ImportOptions): number {
  const nowMs = clock.now();
  const sinceMs = sinceDoubtfulAttemptMs(store.db, target.id, { nowMs, uptimeMs: clock.uptime() });
  if (sinceMs === undefined) return clock.monotonic();
  const sinceLockMs = Math.min(Math.max(nowMs - lockTakenAtMs, 0), sinceMs);
  const endedMs = Math.max(sinceMs - requestTimeoutMs, sinceLockMs);
  return clock.monotonic() - endedMs + target.profile.graceLongMs;
}
