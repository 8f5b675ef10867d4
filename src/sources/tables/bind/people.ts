import type { ConversationRecord, UserRecord } from '../../../model/records.ts';
import { excerpt } from '../../kit/narrow.ts';
import { RowNotes } from '../../kit/row-notes.ts';
import { bindTime } from './time.ts';
import { elementsOf } from './lists.ts';
import type { ListBinding } from '../schema/messages.ts';
import type { ConversationBinding, UserBinding } from '../schema/bindings.ts';
import type { BindContext, RowBinder } from './row-binder.ts';
import type { Row } from '../row.ts';
import { BindingScope, isShortened, shortenedReason, textOf } from './value.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const roles: ReadonlySet<string> = new Set(['owner', 'admin', 'member', 'guest', 'single-conversation-guest', 'bot']);

/** Rows as people. A row that cannot be one is a problem, not a reject: it is no message. */
export function bindUsers(binding: UserBinding, context: BindContext): RowBinder {
  const scope = new BindingScope(context.nulls);
  const notes = new RowNotes();
  const idOf = scope.text(binding.id, 'required');
  const text = {
    name: scope.text(binding.name),
    handle: scope.text(binding.handle),
    email: scope.text(binding.email),
    avatarUrl: scope.text(binding.avatarUrl),
    role: scope.text(binding.role),
  };
  const isBot = scope.flag(binding.isBot);
  const isDeleted = scope.flag(binding.isDeleted);
  const createdAt =
    binding.createdAt === undefined ? undefined : bindTime(binding.createdAt, scope, { zone: context.zone });

  const readUser = (row: Row, id: string): UserRecord => {
    const [handle, email, avatarUrl, role] = [text.handle(row), text.email(row), text.avatarUrl(row), text.role(row)];
    const user: Mutable<UserRecord> = {
      kind: 'user',
      id,
      name: text.name(row) ?? handle ?? (email?.split('@')[0] || undefined) ?? id,
    };
    if (handle !== undefined) user.handle = handle;
    if (email !== undefined) user.email = email;
    if (avatarUrl !== undefined) user.avatarUrl = avatarUrl;
    if (role !== undefined && roles.has(role)) user.role = role as NonNullable<UserRecord['role']>;
    if (isBot(row) || role === 'bot') user.isBot = true;
    if (isDeleted(row)) user.isDeleted = true;
    const created = createdAt?.(row);
    if (created?.state === 'read') user.createdAtMs = created.time.atMs;
    return user;
  };

  return {
    required: scope.required,
    optional: scope.optional,
    beginFile() {},
    bind(row, into) {
      const id = idOf(row);
      if (id === undefined)
        return notes.add('user-without-id', 'This person has no id and is left out', row.location, into);
      if (isShortened(id))
        return notes.add('shortened-id', shortenedReason('id of this person', id), row.location, into);
      const role = text.role(row);
      if (role !== undefined && !roles.has(role)) {
        const reason = `The role ${excerpt(role)} is not known and is left out: translate it with { from, values }`;
        notes.add('unknown-role', reason, row.location, into);
      }
      into.push({ type: 'record', record: readUser(row, id), location: row.location });
    },
    endFile: (path, into) => notes.end(path, into),
  };
}

const types: ReadonlySet<string> = new Set(['direct', 'group-direct', 'private', 'public']);

/** Rows as conversations. A row that cannot be one is a problem, not a reject: it is no message. */
export function bindConversations(binding: ConversationBinding, context: BindContext): RowBinder {
  const scope = new BindingScope(context.nulls);
  const notes = new RowNotes();
  const idOf = scope.text(binding.id, 'required');
  const text = {
    type: scope.text(binding.type),
    name: scope.text(binding.name),
    topic: scope.text(binding.topic),
    description: scope.text(binding.description),
    creator: scope.text(binding.creator),
  };
  const membersOf = bindMembers(binding.members, scope);
  const isArchived = scope.flag(binding.isArchived);
  const createdAt =
    binding.createdAt === undefined ? undefined : bindTime(binding.createdAt, scope, { zone: context.zone });

  const readConversation = (row: Row, id: string): ConversationRecord => {
    const [type, topic, description, creator] = [
      text.type(row),
      text.topic(row),
      text.description(row),
      text.creator(row),
    ];
    const conversation: Mutable<ConversationRecord> = {
      kind: 'conversation',
      id,
      // What nothing calls public is private.
      type: type !== undefined && types.has(type) ? (type as ConversationRecord['type']) : 'private',
      name: text.name(row) ?? '',
      members: membersOf(row),
    };
    if (topic !== undefined) conversation.topic = topic;
    if (description !== undefined) conversation.description = description;
    if (creator !== undefined) conversation.creator = creator;
    if (isArchived(row)) conversation.isArchived = true;
    const created = createdAt?.(row);
    if (created?.state === 'read') conversation.createdAtMs = created.time.atMs;
    return conversation;
  };

  return {
    required: scope.required,
    optional: scope.optional,
    beginFile() {},
    bind(row, into) {
      const id = idOf(row);
      if (id === undefined) {
        return notes.add('conversation-without-id', 'This conversation has no id and is left out', row.location, into);
      }
      if (isShortened(id)) {
        return notes.add('shortened-id', shortenedReason('id of this conversation', id), row.location, into);
      }
      const type = text.type(row);
      if (type !== undefined && !types.has(type)) {
        const reason = `The type ${excerpt(type)} is not known and taken as private: translate it with { from, values }`;
        notes.add('unknown-conversation-type', reason, row.location, into);
      }
      context.describe(id);
      into.push({ type: 'record', record: readConversation(row, id), location: row.location });
    },
    endFile: (path, into) => notes.end(path, into),
  };
}

function bindMembers(binding: ListBinding | undefined, scope: BindingScope): (row: Row) => string[] {
  if (binding === undefined) return () => [];
  const { from, separator } = typeof binding === 'string' ? { from: binding, separator: ',' } : binding;
  const read = scope.value(from);
  return (row) => [...new Set((elementsOf(read(row), separator) ?? []).flatMap((member) => textOf(member) ?? []))];
}
