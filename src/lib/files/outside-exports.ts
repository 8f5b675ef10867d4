import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';

interface InsideRules {
  /** How the user called the file, where that is not its path. */
  readonly named?: string;
  /** Whether this user vouches for the file as it is now; asked where it lies inside an export. Nobody does without it. */
  trust?(): 'trusted' | 'changed' | 'unknown';
}

/**
 * An export is somebody else's data: what tells this program what to do is never taken from it, unless this user vouches for it.
 * Links are resolved.
 *
 * @param what As in "the mapping". @param exports As the user named them: folders and files.
 * @throws UsageError
 */
export function assertOutsideExports(
  what: string,
  file: string,
  exports: readonly string[],
  { named = file, trust = () => 'unknown' }: InsideRules = {},
): void {
  const around = exportAround(file, exports);
  const known = around === undefined ? 'trusted' : trust();
  if (known === 'trusted') return;
  const inside = `Cannot use ${what} "${named}": it lies inside the export "${around}"`;
  if (known === 'changed') {
    throw new UsageError(`${inside}, and has changed since you trusted it`, {
      hint: `If the change is yours: chatferry trust ${named}`,
    });
  }
  throw new UsageError(inside, {
    hint: 'Whoever made the export may have written it. If it is yours, move it out and name it there; else run this in another folder',
  });
}

/** The export in which a file lies, as it was named; none for a file outside of all. */
export function exportAround(file: string, exports: readonly string[]): string | undefined {
  const real = realPath(file);
  return exports.find((path) => isInside(real, realPath(path)));
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
