import { existsSync } from 'node:fs';
import { countAttempts } from '../checkpoint/delivery/journal.ts';
import { lateMessages } from '../checkpoint/delivery/refuse-late.ts';
import { openStoreToRead } from '../checkpoint/base/store.ts';
import { OlderStore } from '../lib/migrations.ts';
import { systemClock } from '../lib/flow/clock.ts';
import type { Books } from '../model/books.ts';
import { readStatus } from '../commands/status.ts';

/** What a checkpoint store says of itself. */
export interface StoreFacts {
  readonly books: Books;
  readonly lateIds: ReadonlySet<string>;
  /** Import requests. */
  readonly attempts: number;
}

/** Nothing where a kill came before the store had its tables. @throws StoreError if it cannot be read. */
export function readStoreFacts(path: string): StoreFacts | undefined {
  if (!existsSync(path)) return undefined;
  let store: ReturnType<typeof openStoreToRead>;
  try {
    store = openStoreToRead(path);
  } catch (error) {
    if (error instanceof OlderStore) return undefined;
    throw error;
  }
  try {
    const { books } = readStatus({ store: path, clock: systemClock }, 'status');
    return { books, lateIds: new Set(lateMessages(store.db)), attempts: countAttempts(store.db) };
  } finally {
    store.close();
  }
}
