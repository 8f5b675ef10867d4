import type { ExportInput } from '../../../io/input/export-input.ts';
import { expectedByName, type ExpectedFile, expectFiles } from './expected-files.ts';
import { type PathVerdict, type SortedPaths, sortPaths, withoutClutter } from './paths.ts';

/** How a source sorts the files of an export that it recognises by their contents. */
interface Arranging<Layout, Kind extends string> {
  /** The contents of a file; undefined if it holds nothing of the source. Only the beginning should be read. */
  findLayout(input: ExportInput, path: string): Promise<Layout | undefined>;
  /** Verdict on a path. A file without a layout is unknown, unless its path says what it is. */
  verdict(layout: Layout | undefined, path: string): PathVerdict<Kind>;
  /** Whether a file is opened for its layout. Default: JSON, by its name. A file that was passed alone may have any name. */
  mayHold?(path: string): boolean;
  /** Default: `expectedByName`. */
  expected?(path: string): ExpectedFile | undefined;
}

/** The files of an export by what is in them. */
export interface Arranged<Layout, Kind extends string> {
  /** The export; a file of it that is not what its name says cannot be read. */
  readonly input: ExportInput;
  readonly layouts: ReadonlyMap<string, Layout>;
  readonly sorted: SortedPaths<Kind>;
}

const isNamedJson = (path: string): boolean => /\.(?:json|jsonl|ndjson)$/i.test(path);

/**
 * Opens each file of saved answers for its layout, and sorts all paths by it.
 *
 *     const { input, layouts, sorted } = await arrange(exported, { findLayout, verdict: (layout) => layout?.kind });
 *     yield* inLists(leftOut(sorted));
 */
export async function arrange<Layout extends object, Kind extends string>(
  exported: ExportInput,
  { findLayout, verdict, mayHold = isNamedJson, expected = expectedByName }: Arranging<Layout, Kind>,
): Promise<Arranged<Layout, Kind>> {
  const input = expectFiles(exported, expected);
  const paths = await input.paths();
  const { own } = withoutClutter(paths);
  const layouts = new Map<string, Layout>();
  for (const path of own) {
    const layout = own.length === 1 || mayHold(path) ? await findLayout(input, path) : undefined;
    if (layout) layouts.set(path, layout);
  }
  return { input, layouts, sorted: sortPaths(paths, (path) => verdict(layouts.get(path), path)) };
}
