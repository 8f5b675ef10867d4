import type { UserRecord } from '../../model/records.ts';

type Facts = NonNullable<UserRecord['metadata']>;

/** Fields of an object, of which those that it can do without may be undefined. */
type Loose<T> = { readonly [Key in keyof T]: object extends Pick<T, Key> ? T[Key] | undefined : T[Key] };

/**
 * The object without the fields that are undefined: those that a row does not have. Messages begin with `newMessage()` instead, which keeps them.
 *
 *     compact<UserRecord>({ kind: 'user', id, name, email: asString(row.email) });
 */
export function compact<T extends object>(fields: Loose<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Metadata of a record, of values that a row may not have. Nothing if it has none of them. */
export function facts(fields: { readonly [key: string]: Facts[string] | undefined }): Facts | undefined {
  const found = compact<Facts>(fields as Facts);
  return Object.keys(found).length > 0 ? found : undefined;
}

/** Metadata of fields that no record has, under their own names. Empty ones are left out. */
export function ownFacts(row: Readonly<Record<string, unknown>>, keys: readonly string[]): Facts | undefined {
  return facts(Object.fromEntries(keys.map((key) => [key, isSaid(row[key]) ? row[key] : undefined])) as Facts);
}

/** Whether a field holds anything: no empty text, list or object. */
const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0);
