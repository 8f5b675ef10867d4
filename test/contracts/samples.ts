import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type MemoryInput, memoryInputOf } from './memory-input.ts';

/** One folder below `samples/<source>/`: an export and what reading it must yield. */
export interface Sample {
  readonly source: string;
  /** What it shows: `every-feature`. */
  readonly name: string;
  readonly folder: string;
}

const root = 'samples';

/** Every sample of every source, sorted. */
export function listSamples(): Sample[] {
  return foldersIn(root).flatMap((source) =>
    foldersIn(join(root, source)).map((name) => ({ source, name, folder: join(root, source, name) })),
  );
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The export of a sample: the folder `export/`. */
export const openSample = (sample: Sample): Promise<MemoryInput> => memoryInputOf(join(sample.folder, 'export'));
