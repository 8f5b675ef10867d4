import type { UserRecord } from '../model/records.ts';
import { shorten } from './shorten.ts';
import type { Rules } from './rules.ts';
import { chosenId, serviceId } from './service-id.ts';
import { fillTemplate } from './template.ts';

/** A user as the service gets it: the id that messages name, and the details that travel until they are known there. */
export interface MappedPerson {
  readonly uid: string;
  readonly name: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function mapPerson(user: UserRecord, rules: Rules): MappedPerson {
  const uid = chosenId(rules.people.uids, user.id) ?? serviceId(uidSource(user, rules));
  const name = shorten(user.name);
  return {
    uid,
    name,
    details: {
      uid,
      name,
      ...(isUsableUrl(user.avatarUrl) && { avatar: user.avatarUrl }),
      ...(user.createdAtMs !== undefined && { createdAt: Math.floor(user.createdAtMs / 1000) }),
    },
  };
}

/** The template where the person has all its fields, else the id: a person without e-mail still needs a uid. */
function uidSource(user: UserRecord, rules: Rules): string {
  const { id, handle, name, email } = user;
  return fillTemplate(rules.people.uid, { id, handle, name, email }) ?? id;
}

/** 3,000 characters, an URL: properties and constraints page of the public service, 2026-11. */
export const isUsableUrl = (url: string | undefined): url is string =>
  url !== undefined && url.length <= 3000 && /^https?:\/\//.test(url) && URL.canParse(url);
