import { createHash } from 'node:crypto';
import type { MediaContent } from '../../src/media/media-location.ts';

/** A file as it is put somewhere. `chunkBytes` are handed out at once. */
export function contentOf(bytes: Uint8Array, changes: Partial<MediaContent> = {}, chunkBytes = 1000): MediaContent {
  return {
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    contentType: 'image/png',
    disposition: `inline; filename="a b.png"; filename*=UTF-8''a%20b.png`,
    async *open() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
    ...changes,
  };
}

/** Bytes that are the same in every run, and different for each seed. */
export function someBytes(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0, state = seed; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

export async function allOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Never aborted. */
export const noSignal: AbortSignal = new AbortController().signal;
