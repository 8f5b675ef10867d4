import type { CandidateRow } from '../store/lanes.ts';
import type { Store } from '../store/open.ts';
import { Recent } from '../lib/maps/recent.ts';
import type { Facts } from '../model/facts.ts';
import { type Filter, foldedNames, matches } from '../mapping/filter.ts';

/** Columns of a `message` row that a filter uses. */
export type FilterableRow = Omit<CandidateRow, 'seq'>;

/**
 * Returns a filter for staged rows, for callers that take messages from the store: whether a row is inside. For every
 * planned row the result is the same as in the plan, which applies the same filter to records. Rows without an identity
 * are outside.
 */
export function storedFilter(store: Store, filter: Filter): (row: FilterableRow) => boolean {
  const personNames = new Recent((id: number) => {
    const person = store.people.names(id);
    return foldedNames(person?.sourceId, person?.uid, person?.name, person?.handle, person?.email);
  });
  const conversationNames = new Recent((id: number) => {
    const conversation = store.conversations.names(id);
    return foldedNames(conversation?.sourceId, conversation?.name);
  });
  return (row) => {
    const { muid, originId, conversation, sender, sentAtMs, part, payload } = row;
    if (muid === null || conversation === null || sender === null || sentAtMs === null) return false;
    const head = part === null || part === 1 ? muid : muid.slice(0, muid.lastIndexOf('p'));
    const facts = head === muid ? row.facts : store.messages.facts(head);
    return matches(filter, {
      muid: head,
      originId: originId ?? '',
      conversationNames: conversationNames.get(conversation),
      senderNames: personNames.get(sender),
      sentAtMs,
      facts: facts === null ? {} : (JSON.parse(facts) as Facts),
      text: () => (part === null ? payloadText(payload) : store.messages.partTexts(head).join('\n')),
    });
  };
}

const payloadText = (payload: string | null): string =>
  payload === null ? '' : ((JSON.parse(payload) as { data: { text?: string } }).data.text ?? '');

/** Returns names in a filter that no person and no conversation has: `in:generall`. They are most likely misspelt. */
export function unknownNames(store: Store, { terms }: Filter): string[] {
  const unknown = { in: new Set<string>(), from: new Set<string>() };
  for (const term of terms) {
    if (term.key === 'in' || term.key === 'from') for (const value of term.values) unknown[term.key].add(value);
  }
  if (unknown.in.size + unknown.from.size === 0) return [];
  for (const { sourceId, uid, name, handle, email } of store.people.allNames())
    for (const called of foldedNames(sourceId, uid, name, handle, email)) unknown.from.delete(called);
  for (const { sourceId, name } of store.conversations.allNames())
    for (const called of foldedNames(sourceId, name)) unknown.in.delete(called);
  return [...[...unknown.in].map((name) => `in:${name}`), ...[...unknown.from].map((name) => `from:${name}`)];
}
