import type { Entry } from '../../../model/entry.ts';
import type { NewMessage } from '../../../model/new-message.ts';
import { bindAttachments, bindReactions } from './lists.ts';
import type { BindContext } from './row-binder.ts';
import { bindTimeOrFlag, formatOf } from './time.ts';
import type { MessageBinding } from '../schema/messages.ts';
import type { Row } from '../row.ts';
import { excerpt } from '../../kit/narrow.ts';
import { type BindingScope, isShortened, shortenedReason } from './value.ts';
import type { RowNotes } from '../../kit/rows/row-notes.ts';
import type { ValueExpression } from '../schema/expressions.ts';

/** Adds one field to a message, if the row has it. */
type AddDetail = (record: NewMessage, row: Row, into: Entry[]) => void;

export function bindDetails(
  binding: MessageBinding,
  scope: BindingScope,
  context: BindContext,
  notes: RowNotes,
): readonly AddDetail[] {
  const details = [
    kind(binding.kind, scope),
    authorName(binding.authorName, scope),
    reference('threadRoot', binding.reply, scope, notes),
    reference('quoteOf', binding.quote, scope, notes),
    attachments(binding, scope, notes),
    reactions(binding, scope, notes),
    edited(binding, scope, context, notes),
    flag('isDeleted', binding.deleted, scope),
    flag('isPinned', binding.pinned, scope),
    custom(binding.custom, scope),
  ];
  return details.filter((detail) => detail !== undefined);
}

function kind(expression: ValueExpression | undefined, scope: BindingScope): AddDetail | undefined {
  if (expression === undefined) return undefined;
  const read = scope.text(expression);
  return (record, row) => {
    const word = read(row) ?? 'message';
    if (word === 'message') return;
    record.systemEvent = word;
    if (word === 'call') record.call = {};
  };
}

function authorName(expression: ValueExpression | undefined, scope: BindingScope): AddDetail | undefined {
  if (expression === undefined) return undefined;
  const read = scope.text(expression);
  return (record, row) => {
    const name = read(row);
    if (name === undefined) return;
    record.authorDetails = { name };
    // Tables that know only names: the name is who it is.
    record.author ??= name;
  };
}

/** Empty and 0 mean none, as tables without nulls have it. */
function reference(
  field: 'threadRoot' | 'quoteOf',
  expression: ValueExpression | undefined,
  scope: BindingScope,
  notes: RowNotes,
): AddDetail | undefined {
  if (expression === undefined) return undefined;
  const read = scope.text(expression);
  return (record, row, into) => {
    const id = read(row);
    if (id === undefined || id === '0' || id === record.origin.id) return;
    if (!isShortened(id)) record[field] = id;
    else
      notes.add(
        'shortened-reference',
        `${shortenedReason('id of another message', id)}; the link is left out`,
        row.location,
        into,
      );
  };
}

const badList = (text: string) =>
  `Expected a list, found ${excerpt(text)}, which begins like JSON and is not; it is left out`;

function attachments(
  { attachments: rules }: MessageBinding,
  scope: BindingScope,
  notes: RowNotes,
): AddDetail | undefined {
  if (rules === undefined) return undefined;
  const read = bindAttachments(rules, scope);
  return (record, row, into) => {
    const files = read(row, (text) => notes.add('bad-attachments', badList(text), row.location, into));
    if (files.length > 0) record.attachments = files;
  };
}

function reactions({ reactions: rules }: MessageBinding, scope: BindingScope, notes: RowNotes): AddDetail | undefined {
  if (rules === undefined) return undefined;
  const read = bindReactions(rules, scope);
  return (record, row, into) => {
    const found = read(row, (text) => notes.add('bad-reactions', badList(text), row.location, into));
    if (found.length > 0) record.reactions = found;
  };
}

function edited(
  binding: MessageBinding,
  scope: BindingScope,
  context: BindContext,
  notes: RowNotes,
): AddDetail | undefined {
  if (binding.edited === undefined) return undefined;
  const read = bindTimeOrFlag(binding.edited, scope, {
    zone: zoneOf(binding) ?? context.zone,
    format: formatOf(binding.time),
  });
  return (record, row, into) => {
    const mark = read(row);
    if (mark.state === 'absent') return;
    if (mark.state === 'read') {
      if (mark.time.atMs !== record.sentAtMs) record.edited = { atMs: mark.time.atMs };
      return;
    }
    record.edited = {};
    if (mark.state === 'yes') return;
    const reason = `Expected the time of an edit, found ${excerpt(mark.text)}; the message counts as edited, without a time`;
    notes.add('bad-edit-time', reason, row.location, into);
  };
}

const zoneOf = ({ time }: MessageBinding) => (typeof time === 'string' ? undefined : time.zone);

function flag(
  field: 'isDeleted' | 'isPinned',
  expression: ValueExpression | undefined,
  scope: BindingScope,
): AddDetail | undefined {
  if (expression === undefined) return undefined;
  const read = scope.flag(expression);
  return (record, row) => {
    if (read(row)) record[field] = true;
  };
}

function custom(fields: MessageBinding['custom'], scope: BindingScope): AddDetail | undefined {
  if (fields === undefined) return undefined;
  const reads = Object.entries(fields).map(([name, expression]) => [name, scope.value(expression)] as const);
  return (record, row) => {
    const found = reads.flatMap(([name, read]) => {
      const value = read(row);
      return value === undefined ? [] : [[name, value as string] as const];
    });
    if (found.length > 0) record.custom = Object.fromEntries(found);
  };
}
