import type { UserRecord } from '../../model/records.ts';
import { asId, asString } from '../kit/narrow.ts';
import { type Fields, fieldsOf, uuidOf } from './format.ts';

export const fullName = (given: unknown, family: unknown): string | undefined =>
  [given, family].map(asString).filter(Boolean).join(' ') || undefined;

/** Somebody of the address book, and what no field of a person holds. Whoever has no account is known by the telephone number. */
export function contactOf(
  id: string,
  contact: Fields,
): { readonly user: UserRecord; readonly lost: readonly string[] } {
  const number = asId(contact.e164);
  const phone = number === undefined ? undefined : `+${number.replace(/^\+/, '')}`;
  const handle = asString(contact.username);
  const person = uuidOf(contact.aci) ?? phone ?? uuidOf(contact.pni) ?? `recipient-${id}`;
  const name = nameOf(contact) ?? handle ?? phone ?? 'Unknown contact';
  const isPhoneLost = phone !== undefined && person !== phone && name !== phone;
  const isNoteLost = asString(contact.note) !== undefined;
  return {
    user: {
      kind: 'user',
      id: person,
      name,
      ...(handle !== undefined && { handle }),
      ...(contact.notRegistered !== undefined && { isDeleted: true }),
    },
    lost: [...(isPhoneLost ? ['telephone numbers'] : []), ...(isNoteLost ? ['notes on people'] : [])],
  };
}

/** What one calls somebody before what they call themselves. */
function nameOf(contact: Fields): string | undefined {
  const nickname = fieldsOf(contact.nickname);
  return (
    fullName(nickname.given, nickname.family) ??
    asString(contact.systemNickname) ??
    fullName(contact.systemGivenName, contact.systemFamilyName) ??
    fullName(contact.profileGivenName, contact.profileFamilyName)
  );
}
