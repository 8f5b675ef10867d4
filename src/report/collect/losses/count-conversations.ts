import type { LossConversation } from '../../../checkpoint/reports/loss-conversations.ts';

/** How many conversations, of those of which something is sent, have what the service cannot hold. */
export interface ConversationCounts {
  readonly archived: number;
  readonly directAsGroup: number;
  readonly groupDirect: number;
  readonly creatorsLost: number;
  readonly topicsLost: number;
  readonly directDetails: number;
}

export function countConversations(rows: Iterable<LossConversation>): ConversationCounts {
  const counts = { archived: 0, directAsGroup: 0, groupDirect: 0, creatorsLost: 0, topicsLost: 0, directDetails: 0 };
  for (const { type, receiverType, isArchived, hasCreator, hasOwner, hasName, hasTopic, hasDescription } of rows) {
    const isGroup = receiverType === 'group';
    if (isArchived) counts.archived++;
    if (type === 'direct' && isGroup) counts.directAsGroup++;
    if (type === 'group-direct') counts.groupDirect++;
    if (isGroup && hasCreator && !hasOwner) counts.creatorsLost++;
    if (isGroup && hasTopic && hasDescription) counts.topicsLost++;
    if (!isGroup && (hasName || hasTopic || hasDescription)) counts.directDetails++;
  }
  return counts;
}
