import { bindConversations, bindUsers } from './people.ts';
import { bindMessages } from './messages.ts';
import type { Bindings } from '../schema/bindings.ts';
import type { BindContext, RowBinder } from './row-binder.ts';

/** A binder for each table that the mapping binds. */
export type Binders = { readonly messages: RowBinder } & Partial<Record<'users' | 'conversations', RowBinder>>;

/** @param bindings With `messages`. In memory: one entry for each conversation. */
export function createBinders(
  bindings: Bindings & { readonly messages: NonNullable<Bindings['messages']> },
  origin: { readonly source: string; readonly workspace: string },
): Binders {
  const described = new Set<string>();
  const context: BindContext = {
    ...origin,
    nulls: bindings.nulls,
    zone: bindings.zone,
    isDescribed: (conversation) => described.has(conversation),
    describe: (conversation) => described.add(conversation),
  };
  return {
    messages: bindMessages(bindings.messages, context),
    ...(bindings.users && { users: bindUsers(bindings.users, context) }),
    ...(bindings.conversations && { conversations: bindConversations(bindings.conversations, context) }),
  };
}
