import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, ownFacts } from '../kit/compact.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { QuickbloxDialog, QuickbloxPerson } from './format.ts';
import { timeOf } from './message.ts';

const idsOf = (value: unknown): string[] => [...new Set(asArray(value).flatMap((id) => asId(id) ?? []))];

/** A person, who may be in an object of its own; undefined without an id. */
export function readPerson(row: Untrusted<{ user: unknown }>): UserRecord | undefined {
  const person = asObject<QuickbloxPerson>(row.user ?? row) ?? {};
  const id = asId(person.id);
  if (id === undefined) return undefined;
  const handle = asString(person.login);
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(person.full_name) ?? handle ?? id,
    handle,
    email: asString(person.email),
    phone: asString(person.phone),
    avatarUrl: asAddress(person.avatar),
    role: 'member',
    createdAtMs: timeOf(person.created_at),
    metadata: ownFacts(person, ['custom_data']),
  });
}

/** A dialog as a conversation; undefined without an id. */
export function readConversation(dialog: Untrusted<QuickbloxDialog>): ConversationRecord | undefined {
  const id = asString(dialog._id);
  if (id === undefined) return undefined;
  const members = idsOf(dialog.occupants_ids);
  const admins = idsOf(dialog.admins_ids).filter((user) => members.includes(user));
  const isDirect = dialog.type === 3 && members.length === 2;
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: isDirect ? 'direct' : isPublic(dialog) ? 'public' : 'private',
    name: isDirect ? '' : (asString(dialog.name) ?? id),
    description: asString(dialog.description),
    iconUrl: asAddress(dialog.photo),
    metadata: ownFacts(dialog, ['data', 'type']),
    creator: asId(dialog.user_id),
    createdAtMs: timeOf(dialog.created_at),
    members,
    ...(admins.length > 0 && { memberships: admins.map((user) => ({ user, scope: 'admin' as const })) }),
  });
}

/** 1 is public at QuickBlox, and a broadcast at ConnectyCube: the address of the room names the service. */
function isPublic({ type, xmpp_room_jid }: Untrusted<QuickbloxDialog>): boolean {
  return type === 4 || (type === 1 && (asString(xmpp_room_jid)?.includes('quickblox') ?? false));
}

export const readPins = (dialog: Untrusted<QuickbloxDialog>): string[] => idsOf(dialog.pinned_messages_ids);

const asAddress = (value: unknown): string | undefined => {
  const text = asString(value);
  return text !== undefined && /^https?:/.test(text) ? text : undefined;
};
