import type { ConversationRecord } from '../model/records.ts';
import { descriptionLengthMax } from '../service/limits.ts';
import type { Rules } from './rules.ts';
import { chosenId, serviceId } from './service-id.ts';
import { shorten } from './shorten.ts';
import { fillTemplate } from './template.ts';

export interface MappedConversation {
  /** What it is as long as nobody else writes there; a third writer makes a direct conversation a group. */
  readonly receiverType: 'user' | 'group';
  readonly guid: string;
  /** In the service's shape for a group. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly isExcluded: boolean;
}

export function mapConversation(
  conversation: ConversationRecord,
  rules: Rules,
  nameOf: (userId: string) => string,
): MappedConversation {
  const guid = chosenId(rules.conversations.guids, conversation.id) ?? serviceId(guidSource(conversation, rules));
  const description = conversation.description || conversation.topic;
  return {
    receiverType: isBetweenTwo(conversation) ? 'user' : 'group',
    guid,
    details: {
      guid,
      name: shorten(conversation.name || conversation.members.map(nameOf).join(', ') || conversation.id),
      // The service has public, password and private groups; what was not public must not become it.
      type: conversation.type === 'public' ? 'public' : 'private',
      ...(description && { description: shorten(description, descriptionLengthMax) }),
      ...(conversation.createdAtMs !== undefined && { createdAt: Math.floor(conversation.createdAtMs / 1000) }),
    },
    isExcluded:
      rules.conversations.exclude.includes(conversation.id) || rules.conversations.exclude.includes(conversation.name),
  };
}

/** Notes to oneself have one member: they become a group, because nothing says that a user may write to themselves. */
const isBetweenTwo = (conversation: ConversationRecord) =>
  conversation.type === 'direct' && new Set(conversation.members).size === 2;

function guidSource(conversation: ConversationRecord, rules: Rules): string {
  const { id, name, type } = conversation;
  return fillTemplate(rules.conversations.guid, { id, name, type }) ?? id;
}
