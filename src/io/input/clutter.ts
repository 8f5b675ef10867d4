const names: ReadonlySet<string> = new Set(['.ds_store', 'thumbs.db', 'desktop.ini']);
const nameLengthMax = Math.max(...[...names].map(({ length }) => length));

/**
 * Returns whether a file is one that operating systems leave in folders and archives and that is never part of an
 * export: resource forks and window positions of macOS (`__MACOSX/`, `._name`, `.DS_Store`), pictures and settings of
 * Windows (`Thumbs.db`, `desktop.ini`).
 *
 * The only list of them. Folders and archives do not show them at all; a source skips those that were named one by one.
 *
 * @param path With forward slashes; a folder's ends with one.
 */
export function isClutter(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    (name.startsWith('._') && name.length > 2) ||
    (name.length <= nameLengthMax && names.has(name.toLowerCase())) ||
    (path.includes('__MACOSX/') && /(?:^|\/)__MACOSX\//.test(path))
  );
}
