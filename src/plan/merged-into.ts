/**
 * By id, the id of the first of its list: whom or what it becomes part of. Firsts are not in it.
 *
 * @returns Undefined where nothing is merged, which is so nearly always: then nobody is looked up.
 */
export function mergedInto(merges: readonly (readonly string[])[]): ReadonlyMap<string, string> | undefined {
  if (merges.length === 0) return undefined;
  return new Map(merges.flatMap(([first, ...others]) => others.map((other): [string, string] => [other, first!])));
}
