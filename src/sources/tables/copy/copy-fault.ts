import { tmpdir } from 'node:os';
import { SourceError } from '../../../lib/errors.ts';
import { isDiskFull } from '../../../lib/sqlite.ts';

/** Passes lists on. An error of the temporary database stops the run as a `SourceError`. */
export async function* withCopyFaults<T>(lists: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* lists;
  } catch (error) {
    throw copyFault(error);
  }
}

/** A fault of the temporary database as a `SourceError`; anything else as it is. */
export function copyFault(error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  const isFull = isDiskFull(error) || error.code.startsWith('SQLITE_IOERR') || error.code === 'SQLITE_CANTOPEN';
  const what = isDiskFull(error) ? 'the disk is full' : error.message;
  const hint = `Free some space in "${tmpdir()}", or set TMPDIR to a folder on another disk`;
  return new SourceError(`Cannot copy tables into a temporary database: ${what} (${error.code})`, {
    cause: error,
    ...(isFull && { hint }),
  });
}

export const isSqliteError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_');
