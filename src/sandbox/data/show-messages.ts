import type { Groups } from './groups.ts';
import { mentionedUids } from './message-filters.ts';
import { type MessageRow, messageJson } from './message-json.ts';
import type { People } from './people.ts';
import type { Reactions } from './reactions.ts';
import type { Relations } from './relations.ts';

/** Data in messages in addition to the messages themselves. */
export interface Around {
  readonly people: People;
  readonly groups: Groups;
  readonly reactions: Reactions;
  readonly relations: Relations;
}

/** Who looks at messages, and what a listing shows besides. */
export interface View {
  readonly onBehalfOf?: string | undefined;
  readonly withTags?: boolean | undefined;
  readonly mentionsWithBlockedInfo?: boolean | undefined;
  readonly mentionsWithTagInfo?: boolean | undefined;
  readonly mentionswithTagInfo?: boolean | undefined;
  /** Shown, if left out. */
  readonly muids?: 'shown' | 'hidden' | undefined;
}

/** Each message in the service's shape, as JSON, with the people, reactions and mentions of this moment. */
export function showMessages(around: Around, rows: readonly MessageRow[], view: View): string[] {
  const { people, groups, reactions } = around;
  const ids = rows.map(({ id }) => id);
  const reactionsById = reactions.of(ids, view.onBehalfOf);
  return rows.map((row) => {
    const counts = reactionsById.get(row.id);
    const mentions = listMentions(around, row, view);
    const receiver = row.receiverType === 'group' ? groups.find(row.receiver) : people.find(row.receiver);
    return messageJson(hideParts(row, view), {
      sender: people.find(row.sender) ?? '{}',
      receiver: receiver ?? '{}',
      ...((counts || mentions) && {
        additions: {
          ...(counts && { reactions: JSON.stringify(counts) }),
          ...(mentions && { mentions: JSON.stringify(mentions) }),
        },
      }),
    });
  });
}

function hideParts(row: MessageRow, { withTags, muids }: View): MessageRow {
  if (muids !== 'hidden' && withTags !== false) return row;
  return { ...row, ...(muids === 'hidden' && { muid: null }), ...(withTags === false && { tags: null }) };
}

/** Returns the mentioned users by uid, if the listing was asked for them. */
function listMentions({ people, relations }: Around, row: MessageRow, view: View): object | undefined {
  const { onBehalfOf, mentionsWithBlockedInfo } = view;
  const withTags = view.mentionsWithTagInfo || view.mentionswithTagInfo;
  if (!mentionsWithBlockedInfo && !withTags) return undefined;
  const { text } = JSON.parse(row.data);
  const entries = mentionedUids(String(text ?? '')).flatMap((uid) => {
    const user = people.find(uid);
    if (user === undefined) return [];
    const { tags = [], ...entity } = JSON.parse(user);
    const blocks = mentionsWithBlockedInfo &&
      onBehalfOf !== undefined && {
        blockedByMe: relations.hasBlocked(onBehalfOf, uid),
        hasBlockedMe: relations.hasBlocked(uid, onBehalfOf),
      };
    return [[uid, { ...entity, ...blocks, ...(withTags && { tags }) }] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
