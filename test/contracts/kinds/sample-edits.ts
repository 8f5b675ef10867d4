import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { sources } from '../../../src/sources/registry.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { memoryInput } from '../memory-input.ts';
import { openSample, type Sample, sampleOptions, samplesOf } from '../samples.ts';
import { readAll } from '../source/check.ts';

/** Files of an export, by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A change of an export. */
export type Edit = (files: Files) => Files;

/** A sample with changes. */
export interface EditedSample {
  readonly sample: string;
  readonly edits: readonly Edit[];
}

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

/** The one path that ends so. */
function pathIn(files: Files, end: string): string {
  const paths = Object.keys(files).filter((path) => path.endsWith(end));
  if (paths.length !== 1) throw new Error(`Expected one file "${end}", found ${paths.length}`);
  return paths[0]!;
}

/** Another text in place of a part of a file. */
export const replace =
  (end: string, part: string | RegExp, by: string): Edit =>
  (files) => {
    const path = pathIn(files, end);
    const before = Buffer.from(files[path]!).toString('utf8');
    const after = before.replace(part, () => by);
    if (after === before) throw new Error(`"${end}" does not have ${part}`);
    return { ...files, [path]: after };
  };

/** One more file, or another one. */
export const add =
  (path: string, content: string): Edit =>
  (files) => ({ ...files, [path]: content });

export const remove =
  (end: string): Edit =>
  (files) => {
    const { [pathIn(files, end)]: _, ...others } = files;
    return others;
  };

export const rename =
  (end: string, to: string): Edit =>
  (files) => {
    const path = pathIn(files, end);
    return { ...remove(path)(files), [to]: files[path]! };
  };

/**
 * Another value at a place of a file of JSON. In a file with a value on each line, the first part of the pointer is the line. `-` is
 * behind the last element; what is missing on the way is made.
 */
export const put =
  (end: string, pointer: string, value: unknown): Edit =>
  (files) => {
    const path = pathIn(files, end);
    const json = parse(files[path]!.toString());
    putAt(json.value, pointer.split('/').slice(1), value);
    return { ...files, [path]: json.format() };
  };

function putAt(root: unknown, keys: readonly string[], value: unknown): void {
  let holder = root as Record<string, unknown>;
  for (const [at, key] of keys.entries()) {
    const place = key === '-' ? String((holder as unknown as unknown[]).length) : key.replaceAll('~1', '/');
    const isLast = at === keys.length - 1;
    if (isLast && value === undefined) delete holder[place];
    else if (isLast) holder[place] = value;
    else holder[place] ??= keys[at + 1] === '-' ? [] : {};
    holder = holder[place] as Record<string, unknown>;
  }
}

function parse(text: string): { readonly value: unknown; readonly format: () => string } {
  const whole = parseOrUndefined(text);
  if (whole !== undefined) return { value: whole, format: () => JSON.stringify(whole) };
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line, exactly as never) as unknown);
  return { value: lines, format: () => lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text, exactly as never);
  } catch {
    return undefined;
  }
}

/** Ids with more digits than a number holds stay as they are. */
function exactly(_: string, value: unknown, { source }: { readonly source: string }): unknown {
  const isLong = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLong ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source) : value;
}

/** Runs statements in a SQLite file. */
export const runSql =
  (path: string, sql: string): Edit =>
  (files) => {
    const db = new Database(Buffer.from(files[path] as Uint8Array));
    db.exec(sql);
    const bytes = db.serialize();
    db.close();
    return { ...files, [path]: bytes };
  };
