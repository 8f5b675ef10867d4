/** The same bytes, not a copy. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Returns the first `byteCount` bytes of a stream. Bytes before a fault are enough: the code that reads the file meets the fault again. */
export async function firstBytes(chunks: AsyncIterable<Uint8Array>, byteCount: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let count = 0;
  try {
    for await (const chunk of chunks) {
      pieces.push(chunk);
      count += chunk.length;
      if (count >= byteCount) break;
    }
  } catch (error) {
    if (count === 0) throw error;
  }
  return Buffer.concat(pieces).subarray(0, byteCount);
}

/** A whole stream as one buffer; nothing if it has more than `bytesMax` bytes. */
export async function allBytes(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    count += chunk.length;
    if (count > bytesMax) return undefined;
  }
  return Buffer.concat(pieces);
}
