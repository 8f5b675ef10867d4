import { existsSync } from 'node:fs';
import { copyDatabase, copyStore, loadCopy } from '../../store/open.ts';
import { StoreError } from '../../lib/errors.ts';
import { toStoreError } from '../../lib/sqlite.ts';
import { type PackedFile, packFile } from './packed-file.ts';

/** Task of the packing thread. The code that starts it removes the temporary files. */
export interface PackTask {
  readonly store: string;
  /** It may not be there yet. */
  readonly state: string;
  /** Files that are not there: copies of the two, and what is packed. */
  readonly storeCopy: string;
  readonly stateCopy: string;
  readonly packed: string;
}

/** An error crosses to another thread as what it says. */
export type PackOutcome =
  | { readonly packed: PackedFile }
  | { readonly fault: Pick<StoreError, 'message' | 'path' | 'hint'> };

/**
 * Copies, and packs the copy. The state is copied before the store: it says what the store has read, so one that is older makes a file be read
 * again, and one that is newer would lose it.
 */
export async function packHere({ store, state, storeCopy, stateCopy, packed }: PackTask): Promise<PackOutcome> {
  try {
    const hasState = existsSync(state);
    if (hasState) copyDatabase(state, stateCopy);
    copyStore(store, storeCopy);
    loadCopy(storeCopy, hasState ? stateCopy : undefined);
    return { packed: await packFile(storeCopy, packed) };
  } catch (error) {
    const fault = error instanceof StoreError ? error : toStoreError(error, packed);
    if (!fault) throw error;
    return { fault: { message: fault.message, path: fault.path, hint: fault.hint } };
  }
}
