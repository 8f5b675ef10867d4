import type { StoredObject } from '../../store/media.ts';
import type { DestinationError } from '../../lib/errors.ts';
import { inParallel } from '../../lib/flow/in-parallel.ts';
import type { MediaLocation } from '../../media/media-location.ts';
import { tryAgain } from '../../media/try-again.ts';
import { makePayloads } from '../../media/make-payloads.ts';
import { rememberedMedia } from '../../media/media-rules.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { inSession, withDefaults } from '../session.ts';
import { type MediaRequest, neededRules } from './copy-files.ts';
import { atLocation, unusableOr } from './media/location.ts';

/** Files that would be deleted, and those that would not. */
export interface PlannedRemoval {
  readonly location: string;
  /** Files that we wrote there. */
  readonly files: number;
  readonly bytes: number;
  /** Files that were there before Chatferry. */
  readonly others: number;
  /** Messages at a destination whose files they are: people will not be able to open them any more. */
  readonly messages: number;
}

export interface UndoMediaRequest extends MediaRequest {
  /** Asked before the first file is deleted; `false` ends it. */
  readonly confirm: (planned: PlannedRemoval) => Promise<boolean>;
}

export interface RemovedFiles extends PlannedRemoval {
  readonly removed: number;
  /** Files left alone because they have other content by now. */
  readonly changed: number;
  readonly stopped: DestinationError | undefined;
  readonly exit: number;
}

/**
 * Deletes the files that copying wrote: those whose intent is in the store and whose content is still what was written.
 * Messages that were not sent yet wait until their files are copied again.
 *
 * @throws UsageError, StoreError. A fault of the location is an outcome.
 */
export async function undoFiles(given: UndoMediaRequest): Promise<RemovedFiles> {
  const request = withDefaults(given);
  return await inSession(request, 'media undo', async ({ store, clock }) => {
    const rules = neededRules(request, rememberedMedia(store));
    const { env = process.env, stopping, progress, confirm, drift = 'report' } = request;
    return await atLocation(rules, env, async (location) => {
      const checks = store.media.objectChecks();
      const planned = { location: location.name, ...checks.removable(location.name) };
      if (planned.files > 0 && !(await confirm(planned)))
        return { ...planned, removed: 0, changed: 0, stopped: undefined, exit: exitCodes.usage };
      const stage = progress.stage('Deleting files', { total: planned.files });
      let [removed, changed] = [0, 0];
      const remove = async (object: StoredObject) => {
        const isGone = await tryAgain((cut) => removeOurs(object, location, cut), request);
        if (isGone) await store.commits.commit(() => checks.removed(object.id));
        if (isGone) removed++;
        else changed++;
        stage.update({ done: removed + changed, total: planned.files });
      };
      const stopped = await inParallel(store.media.ourObjects(location.name), rules.concurrency, remove, stopping).then(
        () => undefined,
        unusableOr('delete files'),
      );
      stage.finish();
      store.media.reopenRemoved();
      makePayloads(store, { missing: 'wait', drift, nowMs: clock.now(), dataBytesMax: undefined });
      const isLeft = stopped !== undefined || stopping.aborted;
      return { ...planned, removed, changed, stopped, exit: isLeft ? exitCodes.stopped : exitCodes.done };
    });
  });
}

/** @returns Whether nothing of ours is there any more. */
async function removeOurs(
  { key, sha256, sizeBytes }: StoredObject,
  location: MediaLocation,
  signal: AbortSignal,
): Promise<boolean> {
  const stored = await location.head(key, signal);
  if (!stored) return true;
  if (stored.sizeBytes !== sizeBytes || (stored.sha256 ?? sha256) !== sha256) return false;
  await location.remove(key, signal);
  return true;
}
