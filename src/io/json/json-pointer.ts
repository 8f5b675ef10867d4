/**
 * JSON Pointer (RFC 6901): `/data/messages/3`. As a pattern a part `*` stands for any key or index: `/rooms/*` are the
 * values of all rooms. (A key that really is `*` can only be reached by that.)
 */
export const anyPart = '*';

/**
 * Whether a part of a pattern stands for several keys: `*`, or one whose key is a path, `rooms/*\/messages`, where `*` stands for what is
 * between two slashes.
 */
export const isWildcard = (part: string): boolean =>
  part === anyPart || (part.includes('/') && part.split('/').includes(anyPart));

/** How a key fits a part of a pattern: with what the last `*` of the part stands for, if it has one. Undefined if it does not fit. */
export function matchPart(part: string, key: string): { readonly wildcardKey?: string } | undefined {
  if (part === anyPart) return { wildcardKey: key };
  if (part === key) return {};
  if (!isWildcard(part)) return undefined;
  const [wanted, steps] = [part.split('/'), key.split('/')];
  const isFit = wanted.length === steps.length && wanted.every((step, at) => step === anyPart || step === steps[at]);
  return isFit ? { wildcardKey: steps[wanted.lastIndexOf(anyPart)]! } : undefined;
}

/** The last part of a pattern that is a name: `messages` of `/rooms/*\/messages`. */
export function nameInPattern(parts: readonly string[]): string | undefined {
  const name = parts.findLast((part) => part !== anyPart);
  return name !== undefined && isWildcard(name) ? name.split('/').findLast((step) => step !== anyPart) : name;
}

/** Returns the parts of a pointer: `/a~1b/0` has `a/b` and `0`. Undefined if it is not a pointer. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const formatPointer = (parts: readonly (string | number)[]): string =>
  parts.map((part) => `/${escapePart(part)}`).join('');

export function escapePart(part: string | number): string {
  if (typeof part === 'number') return String(part);
  return part.includes('~') || part.includes('/') ? part.replaceAll('~', '~0').replaceAll('/', '~1') : part;
}
