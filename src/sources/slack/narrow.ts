/**
 * A vendor's shape before anybody looked at it: every field may be missing or of another type.
 * So the compiler asks for a check at each use, and no export can make the reader throw.
 */
export type Untrusted<T> = { readonly [K in keyof T]?: unknown };

const nothing: readonly unknown[] = [];

export const asObject = <T>(value: unknown): Untrusted<T> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Untrusted<T>) : undefined;

/** The array, or an empty one. */
export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : nothing);

/** The string, unless it is empty: Slack writes `""` where it has nothing. */
export const asString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A whole number from 0, such as a count or a size. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The strings of an array, each once, in order. */
export function asStrings(value: unknown): string[] {
  const strings = asArray(value).filter((item): item is string => typeof item === 'string' && item !== '');
  const distinct = strings.length > 1 ? new Set(strings) : undefined;
  return distinct && distinct.size < strings.length ? [...distinct] : strings;
}
