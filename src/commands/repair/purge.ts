import { formatCount } from '../../lib/text/count.ts';
import { statSync } from 'node:fs';
import type { DestinationRow } from '../../store/destinations.ts';
import { openStore, type Store } from '../../store/open.ts';
import { StoreError, UsageError } from '../../lib/errors.ts';
import { toStoreError } from '../../lib/sqlite.ts';
import { profiles } from '../../service/profiles.ts';
import { contentDigest, sentMessage } from '../../delivery/compare.ts';
import { expectedLanes } from '../../delivery/lanes.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { knownDestination } from '../../delivery/target.ts';
import type { Complete, PurgeRequest } from '../requests.ts';
import { withDefaults } from '../session.ts';
import type { PurgePlan, PurgeResult } from '../results.ts';

export async function purge(given: PurgeRequest): Promise<PurgeResult> {
  const request = withDefaults(given);
  const { clock } = request;
  const store = openStore(request.store, { command: 'purge', nowMs: clock.now() });
  try {
    const destination = destinationOf(store, request);
    const plan = { ...store.checks.purge.choose(destination.id), destination: destination.name };
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
    throw toStoreError(error, request.store) ?? error;
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

function wipe(store: Store, request: Complete<PurgeRequest>): void {
  const { path } = store;
  store.facts.write('contentPurged', 'yes');
  const stage = request.progress.stage('Purging');
  let done = 0;
  store.checks.purge.overwriteDeleted();
  for (const destination of store.destinations.ids()) {
    digestSent(store, destination, request.stopping, (count) => {
      done += count;
      stage.update({ done });
    });
  }
  request.stopping.throwIfAborted();
  store.checks.purge.purgeStaged();
  store.actions.purgeReactions();
  store.checks.purge.rewriteFile(path);
  stage.finish();
}

/** For each message that is to be purged, what a destination has of it as a digest. */
function digestSent(
  store: Store,
  destination: number,
  stopping: AbortSignal,
  onProgress: (count: number) => void,
): void {
  const { purge } = store.checks;
  // How times and details are spelt makes no difference to what is compared.
  const expected = expectedLanes(store, { id: destination, profile: profiles.spec });
  for (const found of store.lanes.toPurge(destination)) {
    const lane = expected.laneOf(found);
    for (const rows of store.checks.purge.rows(destination, lane.conversation)) {
      stopping.throwIfAborted();
      purge.purgeSent(
        destination,
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
