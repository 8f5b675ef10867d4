import type { ChildRows } from '../copy/child-rows.ts';
import type { Role } from '../roles.ts';
import { bindAttachmentRows, bindEditRows, bindMembers, bindReactionRows } from './children.ts';
import { bindConversations, bindUsers } from './people.ts';
import type { TableContext } from '../../table-source.ts';
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
 * @param onWord Told of each value by which rows are sorted, with the role and the column: `messages.kind`.
 * @param children Takes the rows of child tables, and gives them to messages and conversations; without it those tables are not bound.
 */
export function createBinders(
  bindings: Bindings & { readonly messages: NonNullable<Bindings['messages']> },
  origin: Origin,
  children?: ChildRows,
  onWord?: TableContext['onWord'],
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
  const of = (role: Role): BindContext =>
    onWord ? { ...context, onWord: (column, word) => onWord(`${role}.${column}`, word) } : context;
  const { users, conversations, members, attachments, reactions, edits } = bindings;
  return {
    isDescribed: context.isDescribed,
    loseConversation: context.loseConversation,
    mayBeLeftOut: context.mayBeLeftOut,
    messages: bindMessages(bindings.messages, of('messages')),
    ...(users && { users: bindUsers(users, of('users')) }),
    ...(conversations && { conversations: bindConversations(conversations, of('conversations')) }),
    ...(children && members && { members: bindMembers(members, of('members'), children) }),
    ...(children && attachments && { attachments: bindAttachmentRows(attachments, of('attachments'), children) }),
    ...(children && reactions && { reactions: bindReactionRows(reactions, of('reactions'), children) }),
    ...(children && edits && { edits: bindEditRows(edits, of('edits'), children) }),
  };
}
