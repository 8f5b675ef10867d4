/** What macOS leaves in folders and archives beside the files: resource forks and window positions, never part of an export. */
export function isClutter(path: string): boolean {
  return (
    path.startsWith('__MACOSX/') ||
    path.includes('/__MACOSX/') ||
    (path.endsWith('.DS_Store') && /(?:^|\/)\.DS_Store$/.test(path))
  );
}
