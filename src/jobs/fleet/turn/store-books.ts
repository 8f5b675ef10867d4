import { existsSync } from 'node:fs';
import { lastDestination } from '../../../checkpoint/base/destinations.ts';
import { openStoreToRead } from '../../../checkpoint/base/store.ts';
import type { Books } from '../../../model/books.ts';
import { tallyOf } from '../../../report/collect-report.ts';

/** Of the destination that was used last; nothing where there is no store yet. Goes through all messages. */
export function booksOfStore(path: string): Books | null {
  if (!existsSync(path)) return null;
  const store = openStoreToRead(path);
  try {
    return tallyOf(store, lastDestination(store.db)?.id ?? null).books;
  } finally {
    store.close();
  }
}
