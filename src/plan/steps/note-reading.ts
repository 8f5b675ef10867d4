import type { ReadingResult } from '../../model/reading-result.ts';
import type { RowCounts } from '../../store/messages.ts';
import type { Store } from '../../store/open.ts';
import { joinSeen, nothingSeen, type Seen, usualTimes } from '../looks.ts';
import { mostFirst, WriterCounts } from '../writer-counts.ts';

interface Given {
  /** Whether an id is the name of a person. */
  readonly isName: (sourceId: string) => boolean;
  /** Valid only if every row is as they counted it. */
  readonly counts: RowCounts | undefined;
  /** Undefined if no row was read: rows may have left the store. */
  readonly seen: Seen | undefined;
  readonly nowMs: number;
}

/** Keeps what became of the rows: after `collectWriters`. */
export function noteReading(store: Store, { isName, counts, seen = seenBefore(store), nowMs }: Given): void {
  const writers = new WriterCounts();
  for (const [conversation, person, count] of store.messages.writers()) writers.add(conversation, person, count);
  const named = {
    people: listPeople(store),
    direct: store.conversations.direct(),
    conversationName: (id: number) => store.conversations.shownName(id),
    isName,
  };
  let invalid = 0;
  const skipped: { name: string; count: number }[] = [];
  for (const { verdict, reason, count } of store.messages.leftOut(counts))
    if (verdict === 'invalid') invalid += count;
    else skipped.push({ name: reason, count });
  const { conversations, ...result } = joinSeen(writers.result(named), seen);
  const reading: ReadingResult = {
    ...result,
    conversations: { ...conversations, types: store.conversations.types() },
    invalid,
    skipped: mostFirst(skipped),
    times: { ...store.messages.times(usualTimes(nowMs)), ordered: seen.ordered, againstIds: seen.againstIds },
  };
  store.facts.write('seen', JSON.stringify(seen));
  store.facts.write('reading', JSON.stringify(reading));
}

/** Counted by earlier plans. */
export const seenBefore = ({ facts }: Store): Seen => {
  const seen = facts.read('seen');
  return seen === undefined ? nothingSeen : (JSON.parse(seen) as Seen);
};

export function* listPeople(store: Store) {
  for (const [id, sourceId, name, email, handle, isBot, isPlaceholder] of store.people.each())
    yield { id, sourceId, name, email, handle, isBot: isBot === 1, isPlaceholder: isPlaceholder === 1 };
}
