import { isUtf8 } from 'node:buffer';
import { findJsonFault } from './json-fault.ts';
import type { UnreadLists } from './unread-lists.ts';

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
   * For exporters that are known to write what is no JSON: asked for the text of a value that cannot be parsed, answers with one
   * that may. Default none. Only what stands between brackets and quotes that fit can be mended.
   */
  readonly repair?: (text: string) => string;
  /** Of lists in one text: one with nothing in it is said too, for it may stand for a conversation. Default false. */
  readonly tellsEmptyLists?: boolean;
  /** Of a text that is an array: others one behind another are read on, as if they were one. Programs append them. Default false. */
  readonly takesArraysBehind?: boolean;
  /** Of lists in one text: counts what stands in others. Default none. */
  readonly unread?: UnreadLists;
}

type OfLists = 'tellsEmptyLists' | 'takesArraysBehind' | 'unread';

export type CheckedJsonOptions = Required<Omit<JsonOptions, 'repair' | OfLists>> & Pick<JsonOptions, 'repair'>;

export function withDefaults(options: JsonOptions): CheckedJsonOptions {
  const { depthMax = 64, elementBytesMax = 16 * 2 ** 20, bigIntegersAsStrings = true, repair } = options;
  return { depthMax, elementBytesMax, bigIntegersAsStrings, ...(repair && { repair }) };
}

/** Why an element, or everything from it on, cannot be read. */
export interface JsonFault {
  readonly code: 'syntax' | 'encoding' | 'too-deep' | 'too-large' | 'cut-off' | 'not-an-array' | 'no-list' | 'trailing';
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
export function parseJson(bytes: Buffer, byteOffset: number, options: CheckedJsonOptions): JsonValue {
  return isUtf8(bytes) ? parseUtf8(bytes, byteOffset, options) : elementFault('encoding', 'it is not valid UTF-8');
}

/** The same for bytes that are known to be UTF-8. */
export function parseUtf8(bytes: Buffer, byteOffset: number, options: CheckedJsonOptions): JsonValue {
  const text = bytes.toString('utf8');
  const parsed = parseText(text) ?? parseRepaired(text, options);
  if (parsed === undefined) {
    const found = findJsonFault(bytes) ?? { byteOffset: 0, reason: 'it is not JSON' };
    return elementFault('syntax', `${found.reason} (byte ${byteOffset + found.byteOffset})`);
  }
  const { value, mended } = parsed;
  const survey = surveyOf(value, options.depthMax);
  if (survey === 'too-deep') return tooDeep(options);
  const isExact = survey !== 'big-integer' || !options.bigIntegersAsStrings;
  const exact = isExact ? value : parseExactly(mended ?? text);
  return mended === undefined ? { value: exact } : { value: exact, isRepaired: true };
}

/**
 * The elements that stand between the brackets of an array. As many as there are: bytes that end inside of one are no JSON.
 *
 * @returns undefined where one of them has to be looked at by itself: it is no JSON, too deep, or has an integer that no number holds.
 */
export function parseRun(bytes: Buffer, { depthMax }: CheckedJsonOptions): readonly unknown[] | undefined {
  const parsed = isUtf8(bytes) ? parseText(`[${bytes.toString('utf8')}]`) : undefined;
  return parsed && surveyOf(parsed.value, depthMax + 1) === 'plain' ? (parsed.value as unknown[]) : undefined;
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

export function tooDeep({ depthMax }: CheckedJsonOptions): { readonly fault: JsonFault } {
  return elementFault('too-deep', `it is nested deeper than ${depthMax} levels`);
}

export function elementFault(code: JsonFault['code'], reason: string): { readonly fault: JsonFault } {
  return { fault: { code, scope: 'element', reason } };
}

type Survey = 'plain' | 'big-integer' | 'too-deep';

/** Looks at every number and the nesting. Cheap beside the parsing: 2% of it on Slack day files. */
function surveyOf(value: unknown, depthMax: number): Survey {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'big-integer' : 'plain';
  if (typeof value !== 'object' || value === null) return 'plain';
  if (depthMax === 0) return 'too-deep';
  let survey: Survey = 'plain';
  // Written out: copying the values out of each object would cost five times as much.
  if (Array.isArray(value)) for (const inner of value) survey = worse(survey, surveyOf(inner, depthMax - 1));
  else for (const key in value) survey = worse(survey, surveyOf(value[key as keyof typeof value], depthMax - 1));
  return survey;
}

function worse(a: Survey, b: Survey): Survey {
  return a === 'too-deep' || b === 'plain' ? a : b;
}

/** What TypeScript's library does not know yet: a reviver is also told how a number was written. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keepDigits: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return /^-?\d+$/.test(source) || !Number.isFinite(value) ? source : value;
};

function parseExactly(text: string): unknown {
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
}
