import { type ConversationRecord, conversationSchema, type UserRecord, userSchema } from '../../model/records.ts';
import type { MappedConversation } from '../map-conversation.ts';
import type { MappedPerson } from '../map-person.ts';
import {
  type ConversationResult,
  conversationResultSchema,
  type MappingModule,
  type PersonResult,
  personResultSchema,
} from './module.ts';
import type { Rules } from '../rules/rules.ts';
import { checkedRecord, runStep } from './run-step.ts';

/**
 * The module's step for a person, with ours behind it.
 *
 * @returns What the module made of them, or ours with what is wrong with the module's answer.
 */
export function mapPersonByModule(
  user: UserRecord,
  step: NonNullable<MappingModule['mapPerson']>,
  rules: Rules,
  ours: (user: UserRecord) => MappedPerson,
): { readonly mapped: MappedPerson; readonly fault?: string } {
  const next = (given: UserRecord) =>
    ours(checkedRecord(given, userSchema, ({ id }) => id, user.id)).details as PersonResult;
  const { result, fault } = runStep('mapPerson', () => step(user, { rules, next }), personResultSchema);
  if (fault !== undefined) return { mapped: ours(user), fault };
  return { mapped: { uid: result.uid, name: result.name, details: result } };
}

/** The same for a conversation. Whether it is a one-to-one chat is not the module's to say: two people have one chat. */
export function mapConversationByModule(
  conversation: ConversationRecord,
  step: NonNullable<MappingModule['mapConversation']>,
  rules: Rules,
  ours: (conversation: ConversationRecord) => MappedConversation,
): { readonly mapped: MappedConversation; readonly fault?: string } {
  const next = (given: ConversationRecord): ConversationResult => {
    const { details, isExcluded } = ours(checkedRecord(given, conversationSchema, ({ id }) => id, conversation.id));
    return { ...(details as ConversationResult), isExcluded };
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
