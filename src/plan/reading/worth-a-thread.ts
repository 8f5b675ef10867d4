import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** From here on a thread pays for its start, some 0.2 s. */
export const threadBytesMin = 24 * 1024 * 1024;
/** An archive of this size holds as much. */
const packedBytesMin = 5 * 1024 * 1024;

export const canThread = availableParallelism() > 1;

/** Whether exports look as if there were much to read: one of them is a large file. */
export const hasLargeFile = (exports: readonly string[]): boolean =>
  exports.some((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > packedBytesMin);
