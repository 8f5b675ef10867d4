/** A noncharacter: no id has it by accident. */
const mark = '\ufffe';
const halves = /\ufffe|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * An id as text of a database or a hash, which are UTF-8: a half of a character (a lone surrogate) has no bytes there, and two ids that differ in
 * nothing else would become one. Each half becomes a mark and its number.
 */
export function storedId(id: string): string {
  if (id.isWellFormed() && !id.includes(mark)) return id;
  return id.replace(halves, (half) => mark + half.charCodeAt(0).toString(16));
}

/** The id of which `storedId` made this. */
export const idFromStored = (stored: string): string =>
  stored.includes(mark)
    ? stored.replace(/\ufffe([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : stored;
