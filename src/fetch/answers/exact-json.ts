import { anyPart, parsePointer } from '../../io/json/json-pointer.ts';

/**
 * Whether a number of the text may not survive a double: it has digits enough to lose some, a fraction, an exponent, or is -0. Only numbers count, not
 * digits in texts: most answers have times and long ids.
 */
const riskyNumber = /(?:^|"\s*:|[[,])\s*(?:-0|-?\d+[.eE]|-?\d{16})/;

/** Node 22 has both; TypeScript's library does not list them yet. */
const exact = JSON as typeof JSON & { rawJSON(text: string): object; isRawJSON(value: unknown): boolean };

/** Levels of objects and lists that an answer may have. Answers of providers have ten. */
const depthMax = 200;

/**
 * The JSON of an answer, in which every number keeps its digits: `JSON.stringify` writes them as they came.
 *
 * @returns undefined if it is no JSON, or nested beyond all reason.
 */
export function parseExactly(body: string): unknown {
  try {
    const value: unknown = riskyNumber.test(body) ? JSON.parse(body, keepDigits) : JSON.parse(body);
    return isDeeperThan(value, depthMax) ? undefined : value;
  } catch {
    return undefined;
  }
}

function keepDigits(_: string, value: unknown, ...[context]: [{ readonly source?: string }?]): unknown {
  if (typeof value !== 'number' || context?.source === undefined || spelled(value) === context.source) return value;
  return exact.rawJSON(context.source);
}

/** As it would be written again. */
const spelled = (value: number): string => (Object.is(value, -0) ? '-0 is written as 0' : String(value));

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || exact.isRawJSON(value)) return false;
  if (levels === 0) return true;
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inside.some((inner) => isDeeperThan(inner, levels - 1));
}

/** The value at a JSON pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const part of parsePointer(pointer) ?? []) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

/** The values at a pointer in which a part `*` stands for every key or index. */
export function valuesAt(value: unknown, pointer: string): readonly unknown[] {
  let found: readonly unknown[] = [value];
  for (const part of parsePointer(pointer) ?? []) {
    found = found.flatMap((at) => {
      if (typeof at !== 'object' || at === null) return [];
      if (part === anyPart) return Object.values(at) as unknown[];
      return Object.hasOwn(at, part) ? [(at as Record<string, unknown>)[part]] : [];
    });
  }
  return found;
}

/** A text, number or truth value as text; undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return exact.isRawJSON(value) ? JSON.stringify(value) : undefined;
}

/** Whether an answer says yes: not null, false, 0, an empty text or an empty list. */
export const isYes = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== 0 &&
  value !== '' &&
  value !== 'false' &&
  !(Array.isArray(value) && value.length === 0);
