import type { ConversationRow, conversationRowsReader } from '../../checkpoint/staging/conversations.ts';
import { generationMuids, reconcileWriter } from '../../checkpoint/repair/reconcile-rows.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { keyOf } from '../../upload/read-back/compare.ts';
import type { Lane } from '../../upload/lanes/lanes.ts';
import type { StoredOrigin } from '../../plan/origin-muid.ts';
import type { ThereReader } from './reader.ts';

/** Generations that are tried: as many times as somebody may have taken a conversation back with books that are lost. */
const generationsTried = 4;

export interface GenerationsOptions {
  readonly store: Store;
  readonly destination: number;
  readonly rowsOf: ReturnType<typeof conversationRowsReader>;
  readonly run: number;
  readonly there: ThereReader;
  readonly muidOf: (row: StoredOrigin, generation: number) => string;
}

/**
 * For a conversation with muids that are of our making and not of the books: whether they are other generations of its
 * messages, of an undo that these books do not know. The books then have the muids that are there.
 *
 * @returns Whether anything has changed: then the conversation has to be looked at again.
 */
export function generationFinder({ store, destination, rowsOf, run, there, muidOf }: GenerationsOptions) {
  const write = reconcileWriter(store.db, destination, run);
  const muids = generationMuids(store.db);
  return async (lane: Lane): Promise<boolean> => {
    for (const rows of rowsOf(lane.conversation)) {
      for (const row of rows) {
        const last = Math.max(generationsTried, row.generation + 1);
        for (let generation = 1; generation <= last; generation++)
          muids.add(muidOf(row, generation), { message: row.seq, generation });
      }
    }
    for await (const page of there.pages(lane)) for (const listed of page) muids.meet(keyOf(listed) ?? '');
    let isChanged = false;
    const save = store.db.transaction((rows: readonly ConversationRow[]) => {
      for (const row of rows) {
        const generation = muids.metOf(row.seq) ?? row.generation;
        if (generation === row.generation) continue;
        isChanged = true;
        write.pending(row.seq, generation, generation === 1 ? null : muidOf(row, generation));
      }
    });
    for (const rows of rowsOf(lane.conversation)) save(rows);
    if (isChanged) there.renew();
    return isChanged;
  };
}
