import zlib from 'node:zlib';
import type { Compressors } from 'hyparquet';

/** Bytes that a page of a column may unpack to. Writers make pages of a MiB. */
export const pageBytesMax = 256 * 2 ** 20;

type Unpack = NonNullable<Compressors[keyof Compressors]>;

/**
 * The ways to unpack a page, within bounds: its size is said by the file, and one that is absurd must not take the memory. Those of Node stop at
 * the size that is said; some of the package go on. An empty page is empty, however it is packed.
 */
export const withinBounds = (compressors: Compressors): Compressors =>
  Object.fromEntries(
    Object.entries({ ...compressors, ...ofNode(compressors) }).map(([name, unpack]) => [
      name,
      (input: Uint8Array, byteCount: number) => {
        if (byteCount > pageBytesMax) throw new RangeError(`a page would have ${byteCount} bytes`);
        return byteCount === 0 ? new Uint8Array() : unpack(input, byteCount);
      },
    ]),
  );

const ofNode = ({ GZIP: gzip }: Compressors): Compressors => ({
  // A page without the head of gzip is deflated alone.
  GZIP: (input, size) =>
    input[0] === 0x1f && input[1] === 0x8b ? zlib.gunzipSync(input, { maxOutputLength: size }) : gzip!(input, size),
  BROTLI: (input, size) => zlib.brotliDecompressSync(input, { maxOutputLength: size }),
  ...zstd,
});

/** Node has it since 22.15. */
const zstd: Readonly<Record<string, Unpack>> =
  typeof zlib.zstdDecompressSync === 'function'
    ? { ZSTD: (input, size) => zlib.zstdDecompressSync(input, { maxOutputLength: size }) }
    : {};
