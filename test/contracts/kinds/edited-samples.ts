import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { sources } from '../../../src/sources/registry.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { memoryInput } from '../memory-input.ts';
import { openSample, type Sample, sampleOptions, samplesOf } from '../samples.ts';
import { readAll } from '../source/check.ts';
import type { Edit, EditedSample, Files, Kinds } from './kind.ts';

export const sourceNamed = (name: string): SourceAdapter => sources.find((source) => source.name === name)!;

export const sampleNamed = (source: string, name: string): Sample => {
  const found = samplesOf(source).find((sample) => sample.name === name);
  if (!found) throw new Error(`No sample "${name}" of ${source}`);
  return found;
};

/** Returns the files of a sample, as text if they are text. */
export async function filesOf(sample: Sample): Promise<Files> {
  const input = await openSample(sample);
  const files: Record<string, string | Uint8Array> = {};
  for (const path of await input.paths()) {
    const bytes = await input.read(path, Number.MAX_SAFE_INTEGER);
    files[path] = bytes.includes(0) || /\.csv$/.test(path) ? bytes : Buffer.from(bytes).toString('utf8');
  }
  await input.close();
  return files;
}

/** Returns the entries that a source reads from a sample with changed files. */
export async function readEdited(
  adapter: SourceAdapter,
  { sample, edits }: EditedSample,
  source = adapter.name,
): Promise<Entry[]> {
  const found = sampleNamed(source, sample);
  const files = await editedFiles(found, edits);
  return readAll(adapter, await opened(files, source), {}, sampleOptions(found));
}

export const editedFiles = async (sample: Sample, edits: readonly Edit[]): Promise<Files> =>
  edits.reduce((changed, edit) => edit(changed), await filesOf(sample));

/** The path of its mapping, if it has one. */
export function mappingOf({ folder }: Sample): string | undefined {
  const path = join(folder, 'mapping.yaml');
  return existsSync(path) ? path : undefined;
}

/** In memory, but for what needs a file on a disk. */
export async function opened(files: Files, source: string): Promise<ExportInput> {
  if (source !== 'database') return memoryInput(files);
  const [input] = await openExport([writeFiles(files, temporaryFolderInMemory().make())]);
  return input!;
}

/** Writes these files into a folder. @returns its path, or that of the file if there is one. */
export function writeFiles(files: Files, folder: string): string {
  const paths = Object.keys(files);
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), files[path]!);
  }
  return paths.length === 1 ? join(folder, paths[0]!) : folder;
}

/** What each source tries; undefined for one that says nothing. */
const kindsOf = new Map<string, Kinds | undefined>(
  await Promise.all(
    sources.map(async ({ name }) => {
      const isThere = existsSync(`test/sources/${name}/kinds.ts`);
      const file = isThere
        ? ((await import(`../../sources/${name}/kinds.ts`)) as { readonly kinds: Kinds })
        : undefined;
      return [name, file?.kinds] as const;
    }),
  ),
);

type Listed =
  | 'nestedRows'
  | 'partialExports'
  | 'messageNames'
  | 'sameNames'
  | 'overlaps'
  | 'fileKinds'
  | 'decisions'
  | 'ownData'
  | 'notSent';

export type CaseOf<Kind extends Listed> = Exclude<Kinds[Kind], string | undefined>[number];

/** What the sources decide about a kind, by source. */
export const decisionsAbout = <Kind extends keyof Kinds>(kind: Kind): (readonly [source: string, Kinds[Kind]])[] =>
  [...kindsOf].map(([source, kinds]) => [source, kinds?.[kind] as Kinds[Kind]] as const);

/** The cases of all sources, a line each: `[source, case]`. */
export const casesOf = <Kind extends Listed>(kind: Kind): (readonly [source: string, one: CaseOf<Kind>])[] =>
  decisionsAbout(kind).flatMap(([source, all]) =>
    typeof all === 'object' ? (all as readonly CaseOf<Kind>[]).map((one) => [source, one] as const) : [],
  );

/** Returns the sources that decide nothing about a kind, or give no reason. */
export const gapsIn = (decisions: readonly (readonly [source: string, unknown])[]): string[] =>
  decisions.flatMap(([source, decision]) => {
    if (typeof decision === 'string') return /^[A-Z].{20}/.test(decision) ? [] : [`${source} gives no reason`];
    return decision === undefined ? [`test/sources/${source}/kinds.ts says nothing`] : [];
  });
