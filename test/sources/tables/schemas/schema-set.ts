import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Settings } from '../../../../src/lib/settings.ts';
import type { SourceAdapter } from '../../../../src/sources/source.ts';
import { csv } from '../../../../src/sources/csv/index.ts';
import { json } from '../../../../src/sources/json/index.ts';

/** A set of databases of chats, what a reader should find in each (`expect.json`), and how a careful user answers `init`. */

export interface ExpectedFile {
  readonly name: string;
  readonly url: string | null;
  readonly type?: string;
  readonly size?: number;
}

export interface ExpectedMessage {
  readonly id: string;
  readonly conversation: string;
  readonly author: string | null;
  readonly authorName?: string;
  readonly time: string;
  readonly kind: string;
  readonly text: string;
  /** How the text is written, if it is not plain. */
  readonly format?: string;
  readonly files?: readonly ExpectedFile[];
  readonly reactions?: readonly { readonly emoji: string; readonly users: readonly string[] }[];
  readonly replyTo?: string;
  readonly threadOf?: string;
  readonly quote?: string;
  readonly edited?: string;
  readonly pinned?: boolean;
}

export interface Expectation {
  readonly people: readonly {
    readonly id: string;
    readonly name: string | null;
    readonly isBot?: boolean;
    readonly isDeleted?: boolean;
  }[];
  /** A type that ends in "?" is for the user to say. */
  readonly conversations: readonly {
    readonly id: string;
    readonly type: string;
    readonly name?: string;
    readonly members: readonly string[];
    readonly isArchived?: boolean;
  }[];
  readonly messages: readonly ExpectedMessage[];
  readonly withheld: readonly { readonly id: string }[];
}

/** One database in one form: a folder of tables, its reader, and the answers. */
export interface Schema {
  readonly name: string;
  readonly folder: string;
  readonly adapter: SourceAdapter;
  readonly expected: Expectation;
  /** A mapping: `source`, and `messages.system: keep` if the expected messages include such lines. */
  readonly answers: Settings & { readonly source: Settings };
}

const answersOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', 'answers', `${name}.yaml`), 'utf8');

export const expectationOf = (folder: string): Expectation =>
  JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as Expectation;

export const schemaNames = (set: string): readonly string[] =>
  readdirSync(join(import.meta.dirname, '..', 'answers'))
    .map((file) => file.replace('.yaml', ''))
    .filter((name) => readdirSync(set).includes(name))
    .sort();

export function csvSchema(set: string, name: string): Schema {
  const folder = join(set, name);
  const answers = parse(answersOf(name)) as Schema['answers'];
  return { name, folder: join(folder, 'csv'), adapter: csv, expected: expectationOf(folder), answers };
}

/**
 * Returns the answers for files of CSV as those for tables of a database.
 *
 * @param hasNumbers Whether flags are 1 and 0, rather than t and f.
 */
export const databaseAnswers = (name: string, hasNumbers: boolean): Schema['answers'] =>
  answersFor(parse(answersOf(name)), hasNumbers) as Schema['answers'];

function answersFor(value: unknown, hasNumbers: boolean): unknown {
  if (typeof value === 'string') {
    const text = value.replace(/\.csv$/, '');
    return hasNumbers && /\bSELECT\b/.test(text) ? text.replaceAll("'t'", "'1'").replaceAll("'f'", "'0'") : text;
  }
  if (Array.isArray(value)) return value.map((one) => flagOf(answersFor(one, hasNumbers), hasNumbers));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isFile = key === 'file' && typeof inner === 'string' && inner.endsWith('.csv');
      return [isFile ? 'table' : key, key === 'values' ? translated(inner, hasNumbers) : answersFor(inner, hasNumbers)];
    }),
  );
}

const flagOf = (word: unknown, hasNumbers: boolean): unknown =>
  hasNumbers && word === 't' ? '1' : hasNumbers && word === 'f' ? '0' : word;

const translated = (values: unknown, hasNumbers: boolean): unknown =>
  Object.fromEntries(Object.entries(values as object).map(([word, meaning]) => [flagOf(word, hasNumbers), meaning]));

/** The same rows as lists of objects, written into a folder: an empty cell without quotes is null. */
export function jsonSchema(set: string, name: string, into: string): Schema {
  const schema = csvSchema(set, name);
  mkdirSync(into, { recursive: true });
  for (const file of readdirSync(schema.folder)) {
    const [header = [], ...rows] = cellsOf(readFileSync(join(schema.folder, file), 'utf8'));
    const objects = rows.map((row) => Object.fromEntries(header.map((column, index) => [column!, row[index]])));
    writeFileSync(join(into, file.replace('.csv', '.json')), JSON.stringify(objects, null, 1));
  }
  const answers = parse(answersOf(name).replaceAll('.csv', '.json')) as Schema['answers'];
  return { ...schema, folder: into, adapter: json, answers };
}

/** Expected results that cannot be reached, and why. */
export const shortOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  chatwoot: {
    'conversation 3 members': 'User:2 is in no column of the conversation, and what they wrote there was not sent',
  },
  'wp-better-messages': { '2 reactions': 'serialised PHP, whose lists SQL does not read' },
};

/** Rows as `\copy … csv header` writes them. */
export function cellsOf(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/g)) {
    rows.at(-1)!.push(quoted === undefined ? bare || null : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || (row.length === 1 && row[0] !== null));
}
