/**
 * Checks of unvalidated data: rows of an export, whatever they are. Each function returns the value if it has the
 * requested type, and otherwise nothing. None throws, so no export can make a reader throw.
 *
 * const row = asObject<VendorMessage>(value); if (!row) return invalidEntry('not-an-object', `Expected a message, found
 * ${wordFor(value)}`, location); const id = asId(row.id); // string | undefined
 *
 * **Ids are strings.** The JSON readers of `io/` return integers beyond 2^53 - 1 as strings with the same digits, so a
 * snowflake never passes through a JavaScript number. `asId` converts the remaining numbers. `Number(row.id)` would
 * round it.
 */

/**
 * A vendor's shape before anybody looked at it: every field may be missing or of another type. So the compiler asks for a
 * check at each use.
 */
export type Untrusted<T> = { readonly [K in keyof T]?: unknown };

const nothing: readonly unknown[] = [];

/** The object; an array is none. */
export const asObject = <T>(value: unknown): Untrusted<T> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Untrusted<T>) : undefined;

/** The array, or an empty one. */
export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : nothing);

/** Returns the string, unless it is empty: vendors write `""` for no value. */
export const asString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** An id, as text: a string that is not empty, or a whole number from 0 that a number holds exactly. */
export const asId = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : asString(value);

/** A whole number from 0, such as a count or a size. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/**
 * Returns the value as a word, for a look-up, a pattern or a generated id. Not `String(value)`: an object may have a
 * `toString` that is not a function, and then it throws.
 */
export function asWord(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? wordFor(value) : String(value);
}

/** A number, or the digits of one as text; NaN for anything else, for which `Number(value)` may throw. */
export const asNumber = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

/** Whether a value is in the place of a text and is none: a list, an object, a number. A text that is missing is no fault. */
export const isNoText = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== 'string';

/** The strings of an array, each once, in order. */
export function asStrings(value: unknown): string[] {
  const strings = asArray(value).filter((item): item is string => typeof item === 'string' && item !== '');
  const distinct = strings.length > 1 ? new Set(strings) : undefined;
  return distinct && distinct.size < strings.length ? [...distinct] : strings;
}

/** Epoch milliseconds of Unix seconds: a number, or up to ten digits as text. Up to the year 2286; not below 0. */
export function secondsToMs(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds < 1e10;
  return isTime ? Math.floor(seconds) * 1000 : undefined;
}

/** Does the same for times in which 0 means never, such as times of edits or deactivations. */
export const pastSecondsToMs = (value: unknown): number | undefined => secondsToMs(value) || undefined;

/** Describes the kind of a value: `null`, `an array`, `a string`. For rows, because their content must not get into logs. */
export function wordFor(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

/** Describes a value: `"abc"`, `12`, `an array`. For ids and times; text is cut after 40 characters. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value);
}

/** A text for a sentence: quoted, on one line, at most 60 characters. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);
}
