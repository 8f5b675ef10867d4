import type { ExportInput } from '../io/input/export-input.ts';
import { globMatcher } from '../lib/text/glob.ts';

/** Whether the mapping says that a file of the export is not read. */
export type IsIgnored = (path: string) => boolean;

/** Shown in the list of ignored files. */
export const ignoredByMapping = 'Ignored by the mapping';

/** @param globs Of `files.ignore`. A path itself is one, whatever characters it has. */
export function ignoring(globs: readonly string[]): IsIgnored {
  const paths = new Set(globs);
  const matchers = globs.map(globMatcher);
  return (path) => paths.has(path) || matchers.some((matches) => matches(path));
}

export function withoutIgnored(input: ExportInput, isIgnored: IsIgnored): ExportInput {
  let own: Promise<readonly string[]> | undefined;
  const list = async () => {
    const paths = await input.paths();
    return paths.some(isIgnored) ? paths.filter((path) => !isIgnored(path)) : paths;
  };
  // Sources keep what they made of the names by this list.
  return { ...input, paths: () => (own ??= list()) };
}
