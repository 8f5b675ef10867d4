import { mediaSums } from '../../checkpoint/media/media-files.ts';
import { readMeta } from '../../checkpoint/base/meta.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import type { MediaRules } from '../../mapping/rules/media.ts';
import type { DriftPolicy } from '../../model/change.ts';
import { copyMedia, type CopyResult } from '../../media/copy-media.ts';
import { openFetcher } from '../../media/fetch/fetcher.ts';
import { makePayloads } from '../../media/make-payloads.ts';
import { rememberMedia } from '../../media/media-rules.ts';
import type { Surroundings } from '../session.ts';
import { atLocation } from './location.ts';

export interface CarryOptions extends Surroundings {
  readonly media: MediaRules;
  /** The environment: keys of a bucket may stand there. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly drift?: DriftPolicy | undefined;
  readonly dataBytesMax?: number | undefined;
}

/**
 * Copies the files of planned messages, and writes their new addresses into the payloads.
 *
 * @throws UsageError where the location cannot be used as it is given.
 */
export async function carryFiles(store: Store, options: CarryOptions): Promise<CopyResult> {
  const { media, clock } = options;
  return await atLocation(media, options.env, async (location) => {
    rememberMedia(store.db, media);
    const fetcher = openFetcher({
      ...options,
      rules: media,
      sources: [readMeta(store.db, 'source') ?? ''],
      folder: partsFolder(store.path),
    });
    try {
      const copied = await copyMedia(store, { ...options, rules: media, location, fetcher });
      // What is interrupted waits; only what was tried is decided upon.
      const isCut = copied.stopped !== undefined || options.stopping.aborted;
      const missing = isCut ? 'wait' : media.missing;
      const { drift = 'report', dataBytesMax } = options;
      makePayloads(store, { missing, drift, nowMs: clock.now(), dataBytesMax });
      return { ...copied, sums: mediaSums(store.db) };
    } finally {
      await fetcher.close();
    }
  });
}

/** Where files are while they are fetched: beside the store, and gone once they were copied. */
const partsFolder = (store: string): string => `${store.replace(/\.db$/, '')}.fetching`;
