import { isTable } from '../../../lib/settings.ts';
import { formatCount } from '../../../lib/text/count.ts';
import type { NewMessage } from '../../../model/new-message.ts';
import type { Attachment, Membership, Reaction } from '../../../model/records.ts';
import { excerpt } from '../../kit/narrow.ts';
import { RowNotes } from '../../kit/rows/row-notes.ts';
import type { ChildRows } from '../copy/child-rows.ts';
import type { ChildRole } from '../roles.ts';
import type { Row } from '../row.ts';
import type { AttachmentRowBinding, EditRowBinding, MemberBinding, ReactionRowBinding } from '../schema/children.ts';
import type { FilterBinding } from '../schema/messages.ts';
import { bindAttachments, merged } from './lists.ts';
import type { BindContext, RowBinder } from './row-binder.ts';
import { bindRowFilter } from './row-filter.ts';
import { bindTime, bindTimeOrFlag } from './time.ts';
import { BindingScope, isShortened, shortenedReason } from './value.ts';

/** Why a row is of no use, or what is odd about it. */
type Note = (code: string, reason: string) => void;

/** Keeps what a row says; `false` where it says too little. */
type Keep = (row: Row, note: Note) => boolean;

/** Takes rows that belong to messages. */
type ChildSink = Pick<ChildRows, 'add'>;

const incomplete = 'child-row-incomplete';

/** Rows that name a member of a conversation each. */
export function bindMembers(
  binding: MemberBinding,
  context: BindContext,
  children: Pick<ChildRows, 'addMember'>,
): RowBinder {
  const scope = new BindingScope(context.nulls, context.onWord);
  const readConversation = scope.text(binding.conversation, 'required');
  const readUser = scope.text(binding.user, 'required');
  const roleOf = scope.text(binding.role);
  const readJoined = binding.joinedAt === undefined ? undefined : bindTime(binding.joinedAt, scope, context);
  const readLeft = binding.leftAt === undefined ? undefined : bindTimeOrFlag(binding.leftAt, scope, context);
  const isBanned = scope.flag(binding.isBanned);
  const { others, ends } = splitConditions(binding);
  const endFilter = bindRowFilter(ends, scope);
  let roleCount = 0;
  const keep: Keep = (row, note) => {
    const [conversation, user, role] = [readConversation(row), readUser(row), roleOf(row)];
    if (conversation === undefined || user === undefined) {
      note(incomplete, `This member has no ${user === undefined ? 'id' : 'conversation'} and is left out`);
      return false;
    }
    if (isCut([conversation, user], note)) return false;
    const [joined, left] = [readJoined?.(row), readLeft?.(row)];
    if (left && left.state !== 'absent' && left.state !== 'read') {
      note('member-left', 'The row says that this person left, and not when: it is left out');
      return false;
    }
    const details = {
      scope: scopes.get(role),
      joinedAtMs: joined?.state === 'read' ? joined.time.atMs : undefined,
      leftAtMs: left?.state === 'read' ? left.time.atMs : undefined,
      ...(isBanned(row) && { isBanned: true }),
    };
    if (details.leftAtMs === undefined && !details.isBanned && endFilter.leavesOut(row)) return false;
    if (role !== undefined && !scopes.has(role)) roleCount += 1;
    const isOwner = role === 'owner' && details.leftAtMs === undefined;
    children.addMember({ conversation, user, isOwner, ...details }, row.location.path);
    return true;
  };
  const rows = childBinder(others, scope, keep);
  return {
    ...rows,
    endFile(path, into) {
      rows.endFile(path, into);
      endFilter.end(path, into);
      const reason = `${formatCount(roleCount)} members have a role other than owner, admin, moderator and member`;
      if (roleCount > 0)
        into.push({ type: 'problem', code: 'member-role-not-migrated', reason, location: { path }, count: roleCount });
      roleCount = 0;
    },
  };
}

/** Owners are admins. */
const scopes: ReadonlyMap<string | undefined, Membership['scope']> = new Map([
  ['owner', 'admin'],
  ['admin', 'admin'],
  ['moderator', 'moderator'],
  ['member', undefined],
]);

/** Rows that are a file of a message each. */
export function bindAttachmentRows(
  binding: AttachmentRowBinding,
  context: BindContext,
  children: ChildSink,
): RowBinder {
  const scope = new BindingScope(context.nulls, context.onWord);
  const messageId = scope.text(binding.message, 'required');
  const { url, name, type, size, id } = binding;
  const readFiles = bindAttachments([{ url, name, type, size, id, separator: ',' }], scope);
  const readOrder = scope.text(binding.order);
  return childBinder(binding, scope, (row, note) => {
    const message = messageIn(messageId(row), 'file', note);
    if (message === undefined) return false;
    const [file] = readFiles(row, () => {});
    if (!file) {
      note(incomplete, 'This file has neither an address nor a name and is left out');
      return false;
    }
    children.add({ role: 'attachments', message, order: sortable(readOrder(row)), value: file }, row.location.path);
    return true;
  });
}

/** Rows that are the reaction of one person each. */
export function bindReactionRows(binding: ReactionRowBinding, context: BindContext, children: ChildSink): RowBinder {
  const scope = new BindingScope(context.nulls, context.onWord);
  const messageId = scope.text(binding.message, 'required');
  const readEmoji = scope.text(binding.emoji, 'required');
  const userOf = scope.text(binding.user);
  return childBinder(binding, scope, (row, note) => {
    const message = messageIn(messageId(row), 'reaction', note);
    if (message === undefined) return false;
    const emoji = readEmoji(row);
    if (emoji === undefined) {
      note(incomplete, 'This reaction has no emoji and is left out');
      return false;
    }
    const user = userOf(row);
    if (isCut([user], note)) return false;
    children.add({ role: 'reactions', message, value: [emoji, user ?? null] }, row.location.path);
    return true;
  });
}

/** Rows that are one edit of a message each. */
export function bindEditRows(binding: EditRowBinding, context: BindContext, children: ChildSink): RowBinder {
  const scope = new BindingScope(context.nulls, context.onWord);
  const messageId = scope.text(binding.message, 'required');
  const readTime = bindTime(binding.time, scope, { zone: context.zone }, 'required');
  return childBinder(binding, scope, (row, note) => {
    const message = messageIn(messageId(row), 'edit', note);
    if (message === undefined) return false;
    const time = readTime(row);
    if (time.state !== 'read') {
      const found = time.state === 'bad' ? excerpt(time.text) : 'nothing';
      note(
        'bad-edit-time',
        `Expected the time of an edit, found ${found}; the message counts as edited, without a time`,
      );
    }
    const value = time.state === 'read' ? time.time.atMs : null;
    children.add({ role: 'edits', message, value }, row.location.path);
    return true;
  });
}

/**
 * Conditions on the columns that say who left or is banned, and all others. The first ones decide about members alone: a person who left
 * is no member, and is known to have been one.
 */
function splitConditions({ only = {}, skipWhen, leftAt, isBanned }: MemberBinding) {
  const columns = [leftAt, isBanned].map((value) => (isTable(value) && 'from' in value ? value.from : value));
  const { true: ends = [], false: others = [] } = Object.groupBy(Object.entries(only), ([column]) =>
    columns.includes(column) ? 'true' : 'false',
  );
  return {
    ends: { only: Object.fromEntries(ends) },
    others: { only: Object.fromEntries(others), ...(skipWhen && { skipWhen }) },
  };
}

/** Rows that become no entries, but part of other records. */
function childBinder(binding: FilterBinding, scope: BindingScope, keep: Keep): RowBinder {
  const filter = bindRowFilter(binding, scope);
  const notes = new RowNotes();
  return {
    required: scope.required,
    optional: scope.optional,
    lists: scope.lists,
    beginFile() {},
    bind(row, into) {
      if (filter.leavesOut(row)) return false;
      return keep(row, (code, reason) => notes.add(code, reason, row.location, into));
    },
    endFile(path, into) {
      notes.end(path, into);
      filter.end(path, into);
    },
  };
}

function messageIn(id: string | undefined, what: string, note: Note): string | undefined {
  if (id === undefined) note(incomplete, `This ${what} has no message and is left out`);
  return id === undefined || isCut([id], note) ? undefined : id;
}

function isCut(ids: readonly (string | undefined)[], note: Note): boolean {
  const cut = ids.find((id) => id !== undefined && isShortened(id));
  if (cut !== undefined) note('shortened-id', shortenedReason('id in this row', cut));
  return cut !== undefined;
}

/** Numbers sort as numbers. */
function sortable(text: string | undefined): number | string | undefined {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : text;
}

type Values = Readonly<Record<ChildRole, readonly unknown[]>>;

/** Adds to a message what the rows that belong to it say. */
export function addChildren(record: NewMessage, { attachments, reactions, edits }: Values): void {
  if (attachments.length > 0) record.attachments = [...(record.attachments ?? []), ...(attachments as Attachment[])];
  if (reactions.length > 0) {
    const counted = counts(reactions as readonly (readonly [string, string | null])[]);
    record.reactions = merged([...(record.reactions ?? []), ...counted]);
  }
  if (edits.length === 0) return;
  const times = [record.edited?.atMs, ...(edits as (number | null)[])].filter((time) => typeof time === 'number');
  record.edited = times.length === 0 ? {} : { atMs: times.reduce((latest, time) => Math.max(latest, time)) };
}

/** Counts each person once for each emoji. Rows without a person count one each. */
function counts(rows: readonly (readonly [emoji: string, user: string | null])[]): Reaction[] {
  const byEmoji = new Map<string, { readonly users: Set<string>; unnamed: number }>();
  for (const [emoji, user] of rows) {
    const of = byEmoji.get(emoji) ?? { users: new Set(), unnamed: 0 };
    byEmoji.set(emoji, of);
    if (user === null) of.unnamed += 1;
    else of.users.add(user);
  }
  return [...byEmoji].map(([emoji, { users, unnamed }]) => ({ emoji, users: [...users], count: users.size + unnamed }));
}
