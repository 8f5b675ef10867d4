import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/text/location.ts';

const faults: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOENT: ['it does not exist', 'Check the path'],
  ENOTDIR: ['a part of its path is not a folder', 'Check the path'],
  EACCES: ['permission denied', 'Check the permissions of the file and its folders'],
  EPERM: ['permission denied', 'Check the permissions of the file and its folders'],
  ELOOP: ['it is a symbolic link', 'Replace the link with a copy of its target'],
  ENAMETOOLONG: ['its name is too long', 'Move the export to a shorter path'],
  EISDIR: ['it is a folder', 'Pass the path of a file'],
  EMFILE: ['too many files are open', 'Raise the limit: ulimit -n 4096'],
  ENFILE: ['too many files are open on this machine', 'End other programs'],
  EIO: ['the disk reports an error', 'Copy the export to another disk'],
  ESTALE: ['the network drive lost it', 'Copy the export to a local disk'],
  ENOSPC: ['the disk for temporary files is full', 'Set TMPDIR to a folder with more space'],
};

/**
 * A fault of the file system as a SourceError; nothing if the error is something else.
 *
 * @param action What failed, as the message begins: `Cannot read "export.zip"`.
 */
export function toSourceError(error: unknown, action: string, location?: Location): SourceError | undefined {
  const code = errorCode(error);
  const known = code === undefined ? undefined : faults[code];
  if (known === undefined) return undefined;
  const [what, hint] = known;
  return new SourceError(`${action}: ${what}`, { hint, cause: error, ...(location && { location }) });
}

/** `ENOENT` and the like, of an error that has one. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
