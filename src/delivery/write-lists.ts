import { join } from 'node:path';
import { allChecks, differencesOf } from '../checkpoint/repair/verify-results.ts';
import { lastDestination } from '../checkpoint/base/destinations.ts';
import { printPlace } from '../checkpoint/base/message-facts.ts';
import { conversationRows } from '../checkpoint/reports/report-rows.ts';
import { openStoreToRead, type Store } from '../checkpoint/base/store.ts';
import { replaceFile } from '../lib/files/atomic-file.ts';
import { StoreError } from '../lib/errors.ts';
import { makeFolder } from '../lib/files/make-folder.ts';

/** What a report has no room for, each line one JSON object: `docs/verify.md` names their fields. */
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
    const destination = lastDestination(store.db);
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

function* conversationLines({ db }: Store, destination: number): Generator<object> {
  const rowOf = conversationRows(db);
  for (const { conversation, readAtMs, ...counts } of allChecks(db, destination)) {
    const { id, name, target } = rowOf(conversation);
    yield { conversation: id, name, target, readAt: new Date(readAtMs).toISOString(), ...counts };
  }
}

function* differenceLines({ db }: Store, destination: number): Generator<object> {
  for (const { kind, muid, sourceId: conversation, detail, path, place } of differencesOf(db, destination))
    yield { kind, muid, conversation, detail, location: path === null ? null : printPlace(path, place ?? '') };
}
