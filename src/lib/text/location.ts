/** Where in an export something was read. Printed as `path:line`, `path#pointer` or `path:line#pointer`. */
export interface Location {
  /** Path inside the export with forward slashes: `general/2024-03-01.json`. */
  readonly path: string;
  /** 1-based line, for formats that have lines. */
  readonly line?: number;
  /** JSON Pointer (RFC 6901): `/messages/41`. With a line, it is inside the value that begins there. */
  readonly pointer?: string;
}

export function formatLocation(location: Location): string {
  const line = location.line === undefined ? '' : `:${location.line}`;
  const pointer = location.pointer === undefined ? '' : `#${location.pointer}`;
  return `${location.path}${line}${pointer}`;
}

/** As the store has it beside the path: `/41`, `12` or `12#/41`. */
export const formatPlace = ({ line, pointer }: Location): string =>
  line === undefined || pointer === undefined ? (pointer ?? String(line ?? '')) : `${line}#${pointer}`;

/** A location as it is printed, of a path and a place as the store has them. */
export function printPlace(path: string, place: string): string {
  if (place === '') return path;
  return place.startsWith('/') ? `${path}#${place}` : `${path}:${place}`;
}
