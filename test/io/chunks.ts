/** Yields the bytes in chunks of `size`. Each is overwritten when the next one is requested: callers must not keep it. */
export async function* inChunks(bytes: string | Uint8Array, size = 1 << 16): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += size) {
    const chunk = Buffer.from(all.subarray(at, at + size));
    yield chunk;
    chunk.fill('#');
  }
}
