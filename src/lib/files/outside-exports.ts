import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';

/**
 * An export is somebody else's data: what tells this program what to do is never taken from it. Links are resolved.
 *
 * @param what As in "the mapping". @param exports As the user named them: folders and files.
 * @throws UsageError
 */
export function assertOutsideExports(
  what: string,
  file: string,
  exports: readonly string[],
  named: string = file,
): void {
  const real = realPath(file);
  const around = exports.find((path) => isInside(real, realPath(path)));
  if (around === undefined) return;
  throw new UsageError(`Cannot use ${what} "${named}": it lies inside the export "${around}"`, {
    hint: 'Whoever made the export may have written it. If it is yours, move it out and name it there; else run this in another folder',
  });
}

/** What is not there yet counts by its folder. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(resolve(path));
    return folder === resolve(path) ? folder : join(realPath(folder), basename(path));
  }
}

function isInside(file: string, folder: string): boolean {
  const way = relative(folder, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
