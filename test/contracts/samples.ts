import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import { parseRules } from '../../src/mapping/load.ts';

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
  return remembered({ ...input, close: async () => {} });
}

/** The same export. A file that was read once, in whole and without an error, comes from memory: the samples are 8 MB, and most are read a hundred times. */
function remembered(input: ExportInput): ExportInput {
  const heads = new Map<string, Uint8Array>();
  const contents = new Map<string, Uint8Array>();
  const chunks = new Map<string, readonly Uint8Array[]>();
  return {
    ...input,
    async head(path, byteCount) {
      const key = `${byteCount} ${path}`;
      const bytes = heads.get(key) ?? (await input.head(path, byteCount));
      heads.set(key, bytes);
      return bytes;
    },
    async read(path, bytesMax, into) {
      // A buffer that the source uses again is filled each time, so that a value which the source keeps from it shows.
      if (into) return input.read(path, bytesMax, into);
      const known = contents.get(path);
      if (known && known.length <= bytesMax) return known;
      const bytes = await input.read(path, bytesMax);
      contents.set(path, bytes);
      return bytes;
    },
    async *open(path) {
      const known = chunks.get(path);
      if (known) return yield* known;
      const opened: Uint8Array[] = [];
      for await (const chunk of input.open(path)) {
        opened.push(chunk);
        yield chunk;
      }
      chunks.set(path, opened);
    },
  };
}

/** By folder. */
const options = new Map<string, Readonly<Record<string, unknown>>>();

/** Returns the source options in the sample's `mapping.yaml`; empty if there is none. Always the same object. */
export function sampleOptions({ folder }: Sample): Readonly<Record<string, unknown>> {
  if (!options.has(folder)) options.set(folder, readOptions(join(folder, 'mapping.yaml')));
  return options.get(folder)!;
}

const readOptions = (path: string): Readonly<Record<string, unknown>> =>
  existsSync(path) ? parseRules(readFileSync(path, 'utf8'), path).source : {};
