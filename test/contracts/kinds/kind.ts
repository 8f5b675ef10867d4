import Database from 'better-sqlite3';
import type { memoryInput } from '../memory-input.ts';

/**
 * What is tried on a source for each kind of fault; or why nothing can be tried: a fact about the format, in a sentence. A new source decides
 * about each kind, in `test/sources/<name>/kinds.ts`.
 */
export interface Kinds {
  /** Fields that may say that a message is not for everybody in its conversation. */
  readonly ownData: readonly OwnData[] | string;
  /** Exports of which nothing can be read. Default: the first sample, in which every file of messages gets another content. */
  readonly nothingRead?: string;
  /** Files of other chats. Default: a log of IRC, and lines of JSON, are put into every sample. Files that are given take the place of the log. */
  readonly foreignFiles?: Files | string;
  /** Messages whose only content is a structure. Default: one is put into a message of each sample of JSON, in place of its text. */
  readonly unreadContent?: string;
  /** Rows inside of rows. */
  readonly nestedRows: readonly NestedRow[] | string;
  /** Exports that say that they are not whole. */
  readonly partialExports: readonly PartialExport[] | string;
  /** Messages with a name of their own. */
  readonly messageNames: readonly NamedMessages[] | string;
  /** Conversations of one name. */
  readonly sameNames: readonly SameName[] | string;
  /** Messages that two exports have otherwise. */
  readonly overlaps: readonly SampleOverlap[] | string;
  /** Files whose rows say what they are in another word than a media type. */
  readonly fileKinds?: readonly FileKind[];
  /** Exports that ask for the decisions which the source declares: one at least for each of its codes. */
  readonly decisions?: readonly AskedDecisions[];
  /** Logs of lines, in which a text may have lines that look like messages. Undefined for sources without a text that has messages. */
  readonly pastedLines?: PastedLines | string;
  /** Messages of which their rows say that they failed or were still waiting; each has the text `unsent`. */
  readonly notSent?: readonly EditedSample[];
}

export interface AskedDecisions {
  /** Sample with the edits, if it is not made of `files`. */
  readonly sample?: string;
  readonly edits?: readonly Edit[];
  readonly files?: Files;
  /** Text of the mapping, if it is not the sample's. */
  readonly mapping?: string;
  /** By code, how much the decision is about; `null` where nobody can count it, `note` for what is only to be known. */
  readonly asks: Readonly<Record<string, number | null | 'note'>>;
}

/** Files of an export, by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A change of an export. */
export type Edit = (files: Files) => Files;

/** A sample with changes. */
export interface EditedSample {
  readonly sample: string;
  readonly edits: readonly Edit[];
}

export interface NestedRow extends EditedSample {
  /** Location in the platform's data: `replies of a post`. */
  readonly where: string;
}

export interface PartialExport extends EditedSample {
  /** Statement of the export: `a range of time`. */
  readonly says: string;
  /** Codes that name it, if it is not `export-is-partial`. */
  readonly codes?: readonly string[];
}

/** One id that writes under several names; each text is the name under which it is written. */
export interface NamedMessages {
  /** `aliases` */
  readonly form: string;
  readonly files: Parameters<typeof memoryInput>[0];
}

export interface SameName extends EditedSample {
  /** The property that distinguishes them: `the id of the room`. */
  readonly by: string;
  /** Name of both, if it is another one. */
  readonly name?: string;
  /** The code with which the source asks whether they are one: it has nothing but their names. */
  readonly asks?: string;
}

/** A file without a media type, and without an ending in its name and address. */
export interface FileKind extends EditedSample {
  readonly kind: 'image' | 'video' | 'audio';
}

export interface SampleOverlap {
  readonly sample: string;
  /** The change: `a reaction`. */
  readonly changed: string;
  /** Edits for the earlier export, if it is not the sample itself. */
  readonly before?: readonly Edit[];
  /** Edits that turn the sample into the later export. */
  readonly after: readonly Edit[];
  /** The format dates no change of this kind: the plan asks which version counts. */
  readonly isUndated?: true;
}

export interface PastedLines {
  /** The codes with which the source asks about lines that may be pasted. */
  readonly asks: readonly string[];
  /** Names of files that are such logs. */
  readonly files: RegExp;
  /** Messages of a log may be earlier than those above by so many ms. Default 0. */
  readonly lateMs?: number;
  /** Headings of days, if other lines say the time of day alone; and how far the samples' time is ahead of UTC, in ms. */
  readonly headings?: RegExp;
  readonly aheadMs?: number;
}

export type OwnData = DataField | HidingMark;

/** A field for data of the app. */
export interface DataField {
  /** `attributes of a message` */
  readonly where: string;
  readonly sample: string;
  /** The field takes a word. */
  readonly isWord?: true;
  /** Puts data into a message that everybody sees. */
  readonly edits: (data: unknown) => readonly Edit[];
}

/** A mark of the platform itself, on a message that everybody sees. */
export interface HidingMark {
  readonly where: string;
  readonly sample: string;
  readonly mark: readonly Edit[];
}

/** Text of the inner message of a nested row. */
export const inner = 'Said inside of another row';
/** Its id, where it has one: a row that quotes or answers it names it. */
export const innerId = 'inner-7001';

/** Text of a message that was not sent. */
export const unsent = 'Never left the harbour';

/** The name that two conversations have. */
export const shared = 'Harbour crew seven';

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
