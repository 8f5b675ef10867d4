import type { Database } from 'better-sqlite3';
import { readMeta, writeMeta } from '../checkpoint/base/meta.ts';
import type { Rules } from '../mapping/rules/rules.ts';

/** By conversation, those that were merged into it: all ids at the source. */
type Merges = Readonly<Record<string, readonly string[]>>;
type Lists = Rules['conversations']['merge'];

/**
 * Remembers which conversations a mapping merges, beside those that earlier ones did: a muid is made of the conversation that
 * a message came from, and its row names the one that it went to. Inside the caller's transaction.
 */
export function noteMerges(db: Database, lists: Lists): void {
  const merged = withLists(knownMerges(db), lists);
  if (Object.keys(merged).length > 0) writeMeta(db, 'merged', JSON.stringify(merged));
}

/** What any mapping of a plan of this store has merged. A store that did not write that down knows those of its latest plan. */
function knownMerges(db: Database): Merges {
  const { conversations } = JSON.parse(readMeta(db, 'rules') ?? '{}') as Partial<Rules>;
  return withLists(JSON.parse(readMeta(db, 'merged') ?? '{}') as Merges, conversations?.merge ?? []);
}

function withLists(merges: Merges, lists: Lists): Merges {
  const merged = new Map(Object.entries(merges));
  for (const [first, ...others] of lists) merged.set(first!, [...new Set([...(merged.get(first!) ?? []), ...others])]);
  return Object.fromEntries(merged);
}

/** The conversations from which a message of one may have come: itself, then those that were merged into it. */
export function originsReader(db: Database): (conversation: string) => readonly string[] {
  const merges = new Map(Object.entries(knownMerges(db)));
  return (conversation) => [conversation, ...(merges.get(conversation) ?? [])];
}

/**
 * By id, the id of the first of its list: whom or what it becomes part of. Firsts are not in it.
 *
 * @returns Undefined where nothing is merged, which is so nearly always: then nobody is looked up.
 */
export function mergedInto(merges: readonly (readonly string[])[]): ReadonlyMap<string, string> | undefined {
  if (merges.length === 0) return undefined;
  return new Map(merges.flatMap(([first, ...others]) => others.map((other): [string, string] => [other, first!])));
}
