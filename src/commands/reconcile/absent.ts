import type { ConversationRow, conversationRowsReader } from '../../checkpoint/staging/conversation-rows.ts';
import type { metMessages } from '../../checkpoint/repair/met-messages.ts';
import { reconcileWriter } from '../../checkpoint/repair/reconcile-rows.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import type { Lane } from '../../upload/lanes/lanes.ts';
import type { StoredOrigin } from '../../plan/origin-muid.ts';
import type { ReconcileCounts } from './counts.ts';

export interface AbsentOptions {
  readonly store: Store;
  readonly destination: number;
  readonly rowsOf: ReturnType<typeof conversationRowsReader>;
  readonly run: number;
  readonly met: ReturnType<typeof metMessages>;
  readonly muidOf: (row: StoredOrigin, generation: number) => string;
  /** What is gone gets a muid that was never used: the destination takes none twice. */
  readonly newMuids: boolean;
}

/**
 * What the books have and the last look at a conversation did not show.
 *
 * Where a message of a later generation is there, the conversation was taken back once, with books that are lost: what it
 * lacks goes out under that generation too.
 */
export function absentRows({ store, destination, rowsOf, run, met, muidOf, newMuids }: AbsentOptions) {
  const write = reconcileWriter(store.db, destination, run);
  const isGone = (row: ConversationRow) => isThere(row) || (newMuids && isToSend(row));

  function* absentOf(conversation: number): Generator<readonly ConversationRow[]> {
    for (const page of rowsOf(conversation)) yield page.filter(({ seq }) => !met.has(conversation, seq));
  }

  return {
    /** How many would be put back: they have to be looked for once more. */
    count({ conversation }: Lane): number {
      let count = 0;
      for (const rows of absentOf(conversation)) count += rows.filter(isGone).length;
      return count;
    },

    /** Puts them back to pending, and sees to the muids of what was not sent yet. */
    putBack({ conversation }: Lane): Pick<ReconcileCounts, 'putBack' | 'unsent'> {
      const latest = met.generationOf(conversation);
      const counts = { putBack: 0, unsent: 0 };
      const save = store.db.transaction((rows: readonly ConversationRow[]) => {
        for (const row of rows) {
          if (!isThere(row) && !(newMuids ? isToSend(row) : isUnsent(row))) continue;
          const generation = Math.max(row.generation, latest) + (newMuids ? 1 : 0);
          if (isThere(row)) counts.putBack++;
          else counts.unsent++;
          if (isThere(row) || generation !== row.generation)
            write.pending(row.seq, generation, generation === 1 ? null : muidOf(row, generation));
        }
      });
      for (const rows of absentOf(conversation)) save(rows);
      return counts;
    },
  };
}

/** As far as the books know, or may be. */
const isThere = ({ state }: ConversationRow) => state === 'imported' || state === 'present' || state === 'sent';

const isUnsent = ({ verdict, state }: ConversationRow) =>
  verdict === 'planned' && (state === null || state === 'pending');

/** Not sent yet, or refused because its muid is taken although nothing with it is there. */
const isToSend = (row: ConversationRow) =>
  isUnsent(row) || (row.state === 'refused' && row.serverId === null && row.code?.endsWith('_ALREADY_EXISTS') === true);
