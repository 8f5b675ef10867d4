import { z } from 'zod';
import type { ConversationRecord, MessageRecord, UserRecord } from '../../model/records.ts';
import { idPattern } from '../../service/limits.ts';
import type { Rules } from '../rules/rules.ts';

/**
 * What a JavaScript or TypeScript module beside a mapping may replace, each step by itself. A step gets a record and a
 * context whose `next(record)` is what the mapping file would make of it: change the record before, the result after,
 * or answer something else altogether. Steps are pure and synchronous: the same record must always become the same.
 */
export interface MappingModule {
  readonly mapPerson?: (user: UserRecord, context: StepContext<UserRecord, PersonResult>) => PersonResult;
  readonly mapConversation?: (
    conversation: ConversationRecord,
    context: StepContext<ConversationRecord, ConversationResult>,
  ) => ConversationResult;
  readonly mapMessage?: (
    message: MessageRecord,
    context: StepContext<MessageRecord, MessageResult> & MessageStepContext,
  ) => MessageResult;
}

export interface StepContext<R, Result> {
  /** What the mapping file says. */
  readonly rules: Rules;
  /** What the mapping file makes of the record. Its identity (ids and origin) must be that of the record given. */
  next(record: R): Result;
}

export interface MessageStepContext {
  /** The uid of somebody whom the export knows by this id. */
  uidOf(userId: string): string;
}

const id = z.string().regex(idPattern, { error: 'expected 1 to 100 characters of a-z, 0-9, - and _' });
const seconds = z.int().nonnegative();
const url = z.url({ protocol: /^https?$/ }).max(3000);

/** A user, in the service's shape. */
export const personResultSchema = z.strictObject({
  uid: id,
  name: z.string().min(1).max(100),
  avatar: url.optional(),
  link: url.optional(),
  createdAt: seconds.optional(),
  metadata: z.record(z.string(), z.json()).optional(),
});
export type PersonResult = z.infer<typeof personResultSchema>;

/** A group, in the service's shape, and whether its messages are left out. The rest of a one-to-one chat is not sent. */
export const conversationResultSchema = z.strictObject({
  guid: id,
  name: z.string().min(1).max(100),
  type: z.enum(['public', 'private']),
  description: z.string().max(255).optional(),
  icon: url.optional(),
  owner: id.optional(),
  createdAt: seconds.optional(),
  metadata: z.record(z.string(), z.json()).optional(),
  isExcluded: z.boolean().optional(),
});
export type ConversationResult = z.infer<typeof conversationResultSchema>;

/** A message's payload in the service's shape, or the words of a rule by which it is left out or rejected. */
export const payloadSchema = z.strictObject({
  category: z.enum(['message', 'custom']),
  type: z.string().min(1),
  data: z.looseObject({
    text: z.string().optional(),
    attachments: z
      .array(
        z.looseObject({
          name: z.string(),
          extension: z.string(),
          mimeType: z.string(),
          size: z.string().optional(),
          url,
        }),
      )
      .optional(),
    metadata: z.record(z.string(), z.json()).optional(),
  }),
  tags: z.array(z.string()).optional(),
});
export type Payload = z.infer<typeof payloadSchema>;

export const messageResultSchema = z.union([
  z.strictObject({ skip: z.string().min(1) }),
  z.strictObject({ reject: z.string().min(1), code: z.string().optional() }),
  payloadSchema,
]);
export type MessageResult = z.infer<typeof messageResultSchema>;

/** Gives a module its types: `export default defineMapping({ mapMessage(message, { next }) { … } })`. */
export const defineMapping = (module: MappingModule): MappingModule => module;
