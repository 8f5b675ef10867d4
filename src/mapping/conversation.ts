import { type ConversationRecord, conversationSchema } from '../model/records.ts';
import {
  checkedRecord,
  type ConversationResult,
  conversationResultSchema,
  type MappingModule,
  runStep,
} from './module.ts';
import { descriptionLengthMax, isUsableUrl, nameLengthMax } from '../service/profiles.ts';
import type { Rules } from './rules.ts';
import { chosenId } from './ids.ts';
import { serviceId } from './service-id.ts';
import { shorten } from '../lib/text/shorten.ts';
import { fillTemplate } from './rules/template.ts';

export interface MappedConversation {
  /** Type as long as no other person writes there; a third writer makes a direct conversation a group. */
  readonly receiverType: 'user' | 'group';
  readonly guid: string;
  /** In the service's shape for a group. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly isExcluded: boolean;
}

/**
 * @param uidOf Returns the uid of the creator, who becomes the owner if the mapping specifies it; without it there is
 *   no owner.
 */
export function mapConversation(
  conversation: ConversationRecord,
  rules: Rules,
  nameOf: (userId: string) => string,
  uidOf?: (userId: string) => string,
): MappedConversation {
  const { id, name, creator, members, createdAtMs, iconUrl, metadata } = conversation;
  const { exclude, guids, rename, owner, owners } = rules.conversations;
  const guid = chosenId(guids, id) ?? serviceId(guidSource(conversation, rules), rules.ids);
  const description = conversation.description || conversation.topic;
  const ownerUid = chosenId(owners, id) ?? (owner === 'creator' && creator ? uidOf?.(creator) : undefined);
  return {
    receiverType: isBetweenTwo(conversation) ? 'user' : 'group',
    guid,
    details: {
      guid,
      name: shorten(chosenId(rename, id) ?? (name || members.map(nameOf).join(', ') || id), nameLengthMax),
      type: groupType(conversation, rules),
      ...(description && { description: shorten(description, descriptionLengthMax) }),
      ...(isUsableUrl(iconUrl) && { icon: iconUrl }),
      ...(ownerUid !== undefined && { owner: ownerUid }),
      ...(metadata && { metadata }),
      ...(createdAtMs !== undefined && { createdAt: Math.floor(createdAtMs / 1000) }),
    },
    isExcluded: exclude.includes(id) || exclude.includes(name),
  };
}

/**
 * The same by the module's step with ours behind it, or by the rules alone where there is none. Whether it is a one-to-one chat is not the
 * module's to say: two people have one chat.
 *
 * @returns Besides, what is wrong with the module's answer: the conversation is ours then.
 */
export function mapConversationByMapping(
  conversation: ConversationRecord,
  { rules, module }: { readonly rules: Rules; readonly module?: MappingModule | undefined },
  nameOf: (userId: string) => string,
  uidOf: (userId: string) => string,
): { readonly mapped: MappedConversation; readonly fault?: string } {
  const ours = (given: ConversationRecord) => mapConversation(given, rules, nameOf, uidOf);
  const step = module?.mapConversation;
  if (!step) return { mapped: ours(conversation) };
  const next = (given: ConversationRecord): ConversationResult => {
    const { details, isExcluded } = ours(checkedRecord(given, conversationSchema, ({ id }) => id, conversation.id));
    return { ...(details as unknown as ConversationResult), isExcluded };
  };
  const { result, fault } = runStep(
    'mapConversation',
    () => step(conversation, { rules, next }),
    conversationResultSchema,
  );
  if (fault !== undefined) return { mapped: ours(conversation), fault };
  const { isExcluded = false, ...details } = result;
  return { mapped: { receiverType: ours(conversation).receiverType, guid: details.guid, details, isExcluded } };
}

/**
 * Returns the type of a group. The service has public, password and private groups; a group that was not public must
 * not become public unless the rules specify it.
 */
function groupType({ id, type }: ConversationRecord, { conversations }: Rules): 'public' | 'private' {
  const byHand = Object.hasOwn(conversations.types, id) ? conversations.types[id] : undefined;
  if (byHand !== undefined) return byHand;
  const isChannel = type === 'public' || type === 'private';
  if (conversations.type !== 'as-exported') return isChannel ? conversations.type : 'private';
  return type === 'public' ? 'public' : 'private';
}

/** Notes to oneself have one member: they become a group, because nothing says that a user may write to themselves. */
const isBetweenTwo = (conversation: ConversationRecord) =>
  conversation.type === 'direct' && new Set(conversation.members).size === 2;

function guidSource(conversation: ConversationRecord, rules: Rules): string {
  const { id, name, type } = conversation;
  return fillTemplate(rules.conversations.guid, { id, name, type }) ?? id;
}
