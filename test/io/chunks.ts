/** The bytes in chunks of `size`. */
export async function* inChunks(bytes: string | Uint8Array, size = 1 << 16): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}
