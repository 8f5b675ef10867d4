import type { Attachment } from '../../model/records.ts';
import { elementsOf } from './list-value.ts';
import type { AttachmentBinding } from './message-binding.ts';
import { parsePath, valueAt } from './path.ts';
import type { Row } from './row.ts';
import { type BindingScope, textOf } from './value.ts';
import type { ValueExpression } from './value-expression.ts';

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
    rule.list === undefined ? bindColumns(rule, scope) : bindList(rule, rule.list, scope),
  );
  return (row, onBadList) => bound.flatMap((read) => read(row, onBadList));
}

function bindColumns(rule: AttachmentBinding, scope: BindingScope): (row: Row) => Attachment[] {
  const parts: Parts<Row> = {
    url: scope.text(rule.url),
    name: scope.text(rule.name),
    type: scope.text(rule.type),
    size: scope.text(rule.size),
    id: scope.text(rule.id),
  };
  return (row) => attachmentOf(parts, row);
}

function bindList(rule: AttachmentBinding, column: string, scope: BindingScope) {
  const read = scope.column(column);
  const parts: Parts<unknown> = {
    url: elementText(rule.url ?? 'url', scope),
    name: elementText(rule.name, scope),
    type: elementText(rule.type, scope),
    size: elementText(rule.size, scope),
    id: elementText(rule.id, scope),
  };
  return (row: Row, onBadList: OnBadList): Attachment[] => {
    const value = read(row);
    const elements = elementsOf(value, rule.separator);
    if (!elements) onBadList(textOf(value)!);
    return (elements ?? []).flatMap((element) =>
      typeof element === 'string' ? named({ url: element, name: '' }) : attachmentOf(parts, element),
    );
  };
}

/** Inside an element of a list a column is a path, and whatever else an expression may be works as for a row. */
function elementText(
  expression: ValueExpression | undefined,
  scope: BindingScope,
): (element: unknown) => string | undefined {
  if (expression === undefined) return () => undefined;
  // A scope of its own: these names are no columns of the table.
  const read = scope.inside().text(expression);
  return (element) => read(elementRow(element));
}

const elementRow = (element: unknown): Row => ({
  type: 'row',
  get: (name) => valueAt(element, parsePath(name)),
  names: () => [],
  location: { path: '' },
});

function attachmentOf<Of>(parts: Parts<Of>, of: Of): Attachment[] {
  const url = parts.url(of);
  const name = parts.name(of);
  if (url === undefined && name === undefined) return [];
  const file: Mutable<Attachment> = { name: name ?? '' };
  const id = parts.id(of);
  const type = parts.type(of);
  const size = Number(parts.size(of));
  if (id !== undefined) file.id = id;
  if (url !== undefined) file.url = url;
  if (type !== undefined) file.mimeType = type;
  if (Number.isSafeInteger(size) && size >= 0) file.sizeBytes = size;
  return named(file);
}

/** A file without a name has that of its address. */
const named = (file: Attachment): Attachment[] => [file.name === '' ? { ...file, name: nameIn(file.url!) } : file];

function nameIn(url: string): string {
  const last = url.split(/[?#]/)[0]!.split('/').at(-1)!;
  try {
    return decodeURIComponent(last) || 'file';
  } catch {
    return last;
  }
}
