import type { ConversationRow } from '../../../store/conversations.ts';
import type { StoredOrigin } from '../../../plan/merges.ts';
import type { Lane } from '../../../delivery/lanes.ts';
import { keyOf } from '../../../delivery/compare.ts';
import type { ConversationReader } from './conversation-reader.ts';
import type { ReconcileCounts } from '../../results.ts';

/** The muid of a message in one of its generations. */
export type GenerationMuid = (row: StoredOrigin, generation: number) => string;

/**
 * Finds messages that the store has and that the last check of a conversation did not show.
 *
 * If a message of a later generation is there, the conversation was rolled back once, by a store that is lost: the
 * missing messages are sent under that generation too.
 *
 * @param newMuids Missing messages get a muid that was never used: the destination takes none twice.
 */
export function absentRows(
  { store, destination, write, seen }: ConversationReader,
  muidOf: GenerationMuid,
  newMuids: boolean,
) {
  store.conversations.collectUnplanned(destination);
  const isGone = (row: ConversationRow) => isAtDestination(row) || (newMuids && isToSend(row));

  function* absentOf(conversation: number): Generator<readonly ConversationRow[]> {
    for (const page of store.conversations.messages(destination, conversation))
      yield page.filter(({ seq }) => !seen.has(conversation, seq));
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
      const latest = seen.generationOf(conversation);
      const counts = { putBack: 0, unsent: 0 };
      const save = store.transaction((rows: readonly ConversationRow[]) => {
        for (const row of rows) {
          if (!isAtDestination(row) && !(newMuids ? isToSend(row) : isUnsent(row))) continue;
          const generation = Math.max(row.generation, latest) + (newMuids ? 1 : 0);
          if (isAtDestination(row)) counts.putBack++;
          else counts.unsent++;
          if (isAtDestination(row) || generation !== row.generation)
            write.pending(row.seq, generation, generation === 1 ? null : muidOf(row, generation));
        }
      });
      for (const rows of absentOf(conversation)) save(rows);
      return counts;
    },
  };
}

/** As far as the store know, or may be. */
const isAtDestination = ({ state }: ConversationRow) =>
  state === 'imported' || state === 'existing' || state === 'sent';

const isUnsent = ({ verdict, state }: ConversationRow) =>
  verdict === 'planned' && (state === null || state === 'pending');

/** Not sent yet, or refused because its muid is taken although nothing with it is there. */
const isToSend = (row: ConversationRow) =>
  isUnsent(row) || (row.state === 'failed' && row.serverId === null && row.code?.endsWith('_ALREADY_EXISTS') === true);

/** Number of generations that are tried: as many times as a conversation may have been rolled back by stores that are lost. */
const generationsTried = 4;

/**
 * For a conversation with muids that Chatferry made and the store does not have: checks whether they are other
 * generations of its messages, from an undo that this store does not know. The store then takes the muids that are
 * there.
 *
 * @returns Whether anything has changed: then the conversation has to be checked again.
 */
export function generationFinder(reader: ConversationReader, muidOf: GenerationMuid) {
  const { store, destination, write } = reader;
  store.conversations.collectUnplanned(destination);
  const rowsOf = (conversation: number) => store.conversations.messages(destination, conversation);
  const muids = store.checks.openGenerations();
  return async (lane: Lane): Promise<boolean> => {
    for (const rows of rowsOf(lane.conversation)) {
      for (const row of rows) {
        const last = Math.max(generationsTried, row.generation + 1);
        for (let generation = 1; generation <= last; generation++)
          muids.add(muidOf(row, generation), { message: row.seq, generation });
      }
    }
    for await (const page of reader.pages(lane)) for (const listed of page) muids.meet(keyOf(listed) ?? '');
    let isChanged = false;
    const save = store.transaction((rows: readonly ConversationRow[]) => {
      for (const row of rows) {
        const generation = muids.metOf(row.seq) ?? row.generation;
        if (generation === row.generation) continue;
        isChanged = true;
        write.pending(row.seq, generation, generation === 1 ? null : muidOf(row, generation));
      }
    });
    for (const rows of rowsOf(lane.conversation)) save(rows);
    if (isChanged) reader.renew();
    return isChanged;
  };
}
