import { MediaFault, type MediaLocation } from '../media-location.ts';
import { tryAgain, type TryOptions } from '../try-again.ts';

/** Keys that are remembered at most, some 150 bytes each: beyond, each is asked for by itself. */
const rememberedMax = 100_000;

/**
 * Lists the keys at a location once, before a run begins, so that not every file has to be checked before it is
 * written.
 *
 * @returns A function that returns whether something may be stored under a key.
 */
export async function standingKeys(location: MediaLocation, options: TryOptions): Promise<(key: string) => boolean> {
  const standing = await tryAgain(async (signal) => {
    const found = new Set<string>();
    for await (const key of location.keys(signal)) {
      found.add(key);
      if (found.size > rememberedMax) return undefined;
    }
    return found;
  }, options).catch((error: unknown) => {
    // A long list takes many requests, and at an unreliable location one of them always fails. Each file is then
    // checked by itself.
    if (error instanceof MediaFault && error.kind === 'again') return undefined;
    throw error;
  });
  return standing ? (key) => standing.has(key) : () => true;
}
