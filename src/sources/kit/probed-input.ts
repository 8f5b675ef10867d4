import type { ExportInput } from '../../io/input/export-input.ts';
import { detectEncoding } from '../../io/text-encoding.ts';
import { headOrNothing } from './files/file-bytes.ts';
import { outlineToFirstRow } from './rows/first-row.ts';
import { type JsonOutline, readOutline } from './rows/json-outline.ts';

/** An export as probes see it: some forty sources look at the same names, and at the beginnings of the same few files. */
export interface ProbedInput extends ExportInput {
  /** The files of `paths()`. */
  named(): Promise<readonly NamedFile[]>;
  /** The files named as JSON that are most likely to hold messages, at most six; the only file of an export, whatever its name. */
  jsonFiles(): Promise<readonly NamedFile[]>;
  /** The beginning of a file. Never throws: a file that cannot be read is empty. */
  headOf(path: string): Promise<FileHead>;
}

export interface NamedFile {
  readonly path: string;
  /** With the name of the export before it, if the export is more than this file. */
  readonly name: string;
}

/** The first 64 KiB of a file. */
export interface FileHead {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Up to the end of the first row, if that is longer. */
  readonly outline: JsonOutline;
}

/** Number of files that a probe opens because of one pattern. */
export const filesMax = 6;

const headBytes = 64 * 1024;
/** Beginnings that are kept, the newest. */
const headsMax = 100;

/**
 * Wraps an export while it is detected. Whatever probes ask for is made once, and dropped with the wrapper:
 *
 * - `paths()` leaves out names that differ from 32 others only in digits (`general/2024-01-31.json`): see `differentNames`.
 * - `head()` reads the first 64 KiB of a file once. A longer beginning is read each time.
 *
 * Memory: about 150 bytes for each name that is left, and up to 100 beginnings as bytes and as text. An export of 330,000 files in 764
 * folders took 18 MiB.
 *
 * @param alikeMax More than any probe opens of the files that one pattern finds. A test compares with Infinity.
 * @returns `input` itself if it is wrapped already.
 */
export function probedInput(input: ExportInput, alikeMax = 32): ProbedInput {
  if (isProbed(input)) return input;
  const bytes = new Map<string, Promise<Uint8Array>>();
  const heads = new Map<string, Promise<FileHead>>();
  const paths = once(async () => differentNames(await input.paths(), alikeMax));
  const shown: ExportInput = {
    ...input,
    paths,
    async head(path, byteCount) {
      if (byteCount > headBytes) return input.head(path, byteCount);
      return (await kept(bytes, path, () => input.head(path, headBytes))).subarray(0, byteCount);
    },
  };
  const named = once(async () => namedFiles(input.label, await paths()));
  return {
    ...shown,
    named,
    jsonFiles: once(async () => likelyFirst(await named())),
    headOf: (path) => kept(heads, path, () => readHead(shown, path)),
  };
}

const isProbed = (input: ExportInput): input is ProbedInput => 'headOf' in input;

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

function kept<T>(values: Map<string, T>, path: string, make: () => T): T {
  const known = values.get(path);
  if (known !== undefined) return known;
  if (values.size === headsMax) values.delete(values.keys().next().value!);
  const value = make();
  values.set(path, value);
  return value;
}

/** Forms of names that are counted at a time: 2 MB. After so many, counting starts again, which only shows more names. */
const formsMax = 10_000;

/**
 * Leaves out names that differ only in digits from 32 before them. A probe chooses files by their names and opens the first few of
 * them; as it does not depend on which digits a name has, it chooses the same files as among all names. Numbers of another length make
 * another name, and so do digits of the ending: `.db3`, `.mp4`.
 */
function differentNames(paths: readonly string[], alikeMax: number): readonly string[] {
  const counts = new Map<string, number>();
  return paths.filter((path) => {
    const form = formOf(path);
    if (counts.size === formsMax) counts.clear();
    const count = counts.get(form) ?? 0;
    counts.set(form, count + 1);
    return count < alikeMax;
  });
}

/** The name with zeros for its digits. */
function formOf(path: string): string {
  const end = path.lastIndexOf('.');
  const stem = end === -1 ? path : path.slice(0, end);
  return stem.replace(/\d/g, '0') + path.slice(stem.length);
}

function namedFiles(label: string, paths: readonly string[]): readonly NamedFile[] {
  const isAlone = paths.length === 1 && paths[0] === label;
  return paths.map((path) => ({ path, name: isAlone ? path : `${label}/${path}` }));
}

const namedJson = /\.(?:json|jsonl|ndjson)$/i;
/** Words in the names of files that hold messages. */
const tellingName = /message|chat|conversation|history|export|import|result|channel|room/i;
/** More levels than a path has. */
const depthMax = 100_000;

/**
 * Returns files with names typical of messages first, then files at a higher level, because a download holds more than
 * chats. Returns only as many as are opened, because there may be hundreds of thousands.
 */
function likelyFirst(named: readonly NamedFile[]): readonly NamedFile[] {
  if (named.length === 1) return named;
  const first: { readonly file: NamedFile; readonly rank: number }[] = [];
  for (const file of named) {
    if (!namedJson.test(file.name)) continue;
    const { path } = file;
    const isTelling = tellingName.test(path.slice(path.lastIndexOf('/') + 1));
    const rank = depthOf(path) + (isTelling ? 0 : depthMax);
    if (first.length === filesMax && rank >= first.at(-1)!.rank) continue;
    const at = first.findIndex((one) => one.rank > rank);
    first.splice(at === -1 ? first.length : at, 0, { file, rank });
    first.length = Math.min(first.length, filesMax);
  }
  return first.map(({ file }) => file);
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth++;
  return depth;
}

async function readHead(input: ExportInput, path: string): Promise<FileHead> {
  const bytes = await headOrNothing(input, path, headBytes);
  const { encoding } = detectEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  const isCut = bytes.length === headBytes && /^\s*[[{]/.test(text);
  const long = isCut ? await outlineToFirstRow(input, path, { head: text, encoding }) : undefined;
  return { bytes, text, outline: long ?? readOutline(text) };
}
