/** `user.name`, `files.0.url`; a key that holds a dot stands in quotes: `"first.name".value`. */
export function parsePath(path: string): readonly string[] {
  if (!path.includes('.') && !path.includes('"')) return [path];
  const steps = [...path.matchAll(/"((?:[^"]|"")*)"(?:\.|$)|([^."][^.]*|)(?:\.|$)/gy)];
  // Quotes that do not match: no path, but a name.
  if (steps.reduce((sum, [step]) => sum + step.length, 0) < path.length) return [path];
  const keys = steps.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!);
  // The pattern matches once more, with nothing, at the end of the text.
  if (keys.at(-1) === '' && !path.endsWith('.')) keys.pop();
  return keys.length > 0 ? keys : [path];
}

/** A key as a step of a path. */
export const pathStep = (key: string): string =>
  /[."]/.test(key) || key === '' ? `"${key.replaceAll('"', '""')}"` : key;

/** The value at a path. Own properties only: `__proto__` and `length` are names like any other. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    if (Array.isArray(at) && !/^\d+$/.test(key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
