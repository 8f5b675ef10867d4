import type { Store } from '../../checkpoint/base/store.ts';
import { unknownThere, type UnknownThere } from '../../checkpoint/repair/adopted-rows.ts';
import { type metMessages, reconcileWriter } from '../../checkpoint/repair/reconcile-rows.ts';
import type { ConversationRow, conversationRowsReader } from '../../checkpoint/staging/conversations.ts';
import { muidShape } from '../../mapping/muid.ts';
import { type ChangeKind, changeKinds } from '../../model/change.ts';
import type { StoredOrigin } from '../../plan/origin-muid.ts';
import type { ListedMessage } from '../../service/client/answers/list-answer.ts';
import type { Lane, LaneRow } from '../../upload/lanes/lanes.ts';
import { differingFields, keyOf, metadataOf, sentMessage } from '../../upload/read-back/compare.ts';
import type { ReconcileCounts } from './counts.ts';
import type { ThereReader } from './reader.ts';

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

/** Of a muid, without the number of a further part. */
const headLength = 27;
/** What a payload decides; all else comes from conversation, people and place. */
const contentFields = new Set(['category', 'type', 'text', 'attachments', 'metadata', 'tags']);

/** Collects what a conversation shows of our making and the books do not know, or have with another content. */
export function unknownCollector(store: Store, there: ThereReader) {
  const unknown = unknownThere(store.db);
  const collect = async (lane: Lane): Promise<void> => {
    let place = 0;
    let before: LaneRow | undefined;
    for await (const page of there.pages(lane)) {
      for (const listed of page) {
        place++;
        const known = there.find(lane, listed);
        if (known) before = known.row;
        const isOther = known ? isVersion(known, listed) : isOurShape(keyOf(listed) ?? '');
        if (isOther) unknown.add(lane.conversation, unknownOf(listed, place, before));
      }
    }
  };
  return { ...unknown, collect };
}

/** No text is sent in a million messages: a longer number is not ours. */
const isOurShape = (muid: string) => muidShape.test(muid) && muid.length <= headLength + 1 + 6;

/** Nothing good is written down for it, and nothing but its content is another. */
function isVersion({ row, delivery }: NonNullable<ReturnType<ThereReader['find']>>, listed: ListedMessage): boolean {
  if (delivery === 'imported' || delivery === 'present') return false;
  const fields = differingFields(sentMessage(row.muid, row.wire), listed);
  return fields.length > 0 && fields.every((field) => contentFields.has(field));
}

function unknownOf(listed: ListedMessage, place: number, before: LaneRow | undefined): UnknownThere {
  const muid = keyOf(listed)!;
  const { follows, change } = metadataOf(listed) ?? {};
  const isFollowUp = typeof follows === 'string' && muid.length === headLength && isChange(change);
  const isBehind = before !== undefined && Math.floor(before.sentAtMs / 1000) === listed.sentAt;
  return {
    muid,
    place,
    serverId: listed.id,
    sender: listed.sender,
    payload: payloadOf(listed),
    sentAtMs: isBehind ? before.sentAtMs : listed.sentAt * 1000,
    sortKey: isBehind ? before.sortKey : null,
    kind: isFollowUp ? 'follow-up' : 'version',
    about: isFollowUp ? follows : muid.slice(0, headLength),
    change: isFollowUp ? change : null,
    part: muid.length > headLength ? Number(muid.slice(headLength + 1)) : null,
  };
}

const isChange = (change: unknown): change is ChangeKind => changeKinds.some((kind) => kind === change);

/** What the service adds to `data` stays out: of our payloads it has these fields. */
function payloadOf({ category, type, data, tags }: ListedMessage): string {
  const { text = '', attachments, customData, metadata } = data;
  return JSON.stringify({
    category,
    type,
    data: { text, attachments, customData, metadata },
    ...(tags.length > 0 && { tags }),
  });
}
