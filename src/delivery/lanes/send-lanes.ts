import type { DestinationError } from '../../lib/errors.ts';
import { type Batch, batchOf } from '../destination.ts';
import type { Sending } from './sending.ts';
import { batchFrom, type BatchLimits, nextBatch } from './batches.ts';
import type { Lane, LaneRow } from '../lanes.ts';
import type { Lanes } from './queue.ts';
import { graceAfterKill } from '../session.ts';
import { recoverLane } from '../read-back.ts';
import { BatchDelivery } from './deliver-batch.ts';
import { laneOpener } from './open-lane.ts';
import { OldBeginning } from './old-beginning.ts';
import { OpenLanes } from './open-lanes.ts';
import { type Piece, Quarantine } from './quarantine.ts';
import { Receipts } from './receipts.ts';
import { keptFromMs } from '../../service/profiles.ts';
import { StopReasons } from './stop-reasons.ts';
import { Suspects } from './suspects.ts';
import { Traffic } from './traffic.ts';
import { sparedBatches } from '../pace/limits.ts';

/**
 * Sends what is pending of all lanes. Its loop alone decides what begins; tasks find out what became of something, and begin nothing. A
 * run is in one of five modes:
 *
 * - **sending**: lanes are opened a little ahead, full batches leave while there are slots, suspects go with them, and quarantined messages
 *   are tried again after each success.
 * - **cautious**: 12 requests in a row were unanswered. No new batch begins, and those that were begun go on, until one succeeds.
 * - **sparing**: something is unanswered, and few batches are left. They are kept for the standstill: each may be the success that is
 *   needed before and after a try.
 * - **at a standstill**: no task is under way, and nothing may begin by itself, since everything was sent, or waits for a success. One batch
 *   leaves that was spared. Without one, a quarantined piece is tried without a success; after a dozen of these lanes go on behind what is
 *   quarantined; if that brought no success either, the run stops.
 * - **stopping**: nothing begins, and what is in flight gets its answer.
 *
 * @returns Why it stopped early, if it did. @throws What kept the store from writing.
 */
export async function sendLanes(
  sending: Sending,
  lanes: Lanes,
  doubtful: readonly Lane[],
): Promise<DestinationError | undefined> {
  const run = createRun(sending, lanes, doubtful.length);
  const { traffic, stops, openLanes, quarantine, delivery, beginning } = run;
  const open = laneOpener(sending, doubtful);
  const recover = laneRecoverer(sending);
  const openLane = async (lane: Lane) => openLanes.add(lane, await open(lane));
  const start = {
    opening: (lane: Lane) => traffic.start('opening', () => openLane(lane)),
    delivering: (batch: Batch) => traffic.start('delivering', () => delivery.deliver(batch)),
    retrying: (piece: Piece) => traffic.start('delivering', () => delivery.retry(piece)),
  };
  const isCautious = () => quarantine.isCautious && !sending.options.oneByOne;
  const isSparing = () => delivery.hasUnanswered && lanes.hasAtMost(sparedBatches * batchLimits(sending).itemsMax);
  for (const lane of doubtful) {
    traffic.start('recovering', async () => {
      lane.pendingCount += await recover(lane);
      await openLane(lane);
    });
  }
  for (;;) {
    const changed = traffic.nextChange();
    if (!stops.isStopping) {
      for (let lane = takeLane(run); lane; lane = takeLane(run)) start.opening(lane);
      if (beginning.takeDue()) traffic.start('delivering', () => beginning.probe());
      for (const piece of quarantine.takeDue()) start.retrying(piece);
      if (!isCautious() && !isSparing() && !beginning.isProbing)
        for (let batch = takeBatch(run); batch; batch = takeBatch(run)) start.delivering(batch);
    }
    if (!traffic.isIdle) {
      await changed;
      continue;
    }
    if (stops.isStopping) return stops.end(openLanes.parked);
    const spared = isCautious() ? undefined : takeBatch(run);
    if (spared) {
      start.delivering(spared);
      continue;
    }
    // Everything that was ready turned out too old to be sent.
    if (lanes.hasClosed && !isCautious()) continue;
    const alone = isCautious() ? undefined : takeSuspects(run);
    if (alone) {
      start.delivering(alone);
      continue;
    }
    const untried = quarantine.takeUntried();
    if (untried) {
      start.retrying(untried);
      continue;
    }
    if (quarantine.goBehind()) continue;
    if (await delivery.quarantineSuspects()) continue;
    if (!quarantine.isEmpty) stops.note(quarantine.error());
    return stops.end(openLanes.parked);
  }
}

type Run = ReturnType<typeof createRun>;

/** The parts of a run: each knows some of those before it. */
function createRun(sending: Sending, lanes: Lanes, doubtfulCount: number) {
  const stops = new StopReasons(sending);
  const traffic = new Traffic(sending, stops);
  const openLanes = new OpenLanes(sending, lanes, traffic, stops);
  const quarantine = new Quarantine(lanes);
  const suspects = new Suspects(quarantine);
  const receipts = new Receipts(sending, { openLanes, quarantine, stops, traffic });
  const laneCount = lanes.closedCount + doubtfulCount;
  const beginning = new OldBeginning({ sending, traffic, stops, receipts, quarantine, lanes, laneCount });
  const delivery = new BatchDelivery({ sending, traffic, stops, receipts, quarantine, suspects, lanes, beginning });
  return { sending, lanes, traffic, stops, openLanes, quarantine, suspects, delivery, beginning };
}

/** Resolves what an earlier run left unconfirmed in a lane. Returns how many of its messages are pending again. */
function laneRecoverer({ store, options, session, records, proof }: Sending): (lane: Lane) => Promise<number> {
  const graceEndsAt = graceAfterKill(store, session.target, options);
  const recovering = { ...session, ...records, proof, graceEndsAt };
  return (lane) => recoverLane(lane, records.rows.doubtful(lane), recovering);
}

/** The next lane to open, longest first, until there is enough to keep every request full. */
function takeLane({ sending, lanes, traffic }: Run): Lane | undefined {
  const { inFlight } = sending.flight;
  const enough = 2 * inFlight.max * batchLimits(sending).itemsMax;
  const isWanted = traffic.count('opening') < inFlight.max && lanes.readyCount < enough;
  return isWanted ? lanes.takeClosed() : undefined;
}

/**
 * Returns the next batch that may leave. Batches leave one at a time until it is proved that messages can be read back,
 * and that the earlier surge of failures is over. A batch below the limits leaves only if no lane can add to it soon:
 * no task is delivering or opening.
 *
 * Suspects go with messages of other lanes. Only if every lane waits for suspects, one goes on behind its own, in the same request.
 */
function takeBatch(run: Run): Batch | undefined {
  const { sending, lanes, traffic, stops, suspects } = run;
  const { proof } = sending;
  const delivering = traffic.count('delivering');
  const hasRoom = proof.isNeeded || stops.isCautious ? delivering === 0 : traffic.hasSlot;
  if (stops.isStopping || !hasRoom) return undefined;
  const limits = batchLimits(sending);
  const mayBePartial = delivering + traffic.count('opening') === 0 && !lanes.hasClosed;
  const readRows = (lane: Lane, limit: number) => youngRows(sending, lanes, lane, limit);
  if (suspects.isEmpty) return nextBatch(lanes, limits, readRows, mayBePartial);
  const controlsMax = suspects.controlsMax(lanes, limits.itemsMax);
  const due = suspects.due(limits);
  if (controlsMax < limits.itemsMax && due.length === 0) return undefined;
  const fresh = nextBatch(lanes, besides(due, limits, controlsMax), readRows, mayBePartial);
  if (fresh) return withSuspects(run, due, fresh);
  if (!mayBePartial || lanes.readyCount > 0) return undefined;
  const passed = suspects.lanesToPass(lanes, limits.itemsMax);
  const before = suspects.due(limits, { passed });
  const behind = batchFrom(passed, lanes, besides(before, limits, controlsMax), readRows);
  return behind && withSuspects(run, before, behind);
}

/** Suspects without others, when nothing else is left to be sent with them. */
function takeSuspects(run: Run): Batch | undefined {
  const due = run.suspects.due(batchLimits(run.sending), { areAlone: true });
  return due.length > 0 ? withSuspects(run, due, batchOf([], 'part')) : undefined;
}

const batchLimits = ({ session, flight }: Sending): BatchLimits => ({
  itemsMax: session.target.profile.batchItemsMax,
  bytesMax: flight.byteLimit.max,
});

/** The rest of the limits, for new messages. */
const besides = (suspects: readonly LaneRow[], { itemsMax, bytesMax }: BatchLimits, countMax: number): BatchLimits => ({
  itemsMax: Math.min(countMax, itemsMax - suspects.length),
  bytesMax: bytesMax - suspects.reduce((sum, { bytes }) => sum + bytes + 1, 0),
});

function withSuspects({ lanes, suspects }: Run, due: readonly LaneRow[], { rows, kind }: Batch): Batch {
  suspects.noteSent(due);
  lanes.takeBack(due);
  return batchOf([...due, ...rows], kind);
}

/** Those that are young enough still: waiting for their turn may have taken days. */
function youngRows(sending: Sending, lanes: Lanes, lane: Lane, limit: number): LaneRow[] {
  for (;;) {
    const found = sending.records.rows.next(lane, limit);
    const count = refuseTooOld(sending, found);
    if (count === 0) return sending.outsiders.upToFirst(lane, found);
    lanes.leaveOut(lane, count);
    sending.session.advance(count);
  }
}

/** Refuses those of the rows that are too old for the destination by now. @returns How many. */
function refuseTooOld({ store, options, session, records }: Sending, rows: readonly LaneRow[]): number {
  const { id, profile } = session.target;
  const { retentionDays } = profile.limits;
  if (retentionDays === undefined) return 0;
  const keptFrom = keptFromMs(session.clock.now(), retentionDays);
  const old = rows.filter(({ sentAtMs }) => sentAtMs < keptFrom).map(({ seq }) => seq);
  if (old.length > 0) store.failures.refuseTooOld(id, options.runId, old);
  records.journal.noteFailed(old.length);
  return old.length;
}
