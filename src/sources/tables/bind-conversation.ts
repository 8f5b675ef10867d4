import type { ConversationRecord } from '../../model/records.ts';
import type { BindContext } from './row-binder.ts';
import { bindTime } from './bind-time.ts';
import { elementsOf } from './list-value.ts';
import type { ListBinding } from './message-binding.ts';
import type { ConversationBinding } from './people-binding.ts';
import type { Row } from './row.ts';
import { excerpt } from '../kit/narrow.ts';
import type { RowBinder } from './row-binder.ts';
import { isShortened, shortenedReason } from './shortened.ts';
import { RowNotes } from '../kit/row-notes.ts';
import { BindingScope, textOf } from './value.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

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
