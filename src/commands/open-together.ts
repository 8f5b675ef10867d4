import type { Store } from '../checkpoint/open.ts';
import type { ExportInput } from '../io/input/export-input.ts';
import { openExport } from '../io/input/open-export.ts';
import { isServerAddress } from '../io/input/server-input.ts';
import { SourceError } from '../lib/errors.ts';

/** Exports that are opened to read some of their rows again. */
export interface OpenedTogether {
  readonly wanted: readonly ExportInput[];
  /** The wanted ones, and those of the store that were read with them and are still there: names of chats depend on them. */
  readonly all: readonly ExportInput[];
}

/**
 * Opens exports as the plan of a store read them. The caller closes `all`.
 *
 * @throws SourceError if one of `paths` cannot be opened.
 */
export async function openTogether(store: Store, paths: readonly string[]): Promise<OpenedTogether> {
  const wanted = await openExport(paths);
  const all = [...wanted];
  for (const path of store.staging.inputPaths()) {
    if (isServerAddress(path) || all.some(({ key }) => key === path)) continue;
    try {
      all.push(...(await openExport([path])));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return { wanted, all };
}
