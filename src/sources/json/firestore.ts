import { firstKey, isObject, type JsonObject, type Unwrapped, wholeNumber } from './wrapping.ts';

/**
 * Firestore's values as its REST interface writes them, and the timestamps of its client libraries and of the usual export tools:
 *
 *     {"text": {"stringValue": "hi"}, "likes": {"integerValue": "3"}, "by": {"mapValue": {"fields": {"name": {…}}}}}
 *     {"_seconds": 1709287200, "_nanoseconds": 123000000}
 *     {"__datatype__": "timestamp", "value": {"_seconds": 1709287200, "_nanoseconds": 0}}
 *
 * https://firebase.google.com/docs/firestore/reference/rest/Shared.Types/ArrayValue#Value (2026-11)
 */
export function asFirestoreValue(object: JsonObject): Unwrapped | undefined {
  const key = firstKey(object);
  if (key === undefined || !mayBegin.has(key)) return undefined;
  return typed(object, key) ?? timestamp(object) ?? tagged(object);
}

/** First keys of all that is understood here: every other object is passed over by one look. */
const mayBegin = new Set([
  'nullValue',
  'booleanValue',
  'integerValue',
  'doubleValue',
  'timestampValue',
  'stringValue',
  'bytesValue',
  'referenceValue',
  'geoPointValue',
  'arrayValue',
  'mapValue',
  '_seconds',
  '_nanoseconds',
  'seconds',
  'nanoseconds',
  'type',
  '__datatype__',
  'value',
]);

/** An object with nothing but one typed value. */
function typed(object: JsonObject, key: string): Unwrapped | undefined {
  if (!key.endsWith('Value') || Object.keys(object).length !== 1) return undefined;
  const value = object[key];
  switch (key) {
    case 'integerValue':
      return { plain: wholeNumber(value) };
    case 'arrayValue':
      return { plain: isObject(value) && Array.isArray(value.values) ? value.values : [] };
    case 'mapValue':
      return { plain: isObject(value) && isObject(value.fields) ? value.fields : {} };
    default:
      return { plain: value };
  }
}

/** As ISO 8601 with nine digits: finer than milliseconds, which order messages. */
function timestamp(object: JsonObject): Unwrapped | undefined {
  const { _seconds, _nanoseconds, seconds = _seconds, nanoseconds = _nanoseconds, type, ...others } = object;
  if (typeof seconds !== 'number' || typeof nanoseconds !== 'number' || Object.keys(others).length > 0)
    return undefined;
  if (type !== undefined && type !== 'firestore/timestamp/1.0') return undefined;
  const isTime = Number.isInteger(seconds) && Math.abs(seconds) <= 8.64e12 && nanoseconds >= 0 && nanoseconds < 1e9;
  if (!isTime) return undefined;
  const [whole] = new Date(seconds * 1000).toISOString().split('.');
  return { plain: `${whole}.${String(Math.trunc(nanoseconds)).padStart(9, '0')}Z` };
}

/** What `node-firestore-import-export` writes. */
function tagged({ __datatype__: type, value, ...others }: JsonObject): Unwrapped | undefined {
  if (typeof type !== 'string' || value === undefined || Object.keys(others).length > 0) return undefined;
  return (isObject(value) ? timestamp(value) : undefined) ?? { plain: value };
}

/** Where a document stands: `projects/p/databases/(default)/documents/rooms/r1/messages/m1`. */
export interface DocumentPlace {
  /** `m1` */
  readonly key: string;
  /** `r1`, where the document is in another one's collection. */
  readonly parentKey: string | undefined;
}

/** Of a document as the REST interface writes it, with `name` and `fields`. */
export function documentPlace({ name, fields }: JsonObject): DocumentPlace | undefined {
  if (typeof name !== 'string' || !isObject(fields)) return undefined;
  const path = /^projects\/[^/]+\/databases\/[^/]+\/documents\/(.+)$/.exec(name)?.[1]?.split('/');
  const key = path?.at(-1);
  return key === undefined ? undefined : { key, parentKey: path?.at(-3) };
}
