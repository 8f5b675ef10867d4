import { createHash } from 'node:crypto';
import { missingFile, type StoredObject } from '../../store/media.ts';
import { inParallel } from '../../lib/flow/in-parallel.ts';
import type { MediaLocation } from '../../media/media-location.ts';
import { tryAgain, type TryOptions } from '../../media/try-again.ts';
import { rememberedMedia } from '../../media/media-rules.ts';
import { errorExitCode, exitCodes } from '../../model/exit-codes.ts';
import { inSession, withDefaults } from '../session.ts';
import { neededRules } from './copy-files.ts';
import { atLocation, unusableOr } from './media/location.ts';
import type { VerifyMediaRequest } from '../requests.ts';
import type { VerifiedFiles } from '../results.ts';

const listedMax = 100;

export async function verifyFiles(given: VerifyMediaRequest): Promise<VerifiedFiles> {
  const request = withDefaults(given);
  return await inSession(request, 'media verify', async ({ store, clock }) => {
    const rules = neededRules(request, rememberedMedia(store));
    const { env = process.env, sample, random, progress, stopping } = request;
    return await atLocation(rules, env, async (location) => {
      const stage = progress.stage('Reading files back');
      const { objects } = store.media;
      const differences: VerifiedFiles['differences'][number][] = [];
      let [same, bytes, differenceCount] = [0, 0, 0];
      const check = async (object: StoredObject) => {
        const fault = await faultOf(object, location, request);
        await store.commits.commit(() => objects.noteChecked(object.id, fault ?? null, clock.now()));
        if (fault === undefined) [same, bytes] = [same + 1, bytes + object.sizeBytes];
        else if (++differenceCount <= listedMax) differences.push({ key: object.key, what: fault });
        stage.update({ done: same + differenceCount });
      };
      const all = objects.stored(location.name);
      const chosen = sample === undefined ? all : sampleOf(all, sample, random);
      const stopped = await inParallel(chosen, rules.concurrency, check, stopping).then(
        () => undefined,
        unusableOr('read files back'),
      );
      stage.finish();
      const files = objects.countStored(location.name);
      const whole = differenceCount > 0 ? exitCodes.differences : exitCodes.done;
      const exit = stopped ? errorExitCode(stopped) : stopping.aborted ? exitCodes.stopped : whole;
      return { location: location.name, same, bytes, files, differences, differenceCount, stopped, exit };
    });
  });
}

/** Returns the fault of a file, if it has one. @throws MediaFault if that cannot be determined. */
async function faultOf(
  { key, sha256, sizeBytes }: StoredObject,
  location: MediaLocation,
  tries: TryOptions,
): Promise<string | undefined> {
  const stored = await tryAgain((cut) => location.head(key, cut), tries);
  if (!stored) return missingFile;
  if (stored.sizeBytes !== sizeBytes) return `it has ${stored.sizeBytes} bytes instead of ${sizeBytes}`;
  const found = await tryAgain(async (cut) => {
    const hash = createHash('sha256');
    for await (const chunk of location.read(key, cut)) hash.update(chunk);
    return hash.digest('hex');
  }, tries);
  return found === sha256 ? undefined : 'its content is another';
}

/** So many of them, each as likely as any other. */
function sampleOf<T>(items: Iterable<T>, size: number, random: () => number): T[] {
  const chosen: T[] = [];
  let seen = 0;
  for (const item of items) {
    const place = seen < size ? seen : Math.floor(random() * (seen + 1));
    if (place < size) chosen[place] = item;
    seen++;
  }
  return chosen;
}
