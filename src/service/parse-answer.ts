/** Matches a text that contains a number too long for a double. */
const longInteger = /:\s*-?\d{16}/;

/**
 * Levels of objects and lists in an answer. JSON has no bound, but code that compares or prints a value goes down as
 * deep as it is, and the stack ends at some thousands. Data of an app has ten.
 */
const depthMax = 500;

/**
 * The JSON of an answer; nothing if it is not JSON, or nested beyond all reason. An `id` that came as a number keeps all its digits, as a string:
 * a rounded one would name another message.
 */
export function parseAnswer(body: string): unknown {
  try {
    const value: unknown = longInteger.test(body) ? JSON.parse(body, keepLongIds) : JSON.parse(body);
    const isDeep = isObject(value) && isDeeperThan(value, depthMax);
    return isDeep ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const inner of value) if (isObject(inner) && isDeeperThan(inner, levels - 1)) return true;
    return false;
  }
  // Without a list of its values: that takes twice as long as all the rest.
  for (const key in value) {
    const inner: unknown = value[key as keyof typeof value];
    if (isObject(inner) && isDeeperThan(inner, levels - 1)) return true;
  }
  return false;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function keepLongIds(key: string, value: unknown, ...[context]: [{ readonly source?: string }?]): unknown {
  if (key !== 'id' || typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^\d+$/.test(source) ? source : value;
}
