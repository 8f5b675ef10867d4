import type { ChildRows } from '../copy/child-rows.ts';
import type { Role } from '../roles.ts';
import { bindAttachmentRows, bindEditRows, bindMembers, bindReactionRows } from './children.ts';
import { bindConversations, bindUsers } from './people.ts';
import { isEvery } from './row-filter.ts';
import { bindMessages } from './messages.ts';
import type { Bindings } from '../schema/bindings.ts';
import type { BindContext, RowBinder } from './row-binder.ts';

/** A binder for each table that the mapping binds. */
export type Binders = { readonly messages: RowBinder } & Readonly<Partial<Record<Role, RowBinder>>> &
  Pick<BindContext, 'isDescribed' | 'loseConversation' | 'mayBeLeftOut'>;

interface Origin {
  readonly source: string;
  readonly workspace: string;
}

/**
 * @param bindings With `messages`. In memory: one entry for each conversation.
 * @param children Takes the rows of child tables, and gives them to messages and conversations; without it those tables are not bound.
 */
export function createBinders(
  bindings: Bindings & { readonly messages: NonNullable<Bindings['messages']> },
  origin: Origin,
  children?: ChildRows,
): Binders {
  const described = new Set<string>();
  const leftOut = new Map<string, string>();
  const leavesOut = (['only', 'skipWhen'] as const).some((key) =>
    Object.values(bindings.conversations?.[key] ?? {}).some((condition) => !isEvery(condition)),
  );
  let hasLost = false;
  const context: BindContext = {
    ...origin,
    nulls: bindings.nulls,
    zone: bindings.zone,
    isDescribed: (conversation) => described.has(conversation),
    describe: (conversation) => described.add(conversation),
    ruleAgainst: (conversation) => leftOut.get(conversation),
    leaveOut: (conversation, rule) => leftOut.set(conversation, rule),
    loseConversation() {
      hasLost = true;
    },
    mayBeLeftOut: (conversation) => leavesOut && hasLost && !described.has(conversation),
    children,
  };
  const { users, conversations, members, attachments, reactions, edits } = bindings;
  return {
    isDescribed: context.isDescribed,
    loseConversation: context.loseConversation,
    mayBeLeftOut: context.mayBeLeftOut,
    messages: bindMessages(bindings.messages, context),
    ...(users && { users: bindUsers(users, context) }),
    ...(conversations && { conversations: bindConversations(conversations, context) }),
    ...(children && members && { members: bindMembers(members, context, children) }),
    ...(children && attachments && { attachments: bindAttachmentRows(attachments, context, children) }),
    ...(children && reactions && { reactions: bindReactionRows(reactions, context, children) }),
    ...(children && edits && { edits: bindEditRows(edits, context, children) }),
  };
}
