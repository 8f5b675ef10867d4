import { z } from 'zod';
import { bindAttachmentRows, bindEditRows, bindMembers, bindReactionRows } from '../bind/children.ts';
import { bindMessages } from '../bind/messages.ts';
import { bindConversations, bindUsers } from '../bind/people.ts';
import type { BindContext, RowBinder } from '../bind/row-binder.ts';
import { bindRowFilter } from '../bind/row-filter.ts';
import { BindingScope } from '../bind/value.ts';
import type { Role } from '../roles.ts';
import type { Row } from '../row.ts';
import { bindingShape } from '../schema/bindings.ts';
import { type FilterBinding, filterShape } from '../schema/messages.ts';

/** Sections of a mapping that bind the columns of a table, each by the name of what its rows are. */
export type Section = Role;

const noSource = { source: '', workspace: '', nulls: [], zone: undefined };
const context: BindContext = {
  ...noSource,
  isDescribed: () => false,
  describe() {},
  ruleAgainst: () => undefined,
  leaveOut() {},
  loseConversation() {},
  mayBeLeftOut: () => false,
};

const nowhere = { add() {}, addMember() {} };

/** The least that each section must have, for binding one key of it alone. */
const nothing = { constant: '' };
const least: Readonly<Record<Section, object>> = {
  messages: { conversation: nothing, time: { from: nothing } },
  users: { id: nothing },
  conversations: { id: nothing },
  members: { conversation: nothing, user: nothing },
  attachments: { message: nothing },
  reactions: { message: nothing, emoji: nothing },
  edits: { message: nothing, time: { from: nothing } },
};

/** Returns the columns that one key of a section names; none if the key is incomplete or invalid. */
export function namesIn(section: Section, key: string, value: unknown): readonly string[] {
  const binder = binders[section]({ ...least[section], [key]: value });
  return binder ? [...binder.required, ...binder.optional] : [];
}

const filterSchema = z.object(filterShape);

/** Returns the conditions of a section; undefined if it has none. */
function filterIn(section: unknown): FilterBinding | undefined {
  const { data } = filterSchema.safeParse(section ?? {});
  return data?.only || data?.skipWhen ? data : undefined;
}

const makeBinder =
  <Binding>(
    schema: { safeParse(bindings: unknown): { readonly data?: Binding | undefined } },
    bind: (binding: NonNullable<Binding>) => RowBinder,
  ) =>
  (bindings: unknown): RowBinder | undefined => {
    const { data } = schema.safeParse(bindings);
    return data === undefined || data === null ? undefined : bind(data);
  };

const { messages, users, conversations, members, attachments, reactions, edits } = bindingShape();

const binders: Readonly<Record<Section, (bindings: unknown) => RowBinder | undefined>> = {
  messages: makeBinder(messages, (binding) => bindMessages(binding, context)),
  users: makeBinder(users, (binding) => bindUsers(binding, context)),
  conversations: makeBinder(conversations, (binding) => bindConversations(binding, context)),
  members: makeBinder(members, (binding) => bindMembers(binding, context, nowhere)),
  attachments: makeBinder(attachments, (binding) => bindAttachmentRows(binding, context, nowhere)),
  reactions: makeBinder(reactions, (binding) => bindReactionRows(binding, context, nowhere)),
  edits: makeBinder(edits, (binding) => bindEditRows(binding, context, nowhere)),
};

/** The rows that a section reads: the others are left out already. */
export function rowsThatAreRead(section: unknown, rows: readonly Row[], nulls: readonly string[]): readonly Row[] {
  const filter = filterIn(section);
  if (!filter) return rows;
  const { leavesOut } = bindRowFilter(filter, new BindingScope(nulls));
  return rows.filter((row) => leavesOut(row) === undefined);
}
