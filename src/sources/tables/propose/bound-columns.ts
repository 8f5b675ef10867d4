import { bindMessages } from '../bind/messages.ts';
import { bindConversations, bindUsers } from '../bind/people.ts';
import type { BindContext, RowBinder } from '../bind/row-binder.ts';
import { bindingShape } from '../schema/bindings.ts';

export type Section = 'messages' | 'users' | 'conversations';

const context: BindContext = {
  ...{ source: '', workspace: '', nulls: [], zone: undefined },
  isDescribed: () => false,
  describe() {},
  ruleAgainst: () => undefined,
  leaveOut() {},
};

/** The least that each section must have, for binding one key of it alone. */
const nothing = { constant: '' };
const least = {
  messages: { conversation: nothing, time: { from: nothing } },
  users: { id: nothing },
  conversations: { id: nothing },
};

/** Columns that one key of a section names; none where it is not finished, or wrong in itself. */
export function namesIn(section: Section, key: string, value: unknown): readonly string[] {
  const binder = binderOf(section, { ...least[section], [key]: value });
  return binder ? [...binder.required, ...binder.optional] : [];
}

function binderOf(section: Section, bindings: unknown): RowBinder | undefined {
  const { messages, users, conversations } = bindingShape;
  if (section === 'messages') {
    const { data } = messages.safeParse(bindings);
    return data && bindMessages(data, context);
  }
  if (section === 'users') {
    const { data } = users.safeParse(bindings);
    return data && bindUsers(data, context);
  }
  const { data } = conversations.safeParse(bindings);
  return data && bindConversations(data, context);
}
