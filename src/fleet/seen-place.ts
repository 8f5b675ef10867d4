import { sha256Hex } from '../lib/hash.ts';
import type { MediaLocation } from '../media/media-location.ts';
import type { DatabasePlace } from './database/epoch.ts';
import type { SeenPlace } from './worker-options.ts';

const key = 'seen-database.json';
const bytesMax = 4096;

/** How far the database was seen to be, at the fleet's files: also where every worker is gone, a database that was restored is noticed. */
export function seenAt(location: MediaLocation, signal: AbortSignal): SeenPlace {
  return {
    async read() {
      if (!(await location.head(key, signal))) return undefined;
      let text = '';
      for await (const chunk of location.read(key, signal)) {
        text += Buffer.from(chunk).toString('utf8');
        if (text.length > bytesMax) return undefined;
      }
      const { flushed, ...place } = JSON.parse(text) as Omit<DatabasePlace, 'flushed'> & { readonly flushed: string };
      return { ...place, flushed: BigInt(flushed) };
    },
    async write({ systemId, timeline, epoch, flushed }) {
      const text = JSON.stringify({ systemId, timeline, epoch, flushed: flushed.toString() });
      const bytes = Buffer.from(text);
      await location.put(
        key,
        {
          sizeBytes: bytes.length,
          sha256: sha256Hex(text),
          contentType: 'application/json',
          disposition: '',
          async *open(from = 0, to = bytes.length) {
            yield bytes.subarray(from, to);
          },
        },
        signal,
      );
    },
  };
}
