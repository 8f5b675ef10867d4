/** A number too long for a double stands somewhere in the text. */
const longInteger = /:\s*-?\d{16}/;

/**
 * The JSON of an answer; nothing if it is not JSON. An `id` that came as a number keeps all its digits, as a string:
 * a rounded one would name another message.
 */
export function parseAnswer(body: string): unknown {
  try {
    return longInteger.test(body) ? JSON.parse(body, keepLongIds) : JSON.parse(body);
  } catch {
    return undefined;
  }
}

function keepLongIds(key: string, value: unknown, ...[context]: [{ readonly source?: string }?]): unknown {
  if (key !== 'id' || typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^\d+$/.test(source) ? source : value;
}

/** A JSON object, as opposed to an array, null or a bare value. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
