import type { UserRecord } from '../model/records.ts';
import { type Lookup, lookupKey } from './load-lookup.ts';
import type { Rules } from './rules.ts';
import { chosenId, serviceId } from './service-id.ts';
import { isUsableUrl } from './map-attachments.ts';
import { shorten } from './shorten.ts';
import { fillTemplate } from './rules/template.ts';

/** A user as the service gets it: the id that messages name, and the details that travel until they are known there. */
export interface MappedPerson {
  readonly uid: string;
  readonly name: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Whom `people.deleted: placeholder` calls so: their names are not migrated, nor what a template makes of them. */
const deletedName = 'Deleted user';

export function mapPerson(user: UserRecord, rules: Rules, lookup?: Lookup): MappedPerson {
  const isNameless = user.isDeleted === true && rules.people.deleted === 'placeholder';
  const uid = knownUid(user, rules, lookup) ?? serviceId(isNameless ? user.id : uidSource(user, rules), rules.ids);
  if (isNameless) return { uid, name: deletedName, details: { uid, name: deletedName } };
  const name = shorten(user.name);
  return {
    uid,
    name,
    details: {
      uid,
      name,
      ...(isUsableUrl(user.avatarUrl) && { avatar: user.avatarUrl }),
      ...(user.metadata && { metadata: user.metadata }),
      ...(user.createdAtMs !== undefined && { createdAt: Math.floor(user.createdAtMs / 1000) }),
    },
  };
}

/** Returns the uid that a person has already: set by hand, or in the table of `people.lookup`. */
export function knownUid(user: UserRecord, rules: Rules, lookup: Lookup | undefined): string | undefined {
  const byHand = chosenId(rules.people.uids, user.id);
  if (byHand !== undefined || lookup === undefined) return byHand;
  const key = tableKey(user, rules);
  return key === undefined ? undefined : lookup.uids.get(key);
}

/** Returns the key under which the table of `people.lookup` would have a person; undefined without a table, or such a field. */
export function tableKey(user: UserRecord, { people: { lookup } }: Rules): string | undefined {
  if (lookup === 'none') return undefined;
  const key = user[lookup.by];
  return key === undefined ? undefined : lookupKey(key, lookup.by);
}

/** Applies the template if the person has all its fields, otherwise uses the id: a person without e-mail still needs a uid. */
function uidSource(user: UserRecord, rules: Rules): string {
  const { id, handle, name, email } = user;
  return fillTemplate(rules.people.uid, { id, handle, name, email }) ?? id;
}
