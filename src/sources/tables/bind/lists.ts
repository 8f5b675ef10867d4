import { decoded } from '../../../lib/text/decoded.ts';
import type { Attachment, Reaction } from '../../../model/records.ts';
import type { AttachmentBinding, ReactionBinding } from '../schema/messages.ts';
import { parsePath, type Row, valueAt } from '../row.ts';
import type { ValueExpression } from '../schema/expressions.ts';
import { parseExactJson } from '../row.ts';
import { type BindingScope, valueText } from './value.ts';

/**
 * Returns the elements of a list value: an array, JSON in a cell, an array of PostgreSQL (`{a,b}`), or text split by
 * the separator. One object is a list of one. Undefined if the text begins like JSON but is not valid.
 */
export function splitElements(value: unknown, separator: string): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null) return [value];
  const text = valueText(value)?.trim();
  if (text === undefined || text === '') return [];
  if (!/^[[{]/.test(text)) return split(text, separator);
  const parsed = parseExactJson(text);
  if (parsed !== undefined) return Array.isArray(parsed) ? parsed : [parsed];
  return /^\{[^{}[\]:]*\}$/.test(text) ? split(text.slice(1, -1), ',').map(unquoted) : undefined;
}

const split = (text: string, separator: string) =>
  text
    .split(separator)
    .map((element) => element.trim())
    .filter((element) => element !== '');

const unquoted = (text: string) => text.replace(/^"(.*)"$/s, '$1');

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Takes the text of a list that cannot be read. */
export type OnBadList = (text: string) => void;

type Parts<Of> = Readonly<Record<'url' | 'name' | 'type' | 'size' | 'id', (of: Of) => string | undefined>>;

/** Attachments of a row, by every rule in turn. A rule that finds neither address nor name adds none. */
export function bindAttachments(
  rules: readonly AttachmentBinding[],
  scope: BindingScope,
): (row: Row, onBadList: OnBadList) => Attachment[] {
  const bound = rules.map((rule) =>
    rule.list === undefined ? bindAttachmentColumns(rule, scope) : bindAttachmentList(rule, rule.list, scope),
  );
  return (row, onBadList) => bound.flatMap((read) => read(row, onBadList));
}

function bindAttachmentColumns(rule: AttachmentBinding, scope: BindingScope): (row: Row) => Attachment[] {
  const parts: Parts<Row> = {
    url: scope.text(rule.url),
    name: scope.text(rule.name),
    type: scope.text(rule.type),
    size: scope.text(rule.size),
    id: scope.text(rule.id),
  };
  return (row) => readAttachment(parts, row);
}

function bindAttachmentList(rule: AttachmentBinding, column: string, scope: BindingScope) {
  // A scope of its own: these names are no columns of the table.
  const inside = scope.inside();
  const parts: Parts<unknown> = {
    url: elementText(rule.url ?? 'url', inside),
    name: elementText(rule.name, inside),
    type: elementText(rule.type, inside),
    size: elementText(rule.size, inside),
    id: elementText(rule.id, inside),
  };
  const read = scope.list(column, [...inside.optional]);
  return (row: Row, onBadList: OnBadList): Attachment[] => {
    const value = read(row);
    const elements = splitElements(value, rule.separator);
    if (!elements) onBadList(valueText(value)!);
    return (elements ?? []).flatMap((element) =>
      typeof element === 'string' ? named({ url: element, name: '' }) : readAttachment(parts, element),
    );
  };
}

/** Inside an element of a list a column is a path, and whatever else an expression may be works as for a row. */
function elementText(
  expression: ValueExpression | undefined,
  inside: BindingScope,
): (element: unknown) => string | undefined {
  if (expression === undefined) return () => undefined;
  const read = inside.text(expression);
  return (element) => read(elementRow(element));
}

const elementRow = (element: unknown): Row => ({
  type: 'row',
  get: (name) => valueAt(element, parsePath(name)),
  names: () => [],
  location: { path: '' },
});

function readAttachment<Of>(parts: Parts<Of>, of: Of): Attachment[] {
  const url = parts.url(of);
  const name = parts.name(of);
  if (url === undefined && name === undefined) return [];
  // Keys of a store have folders: no file is called so.
  const file: Mutable<Attachment> = { name: name?.split('/').at(-1) || (name ?? '') };
  const id = parts.id(of);
  const size = Number(parts.size(of));
  if (id !== undefined) file.id = id;
  if (url !== undefined) file.url = url;
  const type = parts.type(of);
  if (type !== undefined) file.mimeType = type;
  if (Number.isSafeInteger(size) && size >= 0) file.sizeBytes = size;
  return named(file);
}

/** A file without a name has that of its address. */
const named = (file: Attachment): Attachment[] => [file.name === '' ? { ...file, name: nameIn(file.url!) } : file];

const nameIn = (url: string): string => decoded(url.split(/[?#]/)[0]!.split('/').at(-1)!) || 'file';

/** Reactions of a row, each emoji once: by every rule in turn. */
export function bindReactions(
  rules: readonly ReactionBinding[],
  scope: BindingScope,
): (row: Row, onBadList: OnBadList) => Reaction[] {
  const bound = rules.map((rule) =>
    rule.list === undefined ? bindReactionColumn(rule, scope) : bindReactionList(rule, rule.list, scope),
  );
  return (row, onBadList) => merged(bound.flatMap((read) => read(row, onBadList)));
}

/** One column counts one emoji, or names it. */
function bindReactionColumn({ emoji, users, count, separator }: ReactionBinding, scope: BindingScope) {
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
function bindReactionList(rule: ReactionBinding, column: string, scope: BindingScope) {
  const { emoji, users = 'users', count = 'count' } = rule;
  const emojiPath = typeof emoji === 'string' ? parsePath(emoji) : undefined;
  const usersPath = parsePath(users);
  const countPath = parsePath(count);
  const read = typeof emoji === 'string' ? scope.list(column, [emoji, `${users}[].id`, count]) : scope.column(column);
  const fromElement = (element: unknown): Reaction[] => {
    if (typeof element !== 'object' || element === null) return reaction(valueText(element), [], undefined);
    if (emojiPath === undefined)
      return Object.entries(element).flatMap(([emoji, value]) => byEmoji(emoji, value, rule.separator));
    const who = userIds(valueAt(element, usersPath), rule.separator);
    return reaction(valueText(valueAt(element, emojiPath)), who, valueText(valueAt(element, countPath)));
  };
  return (row: Row, onBadList: OnBadList): Reaction[] => {
    const value = read(row);
    const elements = splitElements(value, rule.separator);
    if (!elements) onBadList(valueText(value)!);
    return (elements ?? []).flatMap(fromElement);
  };
}

const byEmoji = (emoji: string, value: unknown, separator: string): Reaction[] =>
  Array.isArray(value) ? reaction(emoji, userIds(value, separator), undefined) : reaction(emoji, [], valueText(value));

/** Ids, or objects with an `id`. */
const userIds = (value: unknown, separator: string): string[] =>
  (splitElements(value, separator) ?? []).flatMap((element) => valueText(valueAt(element, ['id']) ?? element) ?? []);

function reaction(emoji: string | undefined, users: readonly string[], counted: string | undefined): Reaction[] {
  if (emoji === undefined) return [];
  const number = counted === undefined ? Math.max(users.length, 1) : Number(counted);
  if (!Number.isSafeInteger(number) || number <= 0) return [];
  return [{ emoji, users: [...users], count: Math.max(number, users.length) }];
}

/** Each emoji once. */
export function merged(reactions: readonly Reaction[]): Reaction[] {
  const byName = new Map<string, Reaction>();
  for (const { emoji, users, count } of reactions) {
    const before = byName.get(emoji);
    byName.set(emoji, { emoji, users: [...(before?.users ?? []), ...users], count: (before?.count ?? 0) + count });
  }
  return [...byName.values()];
}
