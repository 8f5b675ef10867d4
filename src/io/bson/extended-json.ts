import type { Binary, BSONRegExp, Code, DBRef, Decimal128, Long, ObjectId, Timestamp } from 'bson';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';

/** The package is loaded when the first document is read. */
export type BsonPackage = typeof import('bson');

/** A document as JSON text, or why there is none. */
export type ExtendedJson = { readonly text: string } | { readonly fault: string };

/**
 * One BSON document as Extended JSON in one line, relaxed as `mongoexport` writes it, but with every number exact: an Int64 that a
 * JavaScript number cannot hold is `{"$numberLong": "…"}`, and a Decimal128 is always `{"$numberDecimal": "…"}`.
 *
 * https://github.com/mongodb/specifications/blob/master/source/extended-json/extended-json.md (2026-11)
 */
export function extendedJson({ deserialize }: BsonPackage, bytes: Buffer): ExtendedJson {
  try {
    return { text: JSON.stringify(relaxed(deserialize(bytes, { promoteValues: false, bsonRegExp: true }), 0)) };
  } catch (error) {
    // Also a nesting that overflows the stack.
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: truncate(oneLine(reason), 120) };
  }
}

/** Years that Extended JSON writes as a date. */
const [isoMinMs, isoMaxMs] = [0, 253_402_300_799_999];

type Tagged = { readonly _bsontype?: string };

/** A server takes 100 levels. */
const depthMax = 1000;

function relaxed(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return wholeNumber(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return date(value);
  if (depth > depthMax) throw new RangeError(`it is nested deeper than ${depthMax} levels`);
  if (Array.isArray(value)) return value.map((inner) => relaxed(inner, depth + 1));
  // A document that has a field of this name is no value of the package: those have it in their prototype.
  if (!Object.hasOwn(value, '_bsontype') && (value as Tagged)._bsontype !== undefined)
    return typed(value as Tagged, depth);
  // Pairs, so that a key "__proto__" stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, relaxed(inner, depth + 1)]));
}

function typed(value: Tagged, depth: number): unknown {
  switch (value._bsontype) {
    case 'Int32':
    case 'Double':
      return double(Number(value.valueOf()));
    case 'Long':
      return wholeNumber((value as Long).toString());
    case 'Decimal128':
      return { $numberDecimal: (value as Decimal128).toString() };
    case 'ObjectId':
      return { $oid: (value as ObjectId).toHexString() };
    case 'Binary':
      return binary(value as Binary);
    case 'Timestamp': {
      const { t, i } = value as Timestamp;
      return { $timestamp: { t, i } };
    }
    case 'BSONSymbol':
      return { $symbol: String(value.valueOf()) };
    case 'BSONRegExp': {
      const { pattern, options } = value as BSONRegExp;
      return { $regularExpression: { pattern, options } };
    }
    case 'Code': {
      const { code, scope } = value as Code;
      return { $code: code, ...(scope && { $scope: relaxed(scope, depth + 1) }) };
    }
    case 'DBRef': {
      const { collection, oid, db, fields } = value as DBRef;
      return {
        $ref: collection,
        $id: relaxed(oid, depth + 1),
        ...(db && { $db: db }),
        ...(relaxed(fields, depth + 1) as object),
      };
    }
    default:
      return value._bsontype === 'MinKey' ? { $minKey: 1 } : { $maxKey: 1 };
  }
}

function wholeNumber(digits: string): unknown {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : { $numberLong: digits };
}

const double = (number: number): unknown => (Number.isFinite(number) ? number : { $numberDouble: String(number) });

function date(value: Date): unknown {
  const atMs = value.getTime();
  return { $date: atMs >= isoMinMs && atMs <= isoMaxMs ? value.toISOString() : { $numberLong: String(atMs) } };
}

function binary({ buffer, position, sub_type: subType }: Binary): unknown {
  const base64 = Buffer.from(buffer.subarray(0, position)).toString('base64');
  return { $binary: { base64, subType: subType.toString(16).padStart(2, '0') } };
}
