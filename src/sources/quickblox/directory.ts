import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { QuickbloxDialog, QuickbloxPerson } from './format.ts';
import { timeOf } from './message.ts';

const idsOf = (value: unknown): string[] => [...new Set(asArray(value).flatMap((id) => asId(id) ?? []))];

/** Adds a person, who may be in an object of its own. */
export function addPerson(row: Untrusted<{ user: unknown }>, location: Location, into: Entry[]): void {
  const person = asObject<QuickbloxPerson>(row.user ?? row) ?? {};
  const id = asId(person.id);
  if (id === undefined) {
    into.push(problemEntry('user-without-id', 'A person without "id"', location));
    return;
  }
  const handle = asString(person.login);
  const email = asString(person.email);
  const avatarUrl = asString(person.avatar);
  const createdAtMs = timeOf(person.created_at);
  const metadata = readMetadata(person, ['phone', 'custom_data']);
  into.push(
    recordEntry(
      {
        kind: 'user',
        id,
        name: asString(person.full_name) ?? handle ?? id,
        ...(handle !== undefined && { handle }),
        ...(email !== undefined && { email }),
        ...(avatarUrl !== undefined && /^https?:/.test(avatarUrl) && { avatarUrl }),
        role: 'member',
        ...(createdAtMs !== undefined && { createdAtMs }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      },
      location,
    ),
  );
}

/** A dialog as a conversation; undefined without an id. */
export function readConversation(dialog: Untrusted<QuickbloxDialog>): ConversationRecord | undefined {
  const id = asString(dialog._id);
  if (id === undefined) return undefined;
  const members = idsOf(dialog.occupants_ids);
  const isDirect = dialog.type === 3 && members.length === 2;
  const iconUrl = asString(dialog.photo);
  const metadata = readMetadata(dialog, ['data', 'type']);
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: isDirect ? 'direct' : isPublic(dialog) ? 'public' : 'private',
    name: isDirect ? '' : (asString(dialog.name) ?? id),
    description: asString(dialog.description),
    ...(iconUrl !== undefined && /^https?:/.test(iconUrl) && { iconUrl }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    creator: asId(dialog.user_id),
    createdAtMs: timeOf(dialog.created_at),
    members,
  });
}

/** 1 is public at QuickBlox, and a broadcast at ConnectyCube: the address of the room names the service. */
function isPublic({ type, xmpp_room_jid }: Untrusted<QuickbloxDialog>): boolean {
  return type === 4 || (type === 1 && (asString(xmpp_room_jid)?.includes('quickblox') ?? false));
}

export const readPins = (dialog: Untrusted<QuickbloxDialog>): string[] => idsOf(dialog.pinned_messages_ids);

function readMetadata(row: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, never> {
  const said = keys.flatMap((key) => {
    const value = row[key];
    const isSaid = value !== undefined && value !== null && value !== '';
    return isSaid ? [[key, value] as const] : [];
  });
  return Object.fromEntries(said) as Record<string, never>;
}
