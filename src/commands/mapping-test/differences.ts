/** Where something is not what was expected. Values are JSON; `nothing` where there is none. */
export interface Difference {
  /** Dotted: `payload.data.text`. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * Compares what is named: keys of `expected`, at any depth. A list is compared as a whole, with the keys that its elements
 * name. In the order of `expected`.
 */
export function differences(expected: unknown, found: unknown, path = ''): Difference[] {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    return expected.flatMap((element, index) => differences(element, found[index], join(path, String(index))));
  }
  if (isObject(expected) && isObject(found)) {
    return Object.entries(expected)
      .filter(([, value]) => value !== undefined)
      .flatMap(([key, value]) =>
        differences(value, Object.hasOwn(found, key) ? found[key] : undefined, join(path, key)),
      );
  }
  if (JSON.stringify(expected) === JSON.stringify(found)) return [];
  return [{ path, expected: print(expected), found: print(found) }];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);

const print = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
