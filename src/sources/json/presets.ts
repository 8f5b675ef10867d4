import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { ExportInput } from '../../io/input/export-input.ts';
import { formatPointer, parsePointer } from '../../io/json/json-pointer.ts';
import { packageFile } from '../../lib/package-files.ts';
import type { Preset } from '../table-source.ts';
import type { Row } from '../tables/row.ts';
import { collectionForms } from './firestore.ts';
import { type FileHead, fileHeads, firstRows, takeSamples } from './propose.ts';

/** The lists that identify the JSON of an application. */
interface Fingerprint {
  /** Shown to the user: `Firechat`. */
  readonly title: string;
  /** Lists, each with fields of its rows. All of them have to be there. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

/** The `source:` section of a mapping, unparsed. */
interface SourceSection {
  readonly tables?: Readonly<Record<string, { readonly list: string }>>;
  readonly [key: string]: unknown;
}

const folder = 'mappings/documents';
const anyList = '**';
/** Rows need not have all their fields: those of the first hundred. */
const rowsMax = 100;

/** Returns the mapping of the application that wrote these documents, or undefined if no known application or more than one fits. */
export async function findPreset(input: ExportInput): Promise<Preset | undefined> {
  const known = Object.entries((await yamlAt(`${folder}/fingerprints.yaml`)) as Record<string, Fingerprint>);
  const heads = await fileHeads(input);
  const fits: Fit[] = [];
  for (const [name, fingerprint] of known) {
    for (const head of heads) {
      const form = await findForm(fingerprint, head);
      if (form !== undefined) fits.push({ name, fingerprint, head, form });
    }
  }
  const [fit] = fits;
  if (fit === undefined || fits.some(({ name }) => name !== fit.name)) return undefined;
  const { lists, title } = fit.fingerprint;
  const path = `${folder}/${fit.name}.yaml`;
  const { tables, ...rest } = ((await yamlAt(path)) as { readonly source: SourceSection }).source;
  // Messages in several files are bound alike; which file is what is proposed.
  if (tables && fits.length > 1) return undefined;
  const because = Object.entries(lists).map(([list, fields]) => `${list} has ${fields.join(', ')}`);
  if (tables)
    return { title, path, because: because.join('; '), options: await tablesAt(fit, tables, rest, heads.length > 1) };
  const rows = (await Promise.all(fits.map(rowsOfAnyList))).flat();
  return { title, path, because: because.join('; '), options: withTimes(rest, new Map([['messages', rows]])) };
}

/** Rows of the lists of a file that have the fields of an application which has no list of its own. */
async function rowsOfAnyList({ fingerprint, head: { path, recognised } }: Fit): Promise<readonly Row[]> {
  const fields = Object.values(fingerprint.lists).flat();
  const samples = await takeSamples(path, recognised, {});
  return samples.flatMap(({ rows }) => (haveAll(rows, fields) ? rows : []));
}

/** An application whose lists a file has. */
interface Fit {
  readonly name: string;
  readonly fingerprint: Fingerprint;
  readonly head: FileHead;
  /** How the tool that wrote the file writes collections: an index of `collectionForms`. */
  readonly form: number;
}

async function findForm({ lists }: Fingerprint, head: FileHead): Promise<number | undefined> {
  for (const form of collectionForms([]).keys()) {
    let isFit = true;
    for (const [list, fields] of Object.entries(lists)) isFit &&= await hasFields(list, fields, head, form);
    if (isFit) return form;
  }
  return undefined;
}

async function hasFields(list: string, fields: readonly string[], head: FileHead, form: number): Promise<boolean> {
  const { path, recognised } = head;
  const found =
    list === anyList
      ? (await takeSamples(path, recognised, {})).map(({ rows }) => rows)
      : [await rowsAt(inForm(list, form), head)];
  return found.some((rows) => haveAll(rows, fields));
}

function haveAll(rows: readonly Row[], fields: readonly string[]): boolean {
  const names = new Set(rows.slice(0, rowsMax).flatMap((row) => row.names()));
  return fields.every((field) => names.has(field));
}

const rowsAt = async (list: string, { path, recognised }: FileHead): Promise<readonly Row[]> =>
  recognised.layout === 'list' ? firstRows(path, recognised, { layout: 'list', pattern: parsePointer(list)! }) : [];

const inForm = (list: string, form: number): string => formatPointer(collectionForms(parsePointer(list)!)[form]!);

/** The mapping of this file: with its form of lists, and without the tables that it does not have. */
async function tablesAt(
  { head, form }: Fit,
  tables: NonNullable<SourceSection['tables']>,
  rest: Readonly<Record<string, unknown>>,
  isNamed: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const there: Record<string, unknown> = {};
  const rowsOf = new Map<string, readonly Row[]>();
  for (const [role, table] of Object.entries(tables)) {
    const list = inForm(table.list, form);
    const rows = await rowsAt(list, head);
    if (rows.length > 0) there[role] = { ...(isNamed && { file: head.path }), list };
    rowsOf.set(role, rows);
  }
  const isThere = (section: string) => tables[section] === undefined || there[section] !== undefined;
  const sections = Object.fromEntries(Object.entries(rest).filter(([section]) => isThere(section)));
  return { tables: there, ...withTimes(sections, rowsOf) };
}

type Options = Readonly<Record<string, unknown>>;

const timeKeys = { messages: 'time', users: 'createdAt', conversations: 'createdAt' };

/**
 * Times of which the mapping does not say how they are written, since this depends on the tool that wrote the file: numbers are seconds or
 * milliseconds. Where a file has both, or numbers beside texts, nothing is decided.
 */
function withTimes(options: Options, rowsOf: ReadonlyMap<string, readonly Row[]>): Options {
  const changed: Record<string, unknown> = { ...options };
  for (const [section, key] of Object.entries(timeKeys)) {
    const said = options[section] as Options | undefined;
    const from = said?.[key];
    if (typeof from !== 'string') continue;
    const values = (rowsOf.get(section) ?? []).map((row) => row.get(from));
    const formats = new Set(values.filter((value) => value !== undefined && value !== null).map(guessFormat));
    const { [key]: _, ...others } = said!;
    const [format] = formats;
    if (formats.size > 1) changed[section] = others;
    else if (format !== undefined && format !== 'iso') changed[section] = { ...said, [key]: { from, format } };
  }
  return changed;
}

function guessFormat(value: unknown): string {
  const digits = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (/^\d{12,13}(?:\.\d+)?$/.test(digits)) return 'unix-ms';
  return /^\d{9,10}(?:\.\d+)?$/.test(digits) ? 'unix-s' : 'iso';
}

const yamlAt = async (path: string): Promise<unknown> => parse(await readFile(packageFile(path), 'utf8'));
