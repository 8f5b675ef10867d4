import { readMeta } from '../checkpoint/base/meta.ts';
import { muidLength } from '../checkpoint/staging/finish-staging.ts';
import type { Store } from '../checkpoint/base/store.ts';
import { StoreError } from '../lib/errors.ts';
import { followUpMuidOfGeneration } from '../mapping/message/follow-up.ts';
import { muidOf, muidOfGeneration } from '../mapping/muid.ts';
import type { Origin } from '../model/records.ts';
import { originsReader } from './merges.ts';

/** What a muid is made of besides source and workspace, which a store has once. */
export interface StoredOrigin {
  /** In the plan: that of the first generation. */
  readonly muid: string;
  /** Ids at the source; the conversation is that into which a mapping may have merged its own. */
  readonly conversation: string;
  readonly originId: string;
  /** Of a follow-up: what it follows. Its muid is made of that message's, and the next generations of its own. */
  readonly follows: number | null;
}

/**
 * Makes muids of later generations from what the store knows of a message.
 *
 * @throws StoreError if the store's own muid of it does not come out for the first generation: then nothing that is made
 * here could be trusted.
 */
export function storedMuids(store: Store): (row: StoredOrigin, generation: number) => string {
  const originOf = originFinder(store);
  return (row, generation) => {
    const { muid, follows } = row;
    if (follows !== null) return followUpMuidOfGeneration(muid, generation);
    // Part 2, 3 … of a split text has the muid of the first, and its number behind it.
    const [head, part] = [muid.slice(0, muidLength), muid.slice(muidLength)];
    return muidOfGeneration(originOf(row, head), generation) + part;
  };
}

/** Where mappings merged conversations, which one it was is found by trying: no two origins make the same muid. */
function originFinder(store: Store): (row: StoredOrigin, muid: string) => Origin {
  const source = readMeta(store.db, 'originSource') ?? readMeta(store.db, 'source') ?? '';
  const workspace = readMeta(store.db, 'workspace') ?? '';
  const originsOf = originsReader(store.db);
  // Messages come a conversation at a time, also at the source.
  let latest: { readonly conversation: string; readonly origin: string } | undefined;
  return ({ conversation, originId: id }, muid) => {
    const isOrigin = (origin: string) => muidOf({ source, workspace, conversation: origin, id }) === muid;
    if (latest?.conversation === conversation && isOrigin(latest.origin))
      return { source, workspace, conversation: latest.origin, id };
    const origin = originsOf(conversation).find(isOrigin);
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
