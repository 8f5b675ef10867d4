import { type UnknownThere, unknownThere } from '../../checkpoint/repair/unknown-there.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { muidShape } from '../../mapping/muid.ts';
import { type ChangeKind, changeKinds } from '../../model/change.ts';
import type { ListedMessage } from '../../service/client/list-answer.ts';
import { differingFields, keyOf, metadataOf, sentMessage } from '../../upload/read-back/compare.ts';
import type { Lane, LaneRow } from '../../upload/lanes/lanes.ts';
import type { ThereReader } from './reader.ts';

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
    ...{ muid, place, serverId: listed.id, sender: listed.sender, payload: payloadOf(listed) },
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
    ...{ category, type, data: { text, attachments, customData, metadata } },
    ...(tags.length > 0 && { tags }),
  });
}
