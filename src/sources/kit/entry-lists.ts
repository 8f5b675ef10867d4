import type { Entry } from '../../model/entry.ts';

/** Entries that a list holds before it is handed on: memory for some hundred messages. */
export const entriesPerList = 250;

/** Entries one by one become the lists that a source yields. */
export async function* inLists(entries: Iterable<Entry> | AsyncIterable<Entry>): AsyncGenerator<readonly Entry[]> {
  let list: Entry[] = [];
  for await (const entry of entries) {
    if (list.push(entry) < entriesPerList) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}
