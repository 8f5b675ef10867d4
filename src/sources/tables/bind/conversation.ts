import type { ConversationRecord } from '../../../model/records.ts';
import type { MessageBinding, PairBinding } from '../schema/messages.ts';
import type { Row } from '../row.ts';
import { Members } from '../../../model/members.ts';
import { splitElements } from './lists.ts';
import type { BindContext } from './row-binder.ts';
import { bindCondition } from './row-filter.ts';
import { type BindingScope, valueText } from './value.ts';

/** The conversation of a message, as far as the message names it. */
export interface NamedConversation {
  readonly id: string;
  /** The people of a chat without a room, the one first whom the mapping names first. */
  readonly between?: readonly string[];
}

type ConversationBinding = MessageBinding['conversation'];
type Part = Extract<ConversationBinding, { first: unknown }>['first'][number];

export const isPair = (binding: ConversationBinding): binding is PairBinding =>
  typeof binding !== 'string' && 'between' in binding;

export function bindConversation(
  binding: ConversationBinding | Part,
  scope: BindingScope,
): (row: Row) => NamedConversation | undefined {
  if (typeof binding !== 'string' && 'first' in binding) {
    const alternatives = binding.first.map((one) => bindConversation(one, scope));
    return (row) => {
      for (const read of alternatives) {
        const found = read(row);
        if (found) return found;
      }
      return undefined;
    };
  }
  if (typeof binding !== 'string' && 'when' in binding) {
    const holds = bindCondition(binding.when, scope);
    const read = bindConversation(binding.take, scope);
    return (row) => (holds(row) ? read(row) : undefined);
  }
  if (typeof binding !== 'string' && 'between' in binding) return bindPeople(binding, scope);
  const readId = scope.text(binding, 'required');
  return (row) => {
    const id = readId(row);
    return id === undefined ? undefined : { id };
  };
}

/** Absent if one of the columns names nobody. */
function bindPeople({ between }: PairBinding, scope: BindingScope): (row: Row) => NamedConversation | undefined {
  const reads = between.map((one) => {
    if (typeof one !== 'string' && 'list' in one) {
      const read = scope.column(one.list, 'required');
      return (row: Row) => (splitElements(read(row), one.separator) ?? []).flatMap((id) => valueText(id) ?? []);
    }
    const read = scope.text(one, 'required');
    return (row: Row) => {
      const id = read(row);
      return id === undefined ? [] : [id];
    };
  });
  return (row) => {
    const people: string[] = [];
    for (const read of reads) {
      const ids = read(row);
      if (ids.length === 0) return undefined;
      people.push(...ids);
    }
    return { id: pairId(people), between: people };
  };
}

/** The same for both directions: `7:12` for 12 and 7. A colon in an id is escaped, so that no two groups look alike. */
const pairId = (people: readonly string[]): string =>
  (people.length === 2 ? people : [...new Set(people)])
    .map((id) => id.replace(/[%:]/g, encodeURIComponent))
    .sort()
    .join(':');

/** Returns a conversation that no table describes, built from its messages. It is private unless it is marked as public. */
export function conversationFrom({ id, between }: NamedConversation, name: string | undefined): ConversationRecord {
  if (!between) return { kind: 'conversation', id, type: 'private', name: name ?? '', members: [] };
  const members = [...new Set(between)].sort();
  return { kind: 'conversation', id, type: members.length > 2 ? 'group-direct' : 'direct', name: '', members };
}

/** With the people that a table of members names, and the owner among them, unless the conversation has a creator. */
export function withMembers(
  record: ConversationRecord,
  { children }: Pick<BindContext, 'children'>,
): ConversationRecord {
  if (!children) return record;
  const people = new Members();
  people.addLists(record);
  const owner = children.addMembersOf(record.id, people);
  const creator = record.creator ?? owner;
  return { ...record, ...(creator !== undefined && { creator }), ...people.of(record.id) };
}
