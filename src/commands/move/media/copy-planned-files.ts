import type { Store } from '../../../store/open.ts';
import { keepHeapSmall } from '../../../lib/small-heap.ts';
import type { MediaRules } from '../../../mapping/rules.ts';
import type { DriftPolicy } from '../../../model/change.ts';
import { copyMedia, type CopyResult } from '../../../media/copy-media.ts';
import { dropAllParts } from '../../../media/drop-old-parts.ts';
import { openFetcher } from '../../../media/fetcher.ts';
import { makePayloads } from '../../../media/make-payloads.ts';
import { rememberMedia } from '../../../media/media-rules.ts';
import { atLocation } from './location.ts';
import type { Reach } from '../../requests.ts';
import type { RunControls } from '../../../lib/flow/run-controls.ts';

export interface CopyFilesOptions extends RunControls, Reach {
  readonly media: MediaRules;
  /** The environment, which may hold the keys of a bucket. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly drift?: DriftPolicy | undefined;
  readonly dataBytesMax?: number | undefined;
}

/**
 * Copies the files of planned messages, and writes their new addresses into the payloads.
 *
 * @throws UsageError if the location cannot be used as given.
 */
export async function copyPlannedFiles(store: Store, options: CopyFilesOptions): Promise<CopyResult> {
  const { media, clock } = options;
  return await atLocation(media, options.env, async (location) => {
    keepHeapSmall();
    rememberMedia(store, media);
    const folder = partsFolder(store.path);
    const fetcher = openFetcher({
      ...options,
      rules: media,
      sources: [store.facts.read('source') ?? ''],
      folder,
    });
    let isDone = false;
    try {
      const copied = await copyMedia(store, { ...options, rules: media, location, fetcher });
      // Files of an interrupted run wait; only files that were tried are decided.
      const isCut = copied.stopped !== undefined || options.stopping.aborted;
      const missing = isCut ? 'wait' : media.missing;
      const { drift = 'report', dataBytesMax } = options;
      makePayloads(store, { missing, drift, nowMs: clock.now(), dataBytesMax });
      const sums = store.media.sums();
      isDone = sums.waiting === 0;
      return { ...copied, sums };
    } finally {
      await fetcher.close();
      if (isDone) dropAllParts(folder);
    }
  });
}

/** Returns the folder for files while they are fetched: next to the store, and removed once they are copied. */
const partsFolder = (store: string): string => `${store.replace(/\.db$/, '')}.fetching`;
