import { asFirestoreValue } from './firestore.ts';
import { asMongoValue } from './mongo.ts';
import { isObject } from './wrapping.ts';

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
