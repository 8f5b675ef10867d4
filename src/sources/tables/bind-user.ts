import type { UserRecord } from '../../model/records.ts';
import type { BindContext } from './row-binder.ts';
import { bindTime } from './bind-time.ts';
import type { UserBinding } from './people-binding.ts';
import type { Row } from './row.ts';
import { excerpt } from '../kit/narrow.ts';
import type { RowBinder } from './row-binder.ts';
import { isShortened, shortenedReason } from './shortened.ts';
import { RowNotes } from '../kit/row-notes.ts';
import { BindingScope } from './value.ts';

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
