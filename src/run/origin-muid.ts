import { readMeta } from '../checkpoint/meta.ts';
import { muidLength } from '../checkpoint/settle-parts.ts';
import type { Store } from '../checkpoint/store.ts';
import { StoreError } from '../lib/errors.ts';
import { followUpMuidOfGeneration } from '../mapping/follow-up.ts';
import { muidOfGeneration } from '../mapping/muid.ts';

/** What a muid is made of besides source and workspace, which a store has once. */
export interface StoredOrigin {
  /** In the plan: that of the first generation. */
  readonly muid: string;
  /** Ids at the source. */
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
  const source = readMeta(store.db, 'originSource') ?? readMeta(store.db, 'source') ?? '';
  const workspace = readMeta(store.db, 'workspace') ?? '';
  return ({ muid, conversation, originId, follows }, generation) => {
    if (follows !== null) return followUpMuidOfGeneration(muid, generation);
    const origin = { source, workspace, conversation, id: originId };
    // Part 2, 3 … of a split text has the muid of the first, and its number behind it.
    const [head, part] = [muid.slice(0, muidLength), muid.slice(muidLength)];
    if (muidOfGeneration(origin, 1) !== head) {
      throw new StoreError(
        `Cannot make a new muid for ${muid}: it is not the one of message "${originId}" of conversation "${conversation}", source "${source}", workspace "${workspace}"`,
        { path: store.path, hint: 'Plan the export again: chatferry plan EXPORT' },
      );
    }
    return muidOfGeneration(origin, generation) + part;
  };
}
