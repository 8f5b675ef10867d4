import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportInput } from '../../../io/input/export-input.ts';

/** Whether a file of an export is there as it is, not packed: it need not be copied to be opened. */
export async function isOnDisk(input: ExportInput, path: string): Promise<boolean> {
  const { sizeBytes } = await input.stat(path);
  const places = [input.key, join(input.key, path)];
  return places.some((place) => {
    const stat = statSync(place, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size === sizeBytes;
  });
}
