import type { ConversationRecord, MessageRecord, UserRecord } from '../model/records.ts';
import type { Check, Concern, ConversationCheck, MessageCheck, PersonCheck, RecordContext } from './check.ts';
import { conversationChecks } from './checks/conversations.ts';
import { personChecks } from './checks/people.ts';
import { messageChecks } from './checks/messages.ts';
import { isUnusual } from './checks/texts.ts';

/** Result of a check, in words. */
export interface Finding {
  readonly code: string;
  readonly detail: string;
}

/** The checks by what they concern, in the order of the registry. */
const concerning = Object.groupBy(messageChecks, ({ concerns }) => concerns) as Readonly<
  Record<Concern, readonly MessageCheck[]>
>;

const none: readonly Finding[] = [];

/** Runs the non-blocking checks on a message. A feature that most messages lack costs them one comparison. */
export function askMessage(record: MessageRecord, context: RecordContext): readonly Finding[] {
  let found = ask(concerning.anything, record, context, none);
  if (record.threadRoot !== undefined) found = ask(concerning.replies, record, context, found);
  if (record.quoteOf !== undefined) found = ask(concerning.quotes, record, context, found);
  if (record.isBroadcast) found = ask(concerning.broadcasts, record, context, found);
  if (record.custom) found = ask(concerning['own facts'], record, context, found);
  if (record.isDeleted) found = ask(concerning.deletions, record, context, found);
  if (record.call) found = ask(concerning.calls, record, context, found);
  if (isUnusual(record.text)) found = ask(concerning['unusual text'], record, context, found);
  if (record.attachments?.length) found = ask(concerning.attachments, record, context, found);
  if (record.reactions?.length) found = ask(concerning.reactions, record, context, found);
  if (record.mentions?.length) found = ask(concerning.mentions, record, context, found);
  if (record.edited) found = ask(concerning.edit, record, context, found);
  return found;
}

export const askPerson = (user: UserRecord, context: Parameters<PersonCheck['find']>[1]): readonly Finding[] =>
  ask(personChecks, user, context, none);

export const askConversation = (
  conversation: ConversationRecord,
  context: Parameters<ConversationCheck['find']>[1],
): readonly Finding[] => ask(conversationChecks, conversation, context, none);

/** The check of this code that looks at people, or nothing. */
export const personCheckOf = (code: string) => personChecks.find((one) => one.code === code);

/** The check of this code that looks at conversations, or nothing. */
export const conversationCheckOf = (code: string) => conversationChecks.find((one) => one.code === code);

/** Most calls find nothing: a list is created for the first finding only. */
function ask<Subject, Context>(
  checks: readonly (Check & { find(subject: Subject, context: Context): string | undefined })[],
  subject: Subject,
  context: Context,
  before: readonly Finding[],
): readonly Finding[] {
  let found = before;
  for (const check of checks) {
    const detail = check.find(subject, context);
    if (detail !== undefined) found = [...found, { code: check.code, detail }];
  }
  return found;
}
