import type { ConversationRecord } from '../../model/records.ts';
import type { MessageBinding } from './message-binding.ts';
import type { Row } from './row.ts';
import type { BindingScope } from './value.ts';

/** The conversation that a message stands in, as far as the message says. */
export interface NamedConversation {
  readonly id: string;
  /** The two people of a direct chat, the one first whom the mapping names first. */
  readonly between?: readonly [string, string];
}

export function bindConversationOf(
  binding: MessageBinding['conversation'],
  scope: BindingScope,
): (row: Row) => NamedConversation | undefined {
  if (typeof binding === 'string' || !('between' in binding)) {
    const id = scope.text(binding, 'required');
    return (row) => asNamed(id(row));
  }
  const one = scope.text(binding.between[0], 'required');
  const other = scope.text(binding.between[1], 'required');
  return (row) => {
    const first = one(row);
    const second = other(row);
    return first === undefined || second === undefined
      ? undefined
      : { id: pairId(first, second), between: [first, second] };
  };
}

const asNamed = (id: string | undefined) => (id === undefined ? undefined : { id });

/** The same for both directions: `7:12` for 12 and 7. A colon in an id is escaped, so that no two pairs look alike. */
function pairId(one: string, other: string): string {
  const ids = [one, other].map((id) => id.replace(/[%:]/g, encodeURIComponent));
  return ids.sort().join(':');
}

/** A conversation that no table describes, as its messages show it. What nothing calls public is private. */
export function conversationFrom({ id, between }: NamedConversation, name: string | undefined): ConversationRecord {
  if (!between) return { kind: 'conversation', id, type: 'private', name: name ?? '', members: [] };
  return { kind: 'conversation', id, type: 'direct', name: '', members: [...new Set(between)].sort() };
}
