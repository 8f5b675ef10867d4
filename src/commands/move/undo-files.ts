import type { StoredObject } from '../../store/media.ts';
import { inParallel } from '../../lib/flow/in-parallel.ts';
import type { MediaLocation } from '../../media/media-location.ts';
import { tryAgain } from '../../media/try-again.ts';
import { makePayloads } from '../../media/make-payloads.ts';
import { rememberedMedia } from '../../media/media-rules.ts';
import { errorExitCode, exitCodes } from '../../model/exit-codes.ts';
import { inSession, withDefaults } from '../session.ts';
import { neededRules } from './copy-files.ts';
import { atLocation, unusableOr } from './media/location.ts';
import type { UndoMediaRequest } from '../requests.ts';
import type { RemovedFiles } from '../results.ts';

export async function undoFiles(given: UndoMediaRequest): Promise<RemovedFiles> {
  const request = withDefaults(given);
  return await inSession(request, 'media undo', async ({ store, clock }) => {
    const rules = neededRules(request, rememberedMedia(store));
    const { env = process.env, stopping, progress, confirm, drift = 'report' } = request;
    return await atLocation(rules, env, async (location) => {
      const { objects } = store.media;
      const planned = { location: location.name, ...objects.countRemovable(location.name) };
      if (planned.files > 0 && !(await confirm(planned)))
        return { ...planned, removed: 0, changed: 0, stopped: undefined, exit: exitCodes.usage };
      const stage = progress.stage('Deleting files', { total: planned.files });
      let [removed, changed] = [0, 0];
      const remove = async (object: StoredObject) => {
        const isGone = await tryAgain((cut) => removeOurs(object, location, cut), request);
        if (isGone) await store.commits.commit(() => objects.noteRemoved(object.id));
        if (isGone) removed++;
        else changed++;
        stage.update({ done: removed + changed, total: planned.files });
      };
      const stopped = await inParallel(objects.ours(location.name), rules.concurrency, remove, stopping).then(
        () => undefined,
        unusableOr('delete files'),
      );
      stage.finish();
      store.media.reopenRemoved();
      makePayloads(store, { missing: 'wait', drift, nowMs: clock.now(), dataBytesMax: undefined });
      const exit = stopped ? errorExitCode(stopped) : stopping.aborted ? exitCodes.stopped : exitCodes.done;
      return { ...planned, removed, changed, stopped, exit };
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
