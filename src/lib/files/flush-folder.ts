import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Errors from folders that cannot be read, and from file systems that cannot flush folders: the name is then as safe as it can be. */
const cannotFlush: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP', 'EISDIR']);

/** New names in a folder outlive a power cut afterwards. Windows cannot open a folder and does not need to. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!cannotFlush.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

/** The same at once. */
export function flushFolderSync(folder: string): void {
  if (process.platform === 'win32') return;
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!cannotFlush.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}
