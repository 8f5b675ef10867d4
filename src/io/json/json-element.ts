import { isUtf8 } from 'node:buffer';
import { findJsonFault } from './json-fault.ts';
import type { UnreadParts } from './unread-lists.ts';

export interface JsonOptions {
  /** Nesting allowed inside an element. Default 64: the deepest seen is Slack's blocks, about 12. */
  readonly depthMax?: number;
  /** Bytes of one element. Default 16 MiB. */
  readonly elementBytesMax?: number;
  /**
   * Integers beyond 2^53 - 1 become strings with the same digits; as numbers they would change. Default true.
   * `1e400`, which would become infinite, stays as it was written; `0.1` stays what JSON.parse makes of it.
   */
  readonly bigIntegersAsStrings?: boolean;
  /**
   * Repairs the output of exporters that are known to write invalid JSON: gets the text of a value that cannot be
   * parsed, and returns one that may parse. Default none. Only text between matching brackets and quotes can be
   * repaired.
   */
  readonly repair?: (text: string) => string;
  /** For lists in one text: whether an empty list is reported too, because it may stand for a conversation. Default false. */
  readonly tellsEmptyLists?: boolean;
  /** For a text that is an array: whether further arrays after it are read as if all were one. Programs append them. Default false. */
  readonly takesArraysBehind?: boolean;
  /** For lists in one text: gets the parts in no list that is read. Default none. */
  readonly unread?: UnreadParts;
}

type ListOption = 'tellsEmptyLists' | 'takesArraysBehind' | 'unread';

export type CheckedJsonOptions = Required<Omit<JsonOptions, 'repair' | ListOption>> & Pick<JsonOptions, 'repair'>;

export function withDefaults(options: JsonOptions): CheckedJsonOptions {
  const { depthMax = 64, elementBytesMax = 16 * 2 ** 20, bigIntegersAsStrings = true, repair } = options;
  return { depthMax, elementBytesMax, bigIntegersAsStrings, ...(repair && { repair }) };
}

/** Why an element, or everything from it on, cannot be read. */
export interface JsonFault {
  readonly code:
    | 'syntax'
    | 'encoding'
    | 'too-deep'
    | 'too-large'
    | 'cut-off'
    | 'not-an-array'
    | 'no-list'
    | 'trailing'
    | 'damaged-record';
  /** `element`: the next one is read again. `rest`: nothing after this is. */
  readonly scope: 'element' | 'rest';
  /** No period, and no more than one character of the text. */
  readonly reason: string;
}

/** `isRepaired`: it was no JSON until `repair` had mended it. */
export type JsonValue = { readonly value: unknown; readonly isRepaired?: boolean } | { readonly fault: JsonFault };

/**
 * One JSON text. A key that is there twice has its last value; `__proto__` is a key like any other; half a surrogate
 * pair that was written as an escape stays.
 *
 * @param byteOffset Of the bytes in their file, for the reason.
 */
export const parseJson = (bytes: Buffer, byteOffset: number, options: CheckedJsonOptions): JsonValue =>
  isUtf8(bytes) ? parseUtf8(bytes, byteOffset, options) : elementFault('encoding', 'it is not valid UTF-8');

/** The same for bytes that are known to be UTF-8. */
export function parseUtf8(bytes: Buffer, byteOffset: number, options: CheckedJsonOptions): JsonValue {
  const parsed = parseDecoded(bytes.toString('utf8'), options);
  if (parsed !== undefined) return parsed;
  const found = findJsonFault(bytes) ?? { byteOffset: 0, reason: 'it is not JSON' };
  return elementFault('syntax', `${found.reason} (byte ${byteOffset + found.byteOffset})`);
}

/** The same for a text. @returns undefined if it is no JSON. */
export function parseDecoded(text: string, options: CheckedJsonOptions): JsonValue | undefined {
  const parsed = parseText(text) ?? parseRepaired(text, options);
  if (parsed === undefined) return undefined;
  const { value, mended } = parsed;
  const survey = surveyValue(value, options.depthMax);
  if (survey === 'too-deep') return tooDeep(options);
  const isExact = survey !== 'big-integer' || !options.bigIntegersAsStrings;
  const exact = isExact ? value : parseExactly(mended ?? text);
  return mended === undefined ? { value: exact } : { value: exact, isRepaired: true };
}

/**
 * Parses the elements between the brackets of an array. The bytes must hold complete elements: if they end inside one,
 * they are not JSON.
 *
 * @returns undefined if an element has to be read by itself: it is not JSON, is too deep, or has an integer that does
 *   not fit in a number.
 */
export function parseRun(bytes: Buffer, { depthMax }: CheckedJsonOptions): readonly unknown[] | undefined {
  const parsed = isUtf8(bytes) ? parseText(`[${bytes.toString('utf8')}]`) : undefined;
  return parsed && surveyValue(parsed.value, depthMax + 1) === 'plain' ? (parsed.value as unknown[]) : undefined;
}

interface Parsed {
  readonly value: unknown;
  /** The text, where it had to be mended. */
  readonly mended?: string;
}

function parseText(text: string): Parsed | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function parseRepaired(text: string, { repair }: CheckedJsonOptions): Parsed | undefined {
  const mended = repair?.(text);
  const parsed = mended === undefined ? undefined : parseText(mended);
  return parsed && { ...parsed, mended: mended! };
}

export const tooDeep = ({ depthMax }: CheckedJsonOptions): { readonly fault: JsonFault } =>
  elementFault('too-deep', `it is nested deeper than ${depthMax} levels`);

export const elementFault = (code: JsonFault['code'], reason: string): { readonly fault: JsonFault } => ({
  fault: { code, scope: 'element', reason },
});

type Survey = 'plain' | 'big-integer' | 'too-deep';

/** Checks every number and the nesting. Cheap next to the parsing: 2% of it on Slack day files. */
function surveyValue(value: unknown, depthMax: number): Survey {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'big-integer' : 'plain';
  if (typeof value !== 'object' || value === null) return 'plain';
  if (depthMax === 0) return 'too-deep';
  let survey: Survey = 'plain';
  // Written out: copying the values out of each object would cost five times as much.
  if (Array.isArray(value)) for (const inner of value) survey = worse(survey, surveyValue(inner, depthMax - 1));
  else for (const key in value) survey = worse(survey, surveyValue(value[key as keyof typeof value], depthMax - 1));
  return survey;
}

const worse = (a: Survey, b: Survey): Survey => (a === 'too-deep' || b === 'plain' ? a : b);

/** A reviver that also gets the source text of a number, which TypeScript's library does not know yet. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keepDigits: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return /^-?\d+$/.test(source) || !Number.isFinite(value) ? source : value;
};

const parseExactly = (text: string): unknown =>
  JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
