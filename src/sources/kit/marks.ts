import type { ExportInput } from '../../io/input/export-input.ts';
import { detectEncoding } from '../../io/text-encoding.ts';
import type { Probe } from '../source.ts';
import { headOrNothing } from './files/file-bytes.ts';
import { outlineToFirstRow } from './rows/first-row.ts';
import { type JsonOutline, outlineOf } from './rows/json-outline.ts';

/** Objects that a file of JSON holds. */
export interface ObjectMark {
  /**
   * Where, as in an outline: `/messages/*`; `''` at the top, in each line, or in the list that is the whole file. A `*` stands for any
   * one key or element, `**` at the beginning for anything.
   */
  readonly at: string;
  /** Keys that all are there, not necessarily in the same object. */
  readonly keys: readonly string[];
  /** Pattern of at least one value of a key. */
  readonly values?: Readonly<Record<string, RegExp>>;
}

/** Marks that identify a format: all of them must be true of one file. With only `files`, its name is enough. */
export interface Marks {
  /**
   * Tested against the path, with the name of the export before it if the export has several files:
   * `export.zip/messages/a.json`. Default: every file named as JSON, and the one that is the whole export.
   */
  readonly files?: RegExp;
  /** Tested against the same path. */
  readonly folders?: RegExp;
  /** Names of files that are there as well. */
  readonly beside?: readonly RegExp[];
  readonly objects?: readonly ObjectMark[];
  /** Found in the beginning of the file as text. */
  readonly text?: readonly RegExp[];
  /** Pattern that at least so many of the first lines match. */
  readonly lines?: { readonly pattern: RegExp; readonly atLeast: number };
  /** Found in the beginning of the file as bytes, a character each. */
  readonly bytes?: readonly RegExp[];
  /** Description of what `text`, `lines`, `bytes` and names match: `lines that begin like "[24.12.23, 18:30:05] Ann:"`. */
  readonly shows?: string | undefined;
}

const namedJson = /\.(?:json|jsonl|ndjson)$/i;
/** Words in the names of files that hold messages. */
const tellingName = /message|chat|conversation|history|export|import|result|channel|room/i;

/** How much of a file is looked at, and of how many whose names fit. */
const headBytes = 64 * 1024;
const filesMax = 6;
/** Files that are opened at most, whatever is looked for, and names that are looked at. */
const headsMax = 100;
const namesMax = 100_000;

interface NamedFile {
  readonly path: string;
  /** With the name of the export before it, if the export is more than this file. */
  readonly name: string;
}

interface Head {
  readonly text: string;
  /** As Latin-1. */
  readonly bytes: string;
  readonly outline: JsonOutline;
}

/** A source's answer to an export: certain where it has one of these marks. The first that it has is what is said. */
export async function probeMarks(input: ExportInput, all: readonly Marks[]): Promise<Probe> {
  const heads = new Heads(input);
  for (const marks of all) {
    const because = await heads.find(marks);
    if (because !== undefined) return { match: 'certain', because };
  }
  return { match: 'no' };
}

/** By the list of paths: each source that looks at an export would make them again. */
const namesOf = new WeakMap<readonly string[], readonly NamedFile[]>();

/** By the list of paths as well: outlines of files whose first row is longer than a beginning. */
const longOutlines = new WeakMap<readonly string[], Map<string, JsonOutline | undefined>>();

async function longOutline(
  input: ExportInput,
  path: string,
  head: { readonly head: string; readonly encoding: string },
): Promise<JsonOutline | undefined> {
  const paths = await input.paths();
  const known = longOutlines.get(paths) ?? new Map<string, JsonOutline | undefined>();
  longOutlines.set(paths, known);
  if (!known.has(path)) known.set(path, await outlineToFirstRow(input, path, head));
  return known.get(path);
}

/** The beginnings of an export's files, each read once. */
export class Heads {
  readonly #input: ExportInput;
  readonly #heads = new Map<string, Head>();
  #named: readonly NamedFile[] | undefined;
  #ofJson: readonly NamedFile[] | undefined;

  constructor(input: ExportInput) {
    this.#input = input;
  }

  /**
   * Returns the evidence that an export has these marks: `"result.json" has "type" ("personal_chat") and "messages" at
   * its top`; undefined if it does not. Reads the beginnings of at most six files, and never throws.
   */
  async find(marks: Marks): Promise<string | undefined> {
    const named = await this.#names();
    const hasName = (pattern: RegExp) => named.some(({ name }) => pattern.test(name));
    const candidates = marks.files || marks.folders ? firstOf(named, marks) : await this.#jsonFiles();
    if (candidates.length === 0 || !(marks.beside ?? []).every(hasName)) return undefined;
    for (const { path } of candidates) {
      const words = hasContent(marks) ? wordsOf(await this.#head(path), marks) : describeMarks(marks);
      if (words !== undefined) return `"${path}"${words && ` has ${words}`}`;
    }
    return undefined;
  }

  async #names(): Promise<readonly NamedFile[]> {
    if (this.#named) return this.#named;
    const paths = await this.#input.paths();
    const { label } = this.#input;
    const isAlone = paths.length === 1 && paths[0] === label;
    const known = namesOf.get(paths);
    this.#named =
      known ?? paths.slice(0, namesMax).map((path) => ({ path, name: isAlone ? path : `${label}/${path}` }));
    if (!known) namesOf.set(paths, this.#named);
    return this.#named;
  }

  async #jsonFiles(): Promise<readonly NamedFile[]> {
    const named = await this.#names();
    this.#ofJson ??= named.length === 1 ? named : firstOf(likelyFirst(named), { files: namedJson });
    return this.#ofJson;
  }

  async #head(path: string): Promise<Head | undefined> {
    const known = this.#heads.get(path);
    if (known || this.#heads.size >= headsMax) return known;
    const bytes = await headOrNothing(this.#input, path, headBytes);
    const { encoding } = detectEncoding(bytes);
    const text = new TextDecoder(encoding).decode(bytes);
    const isCut = bytes.length === headBytes && /^\s*[[{]/.test(text);
    const long = isCut ? await longOutline(this.#input, path, { head: text, encoding }) : undefined;
    const found = { text, bytes: Buffer.from(bytes).toString('latin1'), outline: long ?? outlineOf(text) };
    this.#heads.set(path, found);
    return found;
  }
}

/**
 * Returns files with names typical of messages first, then files at a higher level, because a download holds more than
 * chats. Returns only as many as are opened, because there may be hundreds of thousands.
 */
function likelyFirst(named: readonly NamedFile[]): readonly NamedFile[] {
  const first: { readonly file: NamedFile; readonly rank: number }[] = [];
  for (const file of named) {
    if (!namedJson.test(file.name)) continue;
    const { path } = file;
    const isTelling = tellingName.test(path.slice(path.lastIndexOf('/') + 1));
    const rank = depthOf(path) + (isTelling ? 0 : namesMax);
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

function firstOf(
  named: readonly NamedFile[],
  { files = /(?:)/, folders = /(?:)/ }: Pick<Marks, 'files' | 'folders'>,
): readonly NamedFile[] {
  const found = [];
  for (const file of named) {
    if (files.test(file.name) && folders.test(file.name)) found.push(file);
    if (found.length === filesMax) break;
  }
  return found;
}

const hasContent = ({ objects, text, lines, bytes }: Marks) => Boolean(objects ?? text ?? lines ?? bytes);

/** Describes the evidence that a file has these marks. */
function wordsOf(
  head: Head | undefined,
  { objects = [], text = [], bytes = [], lines, shows }: Marks,
): string | undefined {
  if (head === undefined) return undefined;
  const found = objects.map((mark) => valuesOf(head.outline, mark));
  const isFound =
    !found.includes(undefined) &&
    text.every((pattern) => pattern.test(head.text)) &&
    bytes.every((pattern) => pattern.test(head.bytes)) &&
    (!lines || head.text.split(/\r?\n/).filter((line) => lines.pattern.test(line)).length >= lines.atLeast);
  return isFound ? inWords({ objects, shows }, found) : undefined;
}

type ShownValues = Readonly<Record<string, string>>;

/** Returns a value for each key of a mark that requires one, from the first location with the mark. */
function valuesOf(outline: JsonOutline, { at, keys, values = {} }: ObjectMark): ShownValues | undefined {
  const wanted = at.split('/').slice(1);
  const isAnywhere = at.startsWith('**');
  for (const [path, found] of outline) {
    if (!isAt(path.split('/').slice(1), wanted, isAnywhere) || !keys.every((key) => found.has(key))) continue;
    const shown = Object.entries(values).map(([key, pattern]) => [
      key,
      found.get(key)?.find((value) => pattern.test(value)),
    ]);
    if (shown.every(([, value]) => value !== undefined)) return Object.fromEntries(shown);
  }
  return undefined;
}

function isAt(parts: readonly string[], wanted: readonly string[], isAnywhere: boolean): boolean {
  if (isAnywhere ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  const last = parts.slice(parts.length - wanted.length);
  return last.every((part, index) => wanted[index] === '*' || wanted[index] === part);
}

/** Describes the marks: `"type" and "messages" at its top`; empty if there are only names. */
export const describeMarks = (marks: Marks): string => inWords(marks, []);

function inWords(
  { objects = [], shows }: Pick<Marks, 'objects' | 'shows'>,
  found: readonly (ShownValues | undefined)[],
): string {
  const words = objects.map(({ at, keys }, index) => {
    const shown = found[index] ?? {};
    const named = keys.map((key) => (Object.hasOwn(shown, key) ? `"${key}" ("${shown[key]}")` : `"${key}"`));
    return `${listed(named)}${placeOf(at)}`;
  });
  if (shows !== undefined) words.push(shows);
  return listed(words);
}

const placeOf = (at: string) =>
  at === '' ? ' at its top' : at === '**' ? ' in one object' : ` in ${at.replace(/^\*\*/, '…')}`;

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
