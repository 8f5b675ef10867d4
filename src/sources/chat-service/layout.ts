import { type SortedPaths, sortPaths, withoutClutter } from '../kit/files/paths.ts';

/** Sorts the paths. A file that was named alone may have any name; in a folder the extension decides. */
export function arrange(paths: readonly string[]): SortedPaths<'rows'> {
  const isAlone = withoutClutter(paths).own.length === 1;
  return sortPaths(paths, (path) => (isAlone || /\.(?:json|ndjson|jsonl)$/i.test(path) ? 'rows' : undefined));
}
