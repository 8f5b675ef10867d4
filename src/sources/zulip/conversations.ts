import type { ConversationRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { asId, asString, type Untrusted } from '../kit/narrow.ts';
import { zulipTime, type ZulipStream } from './format.ts';

/** Orders ids of digits by their numbers. */
export const byNumber = (one: string, other: string): number =>
  one.length - other.length || (one === other ? 0 : one < other ? -1 : 1);

/** The conversation of two people, or of one with themselves: the same whether the server wrote to a person or to a group of two. */
export function targetOfPeople(one: string, other: string): string {
  const [first, second] = [one, other].sort(byNumber);
  return `dm-${first}-${second}`;
}

/** A group, by the number of its recipient: exports and answers of the API both have it. */
export const groupId = (recipient: string): string => `group-${recipient}`;

export function makeGroup(id: string, members: string[]): ConversationRecord {
  const type = id.startsWith('dm-') ? 'direct' : 'group-direct';
  return { kind: 'conversation', id, type, name: '', members };
}

export function readStream(id: string, row: Untrusted<ZulipStream>, members: string[]): ConversationRecord {
  const said = asString(row.name) ?? `stream ${id}`;
  // Servers rename what they deactivate: "1a2b3c4!DEACTIVATED:harbour".
  const name = said.replace(/^!{0,30}(?:[\da-f]{1,16})?!DEACTIVATED:/, '') || said;
  const metadata = {
    ...(row.is_web_public === true && { webPublic: true }),
    ...(row.history_public_to_subscribers === false && { historyHiddenFromNewMembers: true }),
    ...(typeof row.stream_post_policy === 'number' &&
      row.stream_post_policy > 1 && { postPolicy: row.stream_post_policy }),
    ...(typeof row.message_retention_days === 'number' && { retentionDays: row.message_retention_days }),
  };
  return compact<ConversationRecord>({
    kind: 'conversation',
    id: `stream-${id}`,
    type: row.invite_only === true ? 'private' : 'public',
    name,
    description: asString(row.description),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    creator: asId(row.creator),
    createdAtMs: zulipTime(row.date_created),
    ...(row.deactivated === true && { isArchived: true }),
    members,
  });
}
