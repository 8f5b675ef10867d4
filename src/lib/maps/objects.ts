/** A JSON object, as opposed to an array, null or a bare value. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an object has a member. For objects that come by the million: `Object.keys()` would make a list for each. */
export function hasMembers(object: object): boolean {
  for (const _ in object) return true;
  return false;
}
