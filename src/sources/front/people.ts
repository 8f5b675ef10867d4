import type { UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { idByName } from '../kit/message-names.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import {
  type FrontContact,
  type FrontMessage,
  type FrontRecipient,
  type FrontTeammate,
  idInAddress,
  redacted,
} from './format.ts';

/** @param isAuthor Without an id they are known by name; undefined for others. */
export function readTeammate(value: unknown, isAuthor = false): UserRecord | undefined {
  const mate = asObject<FrontTeammate>(value);
  if (mate === undefined) return undefined;
  const email = asString(mate.email);
  const handle = asString(mate.username);
  const name = [asString(mate.first_name), asString(mate.last_name)].filter(Boolean).join(' ').trim();
  const id = asId(mate.id) ?? (isAuthor ? idByName('name', name || handle) : undefined);
  if (id === undefined) return undefined;
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: name || (handle ?? email ?? id),
    handle,
    email,
    ...(mate.is_admin === true && { role: 'admin' }),
    ...(mate.is_blocked === true && { isDeleted: true }),
  });
}

/** An entry of a list of contacts. */
export function readContact(value: unknown): UserRecord | undefined {
  const contact = asObject<FrontContact>(value);
  const id = asId(contact?.id);
  if (contact === undefined || id === undefined) return undefined;
  const handles = asArray(contact.handles).map((one) => asObject<FrontContact['handles'][number]>(one));
  const email = asString(handles.find((one) => one?.source === 'email')?.handle);
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(contact.name) ?? email ?? asString(handles[0]?.handle) ?? id,
    email,
    avatarUrl: asString(contact.avatar_url),
  });
}

/**
 * A person outside of Front: a contact, else an address, else a name. Two addresses without a contact are two people.
 *
 * @returns undefined if the row names no person.
 */
export function readRecipient(value: unknown): UserRecord | undefined {
  const recipient = asObject<FrontRecipient>(value);
  if (recipient === undefined) return undefined;
  const related = asObject<FrontRecipient['_links']['related']>(
    asObject<FrontRecipient['_links']>(recipient._links)?.related,
  );
  const given = asString(recipient.handle);
  const handle = given === redacted ? undefined : given;
  const contact = idInAddress(related?.contact, 'contact');
  const name = asString(recipient.name);
  const id = contact ?? (handle === undefined ? idByName('name', name) : `handle:${handle}`);
  if (id === undefined) return undefined;
  return {
    kind: 'user',
    id,
    name: name ?? handle ?? id,
    ...(handle?.includes('@') && { email: handle }),
  };
}

/** Keys that identify a recipient: the contact, and the address in small letters. Nothing for tweets, which have no address. */
export function listKeys(value: unknown): readonly string[] {
  const recipient = asObject<FrontRecipient>(value);
  const handle = asString(recipient?.handle);
  const id = readRecipient(value)?.id;
  return [id, handle === undefined || handle === redacted ? undefined : `handle:${handle.toLowerCase()}`].filter(
    (key) => key !== undefined,
  );
}

const rolesOf = {
  /** A teammate may be who it is from. */
  outbound: new Set(['to', 'cc', 'bcc']),
  inbound: new Set(['from', 'reply-to', 'to', 'cc', 'bcc']),
};

/**
 * Whether a message is between a teammate and others than the person of its conversation, such as a mail that was forwarded, or the reply to it.
 *
 * @param person The keys of that person; empty if that is not known.
 * @returns `unclear` if nobody can be read to whom it went.
 */
export function tellSide(row: Untrusted<FrontMessage>, person: readonly string[]): 'person' | 'others' | 'unclear' {
  if (person.length === 0 || typeof row.is_inbound !== 'boolean') return 'person';
  const { recipients } = row;
  const roles = row.is_inbound ? rolesOf.inbound : rolesOf.outbound;
  const keys = asArray(recipients).flatMap((one) =>
    roles.has(asString(asObject<FrontRecipient>(one)?.role) ?? '') ? listKeys(one) : [],
  );
  if (keys.some((key) => person.includes(key))) return 'person';
  if (keys.length > 0) return 'others';
  const isAbsent = recipients === undefined || recipients === null || Array.isArray(recipients);
  return row.is_inbound && isAbsent ? 'person' : 'unclear';
}

/** The teammate who sent a message, or who it is from. */
export function readAuthor(row: Untrusted<FrontMessage>): UserRecord | undefined {
  const from = asArray(row.recipients).find((one) => asObject<FrontRecipient>(one)?.role === 'from');
  return readTeammate(row.author, true) ?? readRecipient(from);
}
