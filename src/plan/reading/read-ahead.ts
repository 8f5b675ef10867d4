import { existsSync } from 'node:fs';
import { type ReadingThread, startReading } from './start-reading.ts';
import { canThread, hasLargeFile } from './worth-a-thread.ts';

export interface AheadRequest {
  readonly exports: readonly string[];
  readonly source?: string | undefined;
  /** Path of the store. Where there is none yet, everything will be read. */
  readonly store: string;
}

/**
 * Opens large exports in a thread before the rest of the program is loaded, which saves half a second of the first plan.
 * So this imports next to nothing.
 *
 * @returns The caller's to close, whatever becomes of the plan. Undefined where reading ahead is not worth it.
 */
export function readAhead({ exports, source, store }: AheadRequest): ReadingThread | undefined {
  const isWorthIt = canThread && !existsSync(store) && hasLargeFile(exports);
  return isWorthIt ? startReading(exports, source) : undefined;
}
