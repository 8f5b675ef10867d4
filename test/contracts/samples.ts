import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { derivedInput } from '../../src/io/input/derived-input.ts';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import { parseRules } from '../../src/mapping/load-mapping.ts';

/** One folder below `samples/<source>/`: an export and what reading it must yield. */
export interface Sample {
  readonly source: string;
  /** The feature that it shows: `every-feature`. */
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

/** The first of each source. */
export function onePerSource(): Sample[] {
  const all = listSamples();
  return all.filter(({ source }, at) => all.findIndex((sample) => sample.source === source) === at);
}

/** Those of one source. */
export const samplesOf = (name: string): Sample[] => listSamples().filter(({ source }) => source === name);

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** By folder: test files share their process, and each contract reads every sample many times. */
const opened = new Map<string, Promise<ExportInput>>();

/** The export of a sample: `export/`, `export.zip`, `export.csv`, or several files that begin with `export`. It is opened once, and stays open. */
export function openSample({ folder }: Sample): Promise<ExportInput> {
  if (!opened.has(folder)) opened.set(folder, open(folder));
  return opened.get(folder)!;
}

async function open(folder: string): Promise<ExportInput> {
  const names = readdirSync(folder).filter((name) => name.startsWith('export'));
  const [input, ...more] = await openExport(names.sort().map((name) => join(folder, name)));
  if (!input || more.length > 0) throw new Error(`Expected one export in "${folder}", found ${more.length + 1}`);
  return derivedInput(input, { close: async () => {} });
}

/** Returns the source options in the sample's `mapping.yaml`; empty if there is none. */
export function sampleOptions({ folder }: Sample): Readonly<Record<string, unknown>> {
  const path = join(folder, 'mapping.yaml');
  return existsSync(path) ? parseRules(readFileSync(path, 'utf8'), path).source : {};
}
