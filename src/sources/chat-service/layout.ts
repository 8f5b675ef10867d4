import { isClutter } from '../../io/input/clutter.ts';

/** Every path of an export, sorted into what is done with it. */
export interface Layout {
  /** Files with rows, sorted. */
  readonly files: readonly string[];
  readonly clutter: readonly string[];
  readonly unknown: readonly string[];
}

/** A file that was named alone may be called as it likes; in a folder the ending tells. */
export function arrange(paths: readonly string[]): Layout {
  const own = paths.filter((path) => !isClutter(path));
  const isRows = (path: string) => own.length === 1 || /\.(?:json|ndjson|jsonl)$/i.test(path);
  return { files: own.filter(isRows), clutter: paths.filter(isClutter), unknown: own.filter((path) => !isRows(path)) };
}
