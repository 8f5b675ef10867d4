import type { Store } from '../store/open.ts';
import { muidLength } from '../model/staged-item.ts';
import { StoreError } from '../lib/errors.ts';
import { idFromStored } from '../lib/text/stored-id.ts';
import { followUpMuidInGeneration, muidOf, muidInGeneration } from '../mapping/ids.ts';
import type { Rules } from '../mapping/rules.ts';
import type { Origin } from '../model/records.ts';

/** By conversation, those that were merged into it: all ids at the source. */
type Merges = Readonly<Record<string, readonly string[]>>;
type Lists = Rules['conversations']['merge'];

/**
 * Remembers which conversations a mapping merges, in addition to those that earlier mappings merged: a muid is made
 * from the conversation that a message came from, and its row names the one that it went to. Runs inside the caller's
 * transaction.
 */
export function noteMerges(store: Store, lists: Lists): void {
  const merged = withLists(knownMerges(store), lists);
  if (Object.keys(merged).length > 0) store.facts.write('merged', JSON.stringify(merged));
}

/** Returns the merges of every mapping of a plan of this store. A store that did not record them knows those of its latest plan. */
function knownMerges(store: Store): Merges {
  const { conversations } = JSON.parse(store.facts.read('rules') ?? '{}') as Partial<Rules>;
  return withLists(JSON.parse(store.facts.read('merged') ?? '{}') as Merges, conversations?.merge ?? []);
}

function withLists(merges: Merges, lists: Lists): Merges {
  const merged = new Map(Object.entries(merges));
  for (const [first, ...others] of lists) merged.set(first!, [...new Set([...(merged.get(first!) ?? []), ...others])]);
  return Object.fromEntries(merged);
}

/** The conversations from which a message of one may have come: itself, then those that were merged into it. */
function originsReader(store: Store): (conversation: string) => readonly string[] {
  const merges = new Map(Object.entries(knownMerges(store)));
  return (conversation) => [conversation, ...(merges.get(conversation) ?? [])];
}

/**
 * Maps each id to the first id of its list: the one that it becomes part of. First ids are not in the map.
 *
 * @returns Undefined if nothing is merged, which is nearly always so: then nothing is looked up.
 */
export function mergedInto(merges: readonly (readonly string[])[]): ReadonlyMap<string, string> | undefined {
  if (merges.length === 0) return undefined;
  return new Map(merges.flatMap(([first, ...others]) => others.map((other): [string, string] => [other, first!])));
}

/** Values that a muid is made from, besides source and workspace, which a store has once. */
export interface StoredOrigin {
  /** In the plan: that of the first generation. */
  readonly muid: string;
  /** Ids at the source; the conversation is that into which a mapping may have merged its own. */
  readonly conversation: string;
  readonly originId: string;
  /** For a follow-up: the message that it follows. Its muid is made from that message's muid, and the next generations from its own. */
  readonly follows: number | null;
}

/**
 * Makes muids of later generations from what the store knows of a message.
 *
 * @throws StoreError if the store's own muid of it does not come out for the first generation: then nothing that is made
 * here could be trusted.
 */
export function storedMuids(store: Store): (row: StoredOrigin, generation: number) => string {
  const findOrigin = originFinder(store);
  return (row, generation) => {
    const { muid, follows } = row;
    if (follows !== null) return followUpMuidInGeneration(muid, generation);
    // Part 2, 3 … of a split text has the muid of the first, and its number behind it.
    const [head, part] = [muid.slice(0, muidLength), muid.slice(muidLength)];
    return muidInGeneration(findOrigin(row, head), generation) + part;
  };
}

/**
 * Returns a function that finds the origin of a message. If mappings merged conversations, it tries each of them: no
 * two origins make the same muid.
 */
function originFinder(store: Store): (row: StoredOrigin, muid: string) => Origin {
  const source = store.facts.read('originSource') ?? store.facts.read('source') ?? '';
  const workspace = store.facts.read('workspace') ?? '';
  const readOrigins = originsReader(store);
  // Messages come a conversation at a time, also at the source.
  let latest: { readonly conversation: string; readonly origin: string } | undefined;
  return ({ conversation: storedConversation, originId }, muid) => {
    const [conversation, id] = [idFromStored(storedConversation), idFromStored(originId)];
    const isOrigin = (origin: string) => muidOf({ source, workspace, conversation: origin, id }) === muid;
    if (latest?.conversation === conversation && isOrigin(latest.origin))
      return { source, workspace, conversation: latest.origin, id };
    const origin = readOrigins(conversation).find(isOrigin);
    if (origin === undefined) {
      throw new StoreError(
        `Cannot make a new muid for ${muid}: it is not the one of message "${id}" of conversation "${conversation}", source "${source}", workspace "${workspace}"`,
        { path: store.path, hint: 'Plan the export again: chatferry plan EXPORT' },
      );
    }
    latest = { conversation, origin };
    return { source, workspace, conversation: origin, id };
  };
}
