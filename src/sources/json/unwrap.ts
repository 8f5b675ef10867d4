/**
 * A value without the wrapping of Mongo Extended JSON or Firestore: of `{"$oid": "65f…"}` the text. Only the value itself;
 * what is inside it stays.
 */
export function unwrap(value: unknown): unknown {
  if (!isObject(value)) return value;
  const unwrapped = asMongoValue(value) ?? asFirestoreValue(value);
  return unwrapped === undefined ? value : unwrapped.plain;
}

/** The same for everything inside as well: a copy. */
export function unwrapAll(value: unknown): unknown {
  const plain = unwrap(value);
  if (Array.isArray(plain)) return plain.map(unwrapAll);
  if (!isObject(plain)) return plain;
  // Pairs, so that a key "__proto__" stays a key.
  return Object.fromEntries(Object.entries(plain).map(([key, inner]) => [key, unwrapAll(inner)]));
}

/**
 * MongoDB Extended JSON, as mongoexport and drivers write it, in versions 1 and 2:
 *
 *     {"_id": {"$oid": "65e1a0…"}, "at": {"$date": {"$numberLong": "1709287200000"}}, "n": {"$numberInt": "3"}}
 *
 * https://github.com/mongodb/specifications/blob/master/source/extended-json/extended-json.md (2026-11)
 */
function asMongoValue(object: JsonObject): Unwrapped | undefined {
  const key = firstKey(object);
  if (key === undefined || !key.startsWith('$')) return undefined;
  const value = object[key];
  switch (key) {
    case '$oid':
    case '$symbol':
    case '$numberDecimal':
    case '$uuid':
      return { plain: value };
    case '$numberInt':
    case '$numberLong':
      return { plain: wholeNumber(value) };
    case '$numberDouble':
      return { plain: double(value) };
    case '$date':
      return { plain: date(value) };
    case '$binary':
    case '$type':
      return binary(object);
    case '$undefined':
    case '$minKey':
    case '$maxKey':
      return { plain: undefined };
    case '$timestamp':
      return { plain: isObject(value) && typeof value.t === 'number' ? isoTime(value.t * 1000) : value };
    case '$regularExpression':
      return { plain: isObject(value) ? `/${String(value.pattern)}/${String(value.options)}` : value };
    case '$code':
      return { plain: value };
    default:
      return undefined;
  }
}

/** `NaN` and the infinities stay as they are written: nothing that a chat has is such a number. */
function double(written: unknown): unknown {
  if (typeof written !== 'string' || written === '') return written;
  const number = Number(written);
  return Number.isFinite(number) ? number : written;
}

/** Written as ISO 8601, as milliseconds, or as `$numberLong` of milliseconds (years before 1970 and after 9999). */
function date(written: unknown): unknown {
  const value = isObject(written) ? asMongoValue(written)?.plain : written;
  if (typeof value === 'string' && !/^-?\d+$/.test(value)) return value;
  return isoTime(value) ?? written;
}

/**
 * Unwraps binary data. Subtypes 3 and 4 are UUIDs, which serve as ids. (The byte order of subtype 3 depends on the
 * driver that wrote it.)
 */
function binary(object: JsonObject): Unwrapped | undefined {
  const { $binary, $type } = object;
  const { base64, subType } = isObject($binary) ? $binary : { base64: $binary, subType: $type };
  if (typeof base64 !== 'string') return undefined;
  const isUuid = /^0?[34]$/.test(String(subType));
  const hex = isUuid ? Buffer.from(base64, 'base64').toString('hex') : '';
  if (hex.length !== 32) return { plain: base64 };
  return { plain: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

/**
 * Firestore's values as its REST interface writes them, and the timestamps of its client libraries and of the usual export tools:
 *
 *     {"text": {"stringValue": "hi"}, "likes": {"integerValue": "3"}, "by": {"mapValue": {"fields": {"name": {…}}}}}
 *     {"_seconds": 1709287200, "_nanoseconds": 123000000}
 *     {"__datatype__": "timestamp", "value": {"_seconds": 1709287200, "_nanoseconds": 0}}
 *     {"_firestore": {…}, "_path": {"segments": ["users", "abc"]}}
 *
 * https://firebase.google.com/docs/firestore/reference/rest/Shared.Types/ArrayValue#Value (2026-11)
 */
function asFirestoreValue(object: JsonObject): Unwrapped | undefined {
  const key = firstKey(object);
  if (key === undefined || !mayBegin.has(key)) return undefined;
  if (key === '.sv') return { plain: undefined };
  if (key === '_firestore' || key === '_path') return reference(object);
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
  '.sv',
  '_firestore',
  '_path',
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

/** A reference of the client library, as `JSON.stringify` writes it: its path. */
function reference({ _path: path }: JsonObject): Unwrapped | undefined {
  const segments = isObject(path) ? path.segments : undefined;
  return Array.isArray(segments) ? { plain: segments.join('/') } : undefined;
}

/** Unwraps values written by `node-firestore-import-export`. */
function tagged({ __datatype__: type, value, ...others }: JsonObject): Unwrapped | undefined {
  if (typeof type !== 'string' || value === undefined || Object.keys(others).length > 0) return undefined;
  return (isObject(value) ? timestamp(value) : undefined) ?? { plain: value };
}

/** Location of a document: `projects/p/databases/(default)/documents/rooms/r1/messages/m1`. */
export interface DocumentPlace {
  /** `m1` */
  readonly key: string;
  /** `r1`, if the document is in a collection of another document. */
  readonly parentKey: string | undefined;
}

/** Returns the location of a document in the form of the REST interface, with `name` and `fields`. */
export function documentPlace({ name, fields }: JsonObject): DocumentPlace | undefined {
  if (typeof name !== 'string' || !isObject(fields)) return undefined;
  const path = /^projects\/[^/]+\/databases\/[^/]+\/documents\/(.+)$/.exec(name)?.[1]?.split('/');
  const key = path?.at(-1);
  return key === undefined ? undefined : { key, parentKey: path?.at(-3) };
}

/** An object as JSON has it: any key, any value. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Value of an object that is only a wrapper which a database put around it. */
export interface Unwrapped {
  readonly plain: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's first key: enough to know almost every object that is no wrapping. */
function firstKey(object: JsonObject): string | undefined {
  for (const key in object) return key;
  return undefined;
}

/** A whole number as a number if a number can hold it, else its digits; anything else as it is. */
function wholeNumber(written: unknown): unknown {
  if (typeof written !== 'string' || !/^-?\d{1,40}$/.test(written)) return written;
  const number = Number(written);
  return Number.isSafeInteger(number) && String(number) === written ? number : written;
}

/** Returns `2026-03-01T10:00:00.123Z`, or undefined if the number is outside the range of dates. */
function isoTime(epochMs: unknown): string | undefined {
  const milliseconds = typeof epochMs === 'string' ? wholeNumber(epochMs) : epochMs;
  if (typeof milliseconds !== 'number' || Math.abs(milliseconds) > 8.64e15) return undefined;
  return new Date(milliseconds).toISOString();
}
