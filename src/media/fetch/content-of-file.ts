import { closeSync } from 'node:fs';
import { chunksAt, openRegularFile } from '../../io/input/regular-file.ts';
import type { FetchedContent } from './fetched.ts';

const chunkBytes = 256 * 1024;

type Open = FetchedContent['open'];

/** Reads a whole file on this disk that nobody else writes. Throws where it is shorter than it was. */
export function readsFile(path: string, sizeBytes: number): Open {
  return async function* open(from = 0, to = sizeBytes) {
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
  };
}

export function readsMemory(bytes: Uint8Array): Open {
  return async function* open(from = 0, to = bytes.length) {
    if (from < Math.min(to, bytes.length)) yield bytes.subarray(from, to);
  };
}
