import type { Reaction } from '../../model/records.ts';
import type { OnBadList } from './bind-attachments.ts';
import { elementsOf } from './list-value.ts';
import type { ReactionBinding } from './message-binding.ts';
import { parsePath, valueAt } from './path.ts';
import type { Row } from './row.ts';
import { type BindingScope, textOf } from './value.ts';

/** Reactions of a row, each emoji once: by every rule in turn. */
export function bindReactions(
  rules: readonly ReactionBinding[],
  scope: BindingScope,
): (row: Row, onBadList: OnBadList) => Reaction[] {
  const bound = rules.map((rule) =>
    rule.list === undefined ? bindColumn(rule, scope) : bindList(rule, rule.list, scope),
  );
  return (row, onBadList) => merged(bound.flatMap((read) => read(row, onBadList)));
}

/** One column counts one emoji, or names it. */
function bindColumn({ emoji, users, count, separator }: ReactionBinding, scope: BindingScope) {
  const readEmoji = scope.text(emoji);
  const readUsers = users === undefined ? () => undefined : scope.column(users);
  const readCount = scope.text(count);
  return (row: Row): Reaction[] => {
    const name = readEmoji(row);
    const who = userIds(readUsers(row), separator);
    const counted = readCount(row);
    const isThere = name !== undefined && (who.length > 0 || counted !== undefined || (users ?? count) === undefined);
    return isThere ? reaction(name, who, counted) : [];
  };
}

/** A list of objects, of emoji, or one object `{ "👍": ["u1", "u2"], "🎉": 3 }`. */
function bindList(rule: ReactionBinding, column: string, scope: BindingScope) {
  const read = scope.column(column);
  const emojiPath = typeof rule.emoji === 'string' ? parsePath(rule.emoji) : undefined;
  const usersPath = parsePath(rule.users ?? 'users');
  const countPath = parsePath(rule.count ?? 'count');
  const fromElement = (element: unknown): Reaction[] => {
    if (typeof element !== 'object' || element === null) return reaction(textOf(element), [], undefined);
    if (emojiPath === undefined)
      return Object.entries(element).flatMap(([emoji, value]) => byEmoji(emoji, value, rule.separator));
    const who = userIds(valueAt(element, usersPath), rule.separator);
    return reaction(textOf(valueAt(element, emojiPath)), who, textOf(valueAt(element, countPath)));
  };
  return (row: Row, onBadList: OnBadList): Reaction[] => {
    const value = read(row);
    const elements = elementsOf(value, rule.separator);
    if (!elements) onBadList(textOf(value)!);
    return (elements ?? []).flatMap(fromElement);
  };
}

const byEmoji = (emoji: string, value: unknown, separator: string): Reaction[] =>
  Array.isArray(value) ? reaction(emoji, userIds(value, separator), undefined) : reaction(emoji, [], textOf(value));

/** Ids, or objects with an `id`. */
const userIds = (value: unknown, separator: string): string[] =>
  (elementsOf(value, separator) ?? []).flatMap((element) => textOf(valueAt(element, ['id']) ?? element) ?? []);

function reaction(emoji: string | undefined, users: readonly string[], counted: string | undefined): Reaction[] {
  if (emoji === undefined) return [];
  const number = counted === undefined ? Math.max(users.length, 1) : Number(counted);
  if (!Number.isSafeInteger(number) || number <= 0) return [];
  return [{ emoji, users: [...users], count: Math.max(number, users.length) }];
}

function merged(reactions: readonly Reaction[]): Reaction[] {
  const byName = new Map<string, Reaction>();
  for (const { emoji, users, count } of reactions) {
    const before = byName.get(emoji);
    byName.set(emoji, { emoji, users: [...(before?.users ?? []), ...users], count: (before?.count ?? 0) + count });
  }
  return [...byName.values()];
}
