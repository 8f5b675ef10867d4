/** Where in an export something was read. Printed as `path:line` or `path#pointer`. */
export interface Location {
  /** Path inside the export with forward slashes: `general/2024-03-01.json`. */
  readonly path: string;
  /** 1-based line, for formats that have lines. */
  readonly line?: number;
  /** JSON Pointer (RFC 6901): `/messages/41`. */
  readonly pointer?: string;
}

export function formatLocation(location: Location): string {
  if (location.line !== undefined) return `${location.path}:${location.line}`;
  if (location.pointer !== undefined) return `${location.path}#${location.pointer}`;
  return location.path;
}
