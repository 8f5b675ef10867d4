import type { Dir } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, onDisk } from './disk-fault.ts';

/** What ends or splits a key, and how names begin that are no part of one: what is half written lies under such a name. */
const harmful = /^\.|[/\u0000-\u001f\u007f\\]/;

/** Keys of the files under a folder, those under `under` alone, which has a slash at its end or is empty. Links are not followed. */
export async function* keysIn(folder: string, under: string, signal: AbortSignal): AsyncGenerator<string> {
  const entries = await onDisk(() => opendir(join(folder, under)).catch(nothingThere));
  if (!entries) return;
  try {
    for (;;) {
      signal.throwIfAborted();
      const entry = await onDisk(() => entries.read());
      if (entry === null) return;
      if (harmful.test(entry.name)) continue;
      const key = `${under}${entry.name}`;
      if (entry.isDirectory()) yield* keysIn(folder, `${key}/`, signal);
      else if (entry.isFile()) yield key;
    }
  } finally {
    await entries.close();
  }
}

/** Somebody else has taken it away meanwhile. */
function nothingThere(error: unknown): Dir | undefined {
  if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
  throw error;
}
