/**
 * The service's shape before anybody looked at it: every field may be missing or of another type. So the compiler asks for a
 * check at each use, and no file can make the reader throw.
 */
export type Untrusted<T> = { readonly [K in keyof T]?: unknown };

const nothing: readonly unknown[] = [];

export const asObject = <T>(value: unknown): Untrusted<T> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Untrusted<T>) : undefined;

/** The array, or an empty one. */
export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : nothing);

/** The string, unless it is empty. */
export const asString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A uid or guid, in lower case: the service forces it, so `Ann` and `ann` are one person. */
export const asServiceId = (value: unknown): string | undefined => asString(value)?.toLowerCase();

/** An id that the service made, as text; as a number it has at most 2^53, longer ones are text by now. */
export const asMessageId = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : asString(value);

/** A whole number from 0, such as a count. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Epoch milliseconds of Unix seconds: a number, or digits, ten at most. */
export function secondsToMs(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds < 1e10;
  return isTime ? Math.floor(seconds) * 1000 : undefined;
}

/** The same where 0 means never. */
export const pastToMs = (value: unknown): number | undefined => secondsToMs(value) || undefined;

/** What stands there, for a sentence: `"abc"`, `12`, `an array`. Cut after 40 characters. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value);
}
