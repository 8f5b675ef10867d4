/**
 * How much an export may cost before it is refused: bounds against archives that were made to fill memory or time.
 * The defaults are far above any chat export seen; `openExport` takes other values.
 */
export interface Caps {
  /** Files in one folder or archive. Default 2,000,000, which take about 250 MB of memory. */
  readonly entryCountMax: number;
  /** Bytes of a ZIP's central directory. Default 256 MiB: the directory of 330,000 Slack day files has 30 MB. */
  readonly directoryBytesMax: number;
  /** Bytes that one ZIP, tar or gzip file may unpack to. Default 1 TiB: exports of 50 GB exist, and unpacking is streamed. */
  readonly unpackedBytesMax: number;
  /** Unpacked bytes per packed byte of one file. Default 200: chat JSON has 5 to 30, and DEFLATE cannot exceed 1032. */
  readonly ratioMax: number;
  /** A file that unpacks to no more than this may have any ratio. Default 10 MiB. */
  readonly ratioFreeBytes: number;
}

export const defaultCaps: Caps = {
  entryCountMax: 2_000_000,
  directoryBytesMax: 256 * 2 ** 20,
  unpackedBytesMax: 2 ** 40,
  ratioMax: 200,
  ratioFreeBytes: 10 * 2 ** 20,
};

/** How many bytes a packed file of this size may unpack to. */
export const unpackedBytesAllowed = (packedBytes: number, caps: Caps): number =>
  Math.min(caps.unpackedBytesMax, Math.max(caps.ratioFreeBytes, packedBytes * caps.ratioMax));
