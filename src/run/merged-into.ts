/** By id, the id of the first of its list: whom or what it becomes part of. Firsts are not in it. */
export const mergedInto = (merges: readonly (readonly string[])[]): ReadonlyMap<string, string> =>
  new Map(merges.flatMap(([first, ...others]) => others.map((other): [string, string] => [other, first!])));
