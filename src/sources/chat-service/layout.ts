import { type SortedPaths, sortPaths, withoutClutter } from '../kit/paths.ts';

/** A file that was named alone may be called as it likes; in a folder the ending tells. */
export function arrange(paths: readonly string[]): SortedPaths<'rows'> {
  const isAlone = withoutClutter(paths).own.length === 1;
  return sortPaths(paths, (path) => (isAlone || /\.(?:json|ndjson|jsonl)$/i.test(path) ? 'rows' : undefined));
}
