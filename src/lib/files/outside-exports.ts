import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';

interface InsideRules {
  /** Name that the user gave the file, if that is not its path. */
  readonly named?: string;
  /** Returns whether this user vouches for the file in its current form. Called if it is inside an export. Default: not trusted. */
  trust?(): 'trusted' | 'changed' | 'unknown';
}

/**
 * Throws if a file is inside an export. An export is foreign data: instructions for this program are never taken from
 * it, unless this user vouches for the file. Links are resolved.
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
  const inside = `Cannot use ${what} "${named}": it is inside the export "${around}"`;
  if (known === 'changed') {
    throw new UsageError(`${inside}, and has changed since you trusted it`, {
      hint: `If the change is yours: chatferry trust ${named}`,
    });
  }
  throw new UsageError(inside, {
    hint: 'The author of the export may have written it. If it is yours, move it out and pass the new path; else run this in another folder',
  });
}

/** Returns the export that contains a file, as it was named; undefined for a file outside of all exports. */
export function exportAround(file: string, exports: readonly string[]): string | undefined {
  const real = realPath(file);
  return exports.find((path) => isInside(real, realPath(path)));
}

/** A file that does not exist yet counts by its folder. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(resolve(path));
    return folder === resolve(path) ? folder : join(realPath(folder), basename(path));
  }
}

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
