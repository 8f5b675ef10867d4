import type { KnownFile, SourceFiles } from '../../checkpoint/staging.ts';
import type { Store } from '../../checkpoint/open.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { type FinishedFile, queryStat, type WantedFiles } from '../reading/read-entries.ts';

/** How an input differs from what the last plan left of it. */
export interface InputChanges {
  /** Paths that are new or whose fingerprint changed. */
  readonly changed: readonly string[];
  /** Whether these are all of its files. */
  readonly isAll: boolean;
  /** Files that it no longer has. */
  readonly gone: readonly KnownFile[];
}

/** @param queryPaths Paths of the source that are no files of the input, and change when these do. */
export async function changesOf(
  store: Store,
  input: ExportInput,
  queryPaths: readonly string[],
): Promise<InputChanges> {
  const before = store.staging.sourceFiles(input.key);
  const paths = [...(await input.paths()), ...queryPaths];
  const changed: string[] = [];
  let knownCount = 0;
  for (const path of paths) {
    const known = before.find(path);
    if (known && known.role !== 'gone') knownCount++;
    const { fingerprint } = queryPaths.includes(path) ? queryStat : await input.stat(path);
    if (known?.fingerprint !== fingerprint) changed.push(path);
  }
  const gone = knownCount === before.count() ? [] : goneFiles(before, new Set(paths));
  return { changed, isAll: changed.length === paths.length, gone };
}

function goneFiles(before: SourceFiles, present: ReadonlySet<string>): KnownFile[] {
  const gone: KnownFile[] = [];
  for (const file of before.all()) if (file.role !== 'gone' && !present.has(file.path)) gone.push(file);
  return gone;
}

/** A shared file (people, channels) that changed since the last plan concerns rows everywhere. */
export function isChangedShared({ path, role, stat }: FinishedFile, before: SourceFiles): boolean {
  return role === 'shared' && !before.isNew && before.find(path)?.fingerprint !== stat.fingerprint;
}

export const everyFile = (inputs: readonly unknown[]): WantedFiles => inputs.map(() => 'all');
