import type { Service } from './service.ts';
import { mentionedUids } from '../data/message-filters.ts';
import { type MessageRow, messageJson } from '../data/message-json.ts';

/** Who looks at messages, and what a listing shows besides. */
export interface View {
  readonly onBehalfOf?: string | undefined;
  readonly withTags?: boolean | undefined;
  readonly mentionsWithBlockedInfo?: boolean | undefined;
  readonly mentionsWithTagInfo?: boolean | undefined;
  readonly mentionswithTagInfo?: boolean | undefined;
}

/** Each message in the service's shape, as JSON, with the people, reactions and mentions of this moment. */
export function showMessages(service: Service, rows: readonly MessageRow[], view: View): string[] {
  const { people, groups, reactions, rules } = service;
  const ids = rows.map(({ id }) => id);
  const reactionsById = reactions.of(ids, view.onBehalfOf);
  return rows.map((row) => {
    const counts = reactionsById.get(row.id);
    const mentions = mentionsOf(service, row, view);
    const receiver = row.receiverType === 'group' ? groups.find(row.receiver) : people.find(row.receiver);
    return messageJson(hideParts(row, view, rules.listing.muids), {
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

function hideParts(row: MessageRow, { withTags }: View, muids: 'shown' | 'hidden'): MessageRow {
  if (muids === 'shown' && withTags !== false) return row;
  return { ...row, ...(muids === 'hidden' && { muid: null }), ...(withTags === false && { tags: null }) };
}

/** The mentioned users by uid, where the listing was asked for them. */
function mentionsOf({ people, relations }: Service, row: MessageRow, view: View): object | undefined {
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
