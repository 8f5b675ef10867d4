import { asArray, asString } from '../kit/narrow.ts';
import { Fields } from './format.ts';

/**
 * Id of a person of a personal export with its kind before it: `8:ole.d`. Rows have it with the kind, without it (`ole.d`), and as the end
 * of an address (`https://…/contacts/8:ole.d`).
 */
export function personId(said: string): string {
  const id = /^https?:\/\/\S*\/(?:contacts|users|threads|conversations)\/([^/\s]+)$/.exec(said)?.[1] ?? said;
  if (/^\d{1,3}:./.test(id)) return id;
  return /^\+\d+$/.test(id) ? `4:${id}` : `8:${id}`;
}

/** The people of a list, as it is or as JSON in a text of its own: ids, or objects with them. */
export function peopleIn(value: unknown): string[] {
  const ids = listIn(value).flatMap((member) => {
    const fields = new Fields(member);
    return asString(member) ?? ['memberMri', 'mri', 'id'].flatMap((key) => asString(fields.get(key)) ?? []).slice(0, 1);
  });
  return [...new Set(ids.map(personId))];
}

/** A list, as it is or as JSON in a text of its own. */
export const listIn = (value: unknown): readonly unknown[] => asArray(jsonIn(value));

/** A value, as it is or as JSON in a text of its own; undefined for a text that is no JSON. */
export function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
