import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

/**
 * Returns whether a path is relative and stays inside a folder: without `..`, and through no link that leads out of it.
 * A link to a missing file leads out: a file written through it would be created elsewhere.
 *
 * @param path With `/`, or the system's own separator. A file that does not exist yet counts by its folder.
 */
export function staysInside(path: string, folder: string): boolean {
  const names = path.split(/[/\\]/);
  if (path === '' || isAbsolute(path) || /^[a-z][a-z0-9+.-]*:/i.test(path) || names.includes('..')) return false;
  try {
    const realFolder = realpathSync.native(folder);
    let reached = folder;
    for (const name of names) {
      reached = join(reached, name);
      if (lstatSync(reached, { throwIfNoEntry: false }) === undefined) return true;
      if (isOutside(relative(realFolder, realpathSync.native(reached)))) return false;
    }
    return true;
  } catch {
    // A link that leads nowhere or in a circle, or a folder that cannot be entered.
    return false;
  }
}

/** Whether a path that is relative to a folder leads out of it. */
export const isOutside = (path: string): boolean => path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
