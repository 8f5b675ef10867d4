/** Returns every name that appears anywhere in a section `source`, with the columns of templates and the beginnings of paths. */
export function namesInOptions(options: unknown, into = new Set<string>()): ReadonlySet<string> {
  if (typeof options === 'string') {
    into.add(options).add(options.split('.')[0]!);
    for (const [, name] of options.matchAll(/\{([^{}]+)\}/g)) into.add(name!);
  } else if (typeof options === 'object' && options !== null) {
    for (const [key, value] of Object.entries(options)) {
      if (!Array.isArray(options)) into.add(key);
      namesInOptions(value, into);
    }
  }
  return into;
}
