import { join } from 'node:path';
import { openStoreToRead, type Store } from '../store/open.ts';
import { printPlace } from '../store/totals.ts';
import { replaceFile } from '../lib/files/atomic-file.ts';
import { StoreError } from '../lib/errors.ts';
import { makeFolder } from '../lib/files/make-folder.ts';

/** Files for what a report has no room for. Each line is one JSON object: `docs/guides/verify.md` names the fields. */
export const listNames = { conversations: 'verify.ndjson', differences: 'differences.ndjson' } as const;

/**
 * Writes what reading back found in every conversation, and every difference, of the destination that was used last. The
 * files quote the export, so they are for their owner only, and are replaced whole or not at all.
 *
 * @throws StoreError if a file cannot be written.
 */
export async function writeVerifyLists(storePath: string, folder: string): Promise<void> {
  const store = openStoreToRead(storePath);
  try {
    const destination = store.destinations.latest();
    if (!destination) return;
    makeFolder(folder);
    await replaceFile(join(folder, listNames.conversations), inLines(conversationLines(store, destination.id)));
    await replaceFile(join(folder, listNames.differences), inLines(differenceLines(store, destination.id)));
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new StoreError(`Cannot write what verify found to "${folder}": ${cause.message}`, {
      path: folder,
      hint: 'Pass --report DIR with a directory that can be written',
      cause,
    });
  } finally {
    store.close();
  }
}

function* inLines(objects: Iterable<object>): Generator<string> {
  for (const object of objects) yield `${JSON.stringify(object)}\n`;
}

function* conversationLines(store: Store, destination: number): Generator<object> {
  const rowOf = store.totals.conversationRows();
  for (const { conversation, readAtMs, ...counts } of store.delivery.allChecks(destination)) {
    const { id, name, target } = rowOf(conversation);
    yield { conversation: id, name, target, readAt: new Date(readAtMs).toISOString(), ...counts };
  }
}

function* differenceLines(store: Store, destination: number): Generator<object> {
  for (const { kind, muid, sourceId: conversation, detail, path, place } of store.delivery.differencesOf(destination))
    yield { kind, muid, conversation, detail, location: path === null ? null : printPlace(path, place ?? '') };
}
