import { formatCount } from '../../lib/text/count.ts';
import { statSync } from 'node:fs';
import type { DestinationRow } from '../../store/destinations.ts';
import type { Purgeable } from '../../store/repair.ts';
import { openStore, type Store } from '../../store/open.ts';
import { StoreError, UsageError } from '../../lib/errors.ts';
import { storeErrorOf } from '../../lib/sqlite.ts';
import { profiles } from '../../service/profiles.ts';
import { contentDigest, sentMessage } from '../../delivery/compare.ts';
import { expectedLanes } from '../../delivery/lane-rows.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { RunControls } from '../session.ts';
import { knownDestination, type TargetOptions } from '../../delivery/target.ts';

export interface PurgeRequest extends Pick<RunControls, 'clock' | 'progress' | 'stopping'> {
  readonly store: string;
  /** The destination whose verify counts; that of the last import without it. */
  readonly target?: TargetOptions | undefined;
  /** Receives the messages that would be purged; `false` leaves everything as it is. */
  readonly confirm: (what: PurgePlan) => Promise<boolean>;
}

export interface PurgePlan extends Purgeable {
  readonly destination: string;
}

export interface PurgeResult {
  readonly plan: PurgePlan;
  /** Messages whose content is gone. */
  readonly purged: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly exit: number;
}

/**
 * Wipes the content of messages that are at the destination, and were verified there since their last change. Digests stay
 * in its place: verify goes on comparing. Can be interrupted; the same command continues.
 *
 * @throws UsageError, StoreError
 */
export async function purge(request: PurgeRequest): Promise<PurgeResult> {
  const { clock } = request;
  const store = openStore(request.store, { command: 'purge', nowMs: clock.now() });
  try {
    const destination = destinationOf(store, request);
    const plan = { ...store.repair.choosePurgeable(destination.id), destination: destination.name };
    // If a purge was interrupted at its end, the file still has to be rewritten.
    const hasBegun = store.facts.read('contentPurged') !== undefined;
    if (plan.messages === 0 && plan.unverified > 0 && !hasBegun) throw unverified(plan);
    const bytesBefore = statSync(store.path).size;
    if (!(await request.confirm(plan))) {
      return { plan, purged: 0, bytesBefore, bytesAfter: bytesBefore, exit: exitCodes.usage };
    }
    wipe(store, request);
    return { plan, purged: plan.messages, bytesBefore, bytesAfter: statSync(store.path).size, exit: exitCodes.done };
  } catch (error) {
    throw storeErrorOf(error, request.store) ?? error;
  } finally {
    store.close();
  }
}

function destinationOf(store: Store, { target, store: path }: PurgeRequest): Pick<DestinationRow, 'id' | 'name'> {
  const found = target ? knownDestination(store, target) : store.destinations.latest();
  if (found) return found;
  throw new StoreError(`Cannot purge anything: nothing of "${path}" was sent there yet`, {
    path,
    hint: 'Run "chatferry import EXPORT" and "chatferry verify" first',
  });
}

function wipe(store: Store, request: PurgeRequest): void {
  const { path } = store;
  store.facts.write('contentPurged', 'yes');
  const stage = request.progress.stage('Purging');
  let done = 0;
  store.repair.overwriteDeleted();
  for (const destination of store.destinations.ids()) {
    digestSent(store, destination, request.stopping, (count) => {
      done += count;
      stage.update({ done });
    });
  }
  request.stopping.throwIfAborted();
  store.repair.purgeStaged();
  store.repair.purgeReactions();
  store.repair.rewriteFile(path);
  stage.finish();
}

/** For each message that is to be purged, what a destination has of it as a digest. */
function digestSent(
  store: Store,
  destination: number,
  stopping: AbortSignal,
  onProgress: (count: number) => void,
): void {
  const purge = store.repair.purgeSent(destination);
  // How times and details are spelt makes no difference to what is compared.
  const expected = expectedLanes(store, { id: destination, profile: profiles.spec });
  for (const found of store.repair.purgeableLanes(destination)) {
    const lane = expected.laneOf(found);
    for (const rows of store.repair.purgeableRows(destination, lane.conversation)) {
      stopping.throwIfAborted();
      purge(
        rows.flatMap(({ seq, muid }) => {
          const row = expected.byMuid(lane, muid)?.row;
          return row ? { seq, digest: contentDigest(sentMessage(muid, row.wire)) } : [];
        }),
      );
      onProgress(rows.length);
    }
  }
}

const unverified = ({ unverified: count, destination }: PurgePlan) =>
  new UsageError(
    `Cannot purge anything: none of the ${formatCount(count)} messages at ${destination} was verified without differences since it was sent`,
    { hint: 'Run "chatferry verify" first; it must find no differences in their conversations' },
  );
