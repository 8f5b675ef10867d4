import type { Store } from '../store/open.ts';
import { findConversationCheck, findPersonCheck } from '../mapping/checks.ts';

/** Yields the people of findings. For records, locations are kept and not ids, so the check runs once more. */
export function* peopleWithFinding(store: Store, code: string): Generator<number> {
  const check = findPersonCheck(code);
  if (!check) return yield* store.totals.findings.people(code);
  for (const { id, record, ...context } of store.totals.eachPerson())
    if (check.find(record, { ...context, ...unasked }) !== undefined) yield id;
}

export function* conversationsWithFinding(store: Store, code: string): Generator<number> {
  const check = findConversationCheck(code);
  if (!check) return yield* store.totals.findings.conversations(code);
  for (const { id, record, ...context } of store.totals.eachConversation())
    if (check.find(record, { ...context, ...unasked }) !== undefined) yield id;
}

/** Context that no check that asks for a decision uses. */
const unasked = { isKnown: () => true, isName: () => false, nowMs: 0 };
