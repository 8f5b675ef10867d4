import { SourceError } from '../../../lib/errors.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { ReadContext } from '../../source.ts';
import { fillLists, problemEntry, invalidEntry } from '../entries.ts';
import { unforeseen, type UnforeseenProblem, withCause } from '../rows/row-boundary.ts';

/** Files of one role, and how one of them is read. */
interface FilesToRead {
  /** In the order in which they are read. */
  readonly paths: readonly string[];
  readonly context: ReadContext;
  /** The entries of a file, in lists. May throw a `SourceError`: then the file cannot be read any further. */
  read(path: string): Iterable<readonly Entry[]> | AsyncIterable<readonly Entry[]>;
}

/**
 * Reads the files that hold messages, one after another. Files that are not wanted are neither opened nor mentioned.
 * Each file is closed by its `file` entry after its last entry. If a file cannot be read (any further), one invalid row
 * `unreadable-file` stands for the missing ones, and the next file is read.
 *
 * yield* readRowFiles({ paths: layout.rows, context, read: (path) => inLists(new ChatFile(path).entries(input)) });
 *
 * Lists may contain entries of several files.
 *
 * @throws The signal's reason, between two lists, once it is aborted.
 */
export const readRowFiles = (files: FilesToRead): AsyncGenerator<readonly Entry[]> =>
  fillLists(rowFileLists(files), files.context.signal);

async function* rowFileLists(files: FilesToRead): AsyncGenerator<readonly Entry[]> {
  for (const path of files.paths) {
    if (!files.context.wants(path)) continue;
    yield* readLists(path, files, invalidEntry);
    yield [{ type: 'file', path, role: 'rows' }];
  }
}

/**
 * Does the same for files that others refer to (people, conversations). They are always read, and first, because every
 * partial read of the export needs them. A file that cannot be read is a problem and not an invalid row, because it
 * holds no messages.
 */
export async function* readSharedFiles(files: FilesToRead): AsyncGenerator<readonly Entry[]> {
  for (const path of files.paths) {
    yield* readLists(path, files, problemEntry);
    yield [{ type: 'file', path, role: 'shared' }];
  }
}

async function* readLists(
  path: string,
  { context, read }: FilesToRead,
  faultEntry: FaultEntry,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  let hasBegun = false;
  try {
    for await (const entries of read(path)) {
      hasBegun ||= entries.length > 0;
      if (entries.length > 0) yield entries;
      context.signal.throwIfAborted();
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof SourceError)
      yield [faultEntry('unreadable-file', unreadableReason(error, hasBegun), { path })];
    else yield [unforeseenRest(unforeseen(error), { path, hasBegun, faultEntry })];
  }
}

/** An invalid row, or a problem. */
type FaultEntry = (code: string, reason: string, location: Location) => Entry;

/** `Cannot read the file from here on: …`, once something of it was read. */
export const unreadableReason = ({ message }: SourceError, hasBegun: boolean): string =>
  hasBegun ? `Cannot read the file from here on: ${message}` : message;

/** Reports an error in the data around the rows. All missing rows together count as one. */
function unforeseenRest(
  { code, cause }: UnforeseenProblem,
  { path, hasBegun, faultEntry }: { path: string; hasBegun: boolean; faultEntry: FaultEntry },
): Entry {
  const what = hasBegun ? 'the file from here on' : 'the file';
  const reason = `Cannot read ${what}: the data around its rows has another type than the format requires`;
  return withCause(faultEntry(code, reason, { path }), cause);
}
