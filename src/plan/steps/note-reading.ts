import type { ReadingResult } from '../../model/reading-result.ts';
import type { RowCounts } from '../../store/messages.ts';
import type { Store } from '../../store/open.ts';
import { WriterCounts } from '../writer-counts.ts';

/** Keeps what became of the rows: after `collectWriters`. */
export function noteReading(store: Store, isName: (sourceId: string) => boolean, counts?: RowCounts): void {
  const writers = new WriterCounts();
  for (const [conversation, person, count] of store.messages.writers()) writers.add(conversation, person, count);
  let invalid = 0;
  const skipped: { name: string; count: number }[] = [];
  for (const { verdict, reason, count } of store.messages.leftOut(counts))
    if (verdict === 'invalid') invalid += count;
    else skipped.push({ name: reason, count });
  const reading: ReadingResult = {
    ...writers.result({
      people: listPeople(store),
      direct: store.conversations.direct(),
      conversationName: (id) => store.conversations.shownName(id),
      isName,
    }),
    rows: null,
    invalid,
    skipped: skipped.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
    times: { firstMs: null, lastMs: null, outside: 0, againstIds: 0, ordered: 0 },
    texts: { looked: 0, cipher: 0 },
    copies: { count: 0, isExact: true },
  };
  store.facts.write('reading', JSON.stringify(reading));
}

function* listPeople(store: Store) {
  for (const [id, sourceId, name, email, isBot, isPlaceholder] of store.people.each())
    yield { id, sourceId, name, email, isBot: isBot === 1, isPlaceholder: isPlaceholder === 1 };
}
