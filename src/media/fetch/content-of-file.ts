import { closeSync } from 'node:fs';
import { chunksAt, openRegularFile } from '../../io/input/regular-file.ts';
import type { FetchedContent } from './fetched.ts';

const chunkBytes = 256 * 1024;

/** A whole file on this disk that nobody else writes. `open` throws where it is shorter than it was. */
export function contentOfFile(path: string, sizeBytes: number): Pick<FetchedContent, 'sizeBytes' | 'open'> {
  return {
    sizeBytes,
    async *open(from = 0, to = sizeBytes) {
      const { fd } = openRegularFile(path);
      try {
        let position = from;
        for await (const chunk of chunksAt(fd, from, to, chunkBytes)) {
          position += chunk.length;
          yield chunk;
        }
        if (position < Math.min(to, sizeBytes))
          throw new Error('A file that was fetched became shorter before it was copied');
      } finally {
        closeSync(fd);
      }
    },
  };
}
