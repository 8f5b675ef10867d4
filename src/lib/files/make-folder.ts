import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and every missing folder above it. An existing folder keeps its mode.
 *
 * Step by step: Node's recursive way never ends when a file system answers ENOENT for a folder in an existing folder (`/proc/x`).
 *
 * @param mode Of each folder that it makes, within what the umask allows: 0700 by default, for their owner alone.
 * @throws The error of the file system.
 */
export function makeFolder(path: string, mode = 0o700): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it a moment ago.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
