import { firstKey, isObject, isoTime, type JsonObject, type Unwrapped, wholeNumber } from './wrapping.ts';

/**
 * MongoDB Extended JSON, as mongoexport and drivers write it, in versions 1 and 2:
 *
 *     {"_id": {"$oid": "65e1a0…"}, "at": {"$date": {"$numberLong": "1709287200000"}}, "n": {"$numberInt": "3"}}
 *
 * https://github.com/mongodb/specifications/blob/master/source/extended-json/extended-json.md (2026-11)
 */
export function asMongoValue(object: JsonObject): Unwrapped | undefined {
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
      return { plain: undefined };
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

/** Subtypes 3 and 4 are UUIDs, which serve as ids. (The bytes of 3 stand in the order of whichever driver wrote them.) */
function binary(object: JsonObject): Unwrapped | undefined {
  const { $binary, $type } = object;
  const { base64, subType } = isObject($binary) ? $binary : { base64: $binary, subType: $type };
  if (typeof base64 !== 'string') return undefined;
  const isUuid = /^0?[34]$/.test(String(subType));
  const hex = isUuid ? Buffer.from(base64, 'base64').toString('hex') : '';
  if (hex.length !== 32) return { plain: base64 };
  return { plain: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}
