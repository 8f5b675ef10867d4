import type { ConversationRecord, UserRecord } from '../../../model/records.ts';
import { recordEntry } from '../../kit/entries.ts';
import { excerpt } from '../../kit/narrow.ts';
import { RowNotes } from '../../kit/rows/row-notes.ts';
import { withMembers } from './conversation.ts';
import { bindTime } from './time.ts';
import { splitElements } from './lists.ts';
import type { TimeBinding } from '../schema/expressions.ts';
import type { ListBinding } from '../schema/messages.ts';
import type { ConversationBinding, UserBinding } from '../schema/bindings.ts';
import type { BindContext, RowBinder } from './row-binder.ts';
import { bindRowFilter, type RowFilter } from './row-filter.ts';
import { type Row, valueAt } from '../row.ts';
import { BindingScope, isShortened, shortenedReason, valueText } from './value.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const isMail = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

const roles: ReadonlySet<string> = new Set(['owner', 'admin', 'member', 'guest', 'single-conversation-guest', 'bot']);

/** Rows as people. */
export function bindUsers(binding: UserBinding, context: BindContext): RowBinder {
  const scope = new BindingScope(context.nulls, context.onWord);
  const text = {
    name: scope.text(binding.name),
    handle: scope.text(binding.handle),
    email: scope.text(binding.email),
    phone: scope.text(binding.phone),
    avatarUrl: scope.text(binding.avatarUrl),
    role: scope.text(binding.role),
  };
  const isBot = scope.flag(binding.isBot);
  const isDeleted = scope.flag(binding.isDeleted);
  const createdAtMs = bindPast(binding.createdAt, scope, context);
  const read = (row: Row, id: string, note: Note): UserRecord => {
    const [handle, email, avatarUrl, role] = [text.handle(row), text.email(row), text.avatarUrl(row), text.role(row)];
    const [own, ofMail] = [text.name(row) ?? handle, email?.split('@')[0] || undefined];
    const name = own ?? ofMail ?? id;
    if (isMail.test(name)) note('name-from-mail', `The name is a mail address: ${excerpt(name)}`, [id]);
    else if (own === undefined && ofMail !== undefined)
      note('name-from-mail', `No name, so it is a part of the mail address: ${excerpt(name)}`, [id]);
    const user: Mutable<UserRecord> = { kind: 'user', id, name };
    if (handle !== undefined) user.handle = handle;
    if (email !== undefined) user.email = email;
    const phone = text.phone(row);
    if (phone !== undefined) user.phone = phone;
    if (avatarUrl !== undefined) user.avatarUrl = avatarUrl;
    if (role !== undefined && roles.has(role)) user.role = role as NonNullable<UserRecord['role']>;
    else if (role !== undefined) {
      const reason = `The role ${excerpt(role)} is not known and is left out: translate it with { from, values }`;
      note('unknown-role', reason);
    }
    if (isBot(row) || role === 'bot') user.isBot = true;
    if (isDeleted(row)) user.isDeleted = true;
    const created = createdAtMs(row);
    if (created !== undefined) user.createdAtMs = created;
    return user;
  };
  const filter = bindRowFilter(binding, scope);
  const rows = descriptions({ scope, idOf: scope.text(binding.id, 'required'), what: 'person', read });
  return withFilter(rows, filter, (row) => filter.leavesOut(row) !== undefined);
}

const types: ReadonlySet<string> = new Set(['direct', 'group-direct', 'private', 'public']);

/** Rows as conversations. */
export function bindConversations(binding: ConversationBinding, context: BindContext): RowBinder {
  const scope = new BindingScope(context.nulls, context.onWord);
  const idOf = scope.text(binding.id, 'required');
  const text = {
    type: scope.text(binding.type),
    name: scope.text(binding.name),
    topic: scope.text(binding.topic),
    description: scope.text(binding.description),
    creator: scope.text(binding.creator),
  };
  const readMembers = bindMemberList(binding.members, scope);
  const isArchived = scope.flag(binding.isArchived);
  const createdAtMs = bindPast(binding.createdAt, scope, context);
  const filter = bindRowFilter(binding, scope);
  const read = (row: Row, id: string, note: Note): ConversationRecord => {
    const [type, topic, description] = [text.type(row), text.topic(row), text.description(row)];
    const creator = text.creator(row);
    const isKnown = type !== undefined && types.has(type);
    if (type !== undefined && !isKnown) {
      const reason = `The type ${excerpt(type)} is not known and taken as private: translate it with { from, values }`;
      note('unknown-conversation-type', reason, [id]);
    }
    const conversation: Mutable<ConversationRecord> = {
      kind: 'conversation',
      id,
      // Private unless it is marked as public.
      type: isKnown ? (type as ConversationRecord['type']) : 'private',
      name: text.name(row) ?? '',
      members: readMembers(row),
    };
    if (topic !== undefined) conversation.topic = topic;
    if (description !== undefined) conversation.description = description;
    if (creator !== undefined) conversation.creator = creator;
    if (isArchived(row)) conversation.isArchived = true;
    const created = createdAtMs(row);
    if (created !== undefined) conversation.createdAtMs = created;
    context.describe(id);
    return withMembers(conversation, context);
  };
  const isLeftOut = (row: Row, id: string): boolean => {
    const rule = filter.leavesOut(row);
    if (rule === undefined) return false;
    // Its members alone do not bring it back.
    context.describe(id);
    context.leaveOut(id, `conversations.${rule}`);
    return true;
  };
  const rows = descriptions({ scope, idOf, what: 'conversation', read, isLeftOut, lose: context.loseConversation });
  // A row without an id may be one of another table in the same file.
  return withFilter(rows, filter, (row) => idOf(row) === undefined && filter.leavesOut(row) !== undefined);
}

/** @param isOther Whether the filter leaves a row out before it is read. */
const withFilter = (rows: RowBinder, filter: RowFilter, isOther: (row: Row) => boolean): RowBinder => ({
  ...rows,
  bind: (row, into) => !isOther(row) && rows.bind(row, into),
  endFile(path, into) {
    rows.endFile(path, into);
    filter.end(path, into);
  },
});

function bindMemberList(binding: ListBinding | undefined, scope: BindingScope): (row: Row) => string[] {
  if (binding === undefined) return () => [];
  const { from, separator } = typeof binding === 'string' ? { from: binding, separator: ',' } : binding;
  const read = typeof from === 'string' ? scope.list(from, ['id']) : scope.value(from);
  const ids = (row: Row) => {
    const value = read(row);
    const elements = markedKeys(value) ?? splitElements(value, separator) ?? [];
    return elements.flatMap((member) => valueText(idOf(member)) ?? []);
  };
  return (row) => [...new Set(ids(row))];
}

/** A set as Firebase has it: `{"ines": true, "bo": true}`, or `{"ines": {"role": "owner"}}`. Who is marked false is no member. */
export function markedKeys(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const isMark = (mark: unknown) => typeof mark === 'boolean' || (typeof mark === 'object' && mark !== null);
  if (entries.length === 0 || !entries.every(([, mark]) => isMark(mark))) return undefined;
  return entries.flatMap(([key, mark]) => (mark === false ? [] : [key]));
}

/** Members may be ids, or objects with an `id`. */
const idOf = (member: unknown): unknown => valueAt(member, ['id']) ?? member;

/** Returns a reader of creation times. It returns undefined if the time cannot be read, because no message depends on it. */
function bindPast(binding: TimeBinding | undefined, scope: BindingScope, { zone }: BindContext) {
  if (binding === undefined) return () => undefined;
  const read = bindTime(binding, scope, { zone });
  return (row: Row): number | undefined => {
    const found = read(row);
    return found.state === 'read' ? found.time.atMs : undefined;
  };
}

/** Takes down what is odd about the row at hand. @param about The person that a decision is about. */
type Note = (code: string, reason: string, about?: readonly string[]) => void;

interface Descriptions {
  readonly scope: BindingScope;
  readonly idOf: (row: Row) => string | undefined;
  readonly what: 'person' | 'conversation';
  readonly read: (row: Row, id: string, note: Note) => UserRecord | ConversationRecord;
  readonly isLeftOut?: (row: Row, id: string) => boolean;
  /** Called for each row that describes no person. */
  readonly lose?: () => void;
}

/**
 * Reads rows that describe a person or a conversation. A row that cannot be read is a problem, not an invalid row,
 * because it is not a message.
 */
function descriptions({ scope, idOf, what, read, isLeftOut, lose }: Descriptions): RowBinder {
  const notes = new RowNotes();
  const withoutId = what === 'person' ? 'user-without-id' : 'conversation-without-id';
  return {
    required: scope.required,
    optional: scope.optional,
    lists: scope.lists,
    beginFile() {},
    bind(row, into) {
      const { location } = row;
      const note: Note = (code, reason, about) => notes.add(code, reason, location, into, about);
      const id = idOf(row);
      if (id === undefined || isShortened(id)) lose?.();
      if (id === undefined) note(withoutId, `This ${what} has no id and is left out`);
      else if (isShortened(id)) note('shortened-id', shortenedReason(`id of this ${what}`, id));
      else if (isLeftOut?.(row, id)) return false;
      else into.push(recordEntry(read(row, id, note), location));
      return into.at(-1)?.type === 'record';
    },
    endFile: (path, into) => notes.end(path, into),
  };
}
