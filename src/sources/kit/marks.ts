import type { ExportInput } from '../../io/input/export-input.ts';
import type { Probe } from '../source.ts';
import { type FileHead, filesMax, type NamedFile, type ProbedInput, probedInput } from './probed-input.ts';
import type { JsonOutline } from './rows/json-outline.ts';

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

/** A source's answer to an export: certain where it has one of these marks. The first that it has is what is said. */
export async function probeMarks(input: ExportInput, all: readonly Marks[]): Promise<Probe> {
  const probed = probedInput(input);
  for (const marks of all) {
    const because = await findMarks(probed, marks);
    if (because !== undefined) return { match: 'certain', because };
  }
  return { match: 'no' };
}

/**
 * Returns the evidence that an export has these marks: `"result.json" has "type" ("personal_chat") and "messages" at
 * its top`; undefined if it does not. Reads the beginnings of at most six files, and never throws.
 */
export async function findMarks(input: ProbedInput, marks: Marks): Promise<string | undefined> {
  const named = await input.named();
  const hasName = (pattern: RegExp) => named.some(({ name }) => pattern.test(name));
  const candidates = marks.files || marks.folders ? firstFiles(named, marks) : await input.jsonFiles();
  if (candidates.length === 0 || !(marks.beside ?? []).every(hasName)) return undefined;
  for (const { path } of candidates) {
    const words = hasContent(marks) ? describeHead(await input.headOf(path), marks) : describeMarks(marks);
    if (words !== undefined) return `"${path}"${words && ` has ${words}`}`;
  }
  return undefined;
}

function firstFiles(
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
function describeHead(head: FileHead, { objects = [], text = [], bytes, lines, shows }: Marks): string | undefined {
  const found = objects.map((mark) => findValues(head.outline, mark));
  const isFound =
    !found.includes(undefined) &&
    areIn(head.text, text) &&
    (!bytes || areIn(Buffer.from(head.bytes).toString('latin1'), bytes)) &&
    (!lines || head.text.split(/\r?\n/).filter((line) => lines.pattern.test(line)).length >= lines.atLeast);
  return isFound ? inWords({ objects, shows }, found) : undefined;
}

const areIn = (text: string, patterns: readonly RegExp[]) => patterns.every((pattern) => pattern.test(text));

type ShownValues = Readonly<Record<string, string>>;

/** Returns a value for each key of a mark that requires one, from the first location with the mark. */
function findValues(outline: JsonOutline, { at, keys, values = {} }: ObjectMark): ShownValues | undefined {
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
