import { MediaFault, type MediaLocation } from '../media-location.ts';
import { tryAgain, type TryOptions } from '../try-again.ts';

/** Keys that are remembered at most, some 150 bytes each: beyond, each is asked for by itself. */
const rememberedMax = 100_000;

/**
 * What stood at a location before a run began: listed once, so that not every file has to be asked for before it is written.
 *
 * @returns Tells whether something may stand under a key.
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
    // A long list is many requests, and one of them always fails where a place is shaky: each file is asked for by itself then.
    if (error instanceof MediaFault && error.kind === 'again') return undefined;
    throw error;
  });
  return standing ? (key) => standing.has(key) : () => true;
}
