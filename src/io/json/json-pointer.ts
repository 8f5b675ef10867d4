/**
 * JSON Pointer (RFC 6901): `/data/messages/3`. As a pattern a part `*` stands for any key or index: `/rooms/*` are the
 * values of all rooms. (A key that really is `*` can only be reached by that.)
 */
export const anyPart = '*';

/** Returns the parts of a pointer: `/a~1b/0` has `a/b` and `0`. Undefined if it is not a pointer. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function formatPointer(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${escapePart(part)}`).join('');
}

export function escapePart(part: string | number): string {
  if (typeof part === 'number') return String(part);
  return part.includes('~') || part.includes('/') ? part.replaceAll('~', '~0').replaceAll('/', '~1') : part;
}
