import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { packageFile } from '../../lib/package-files.ts';
import type { Preset } from '../source.ts';
import type { Database, DatabaseTable } from './database.ts';
import { fittingPart, type SourceSection } from './preset-fit.ts';

/** The tables and columns that identify the database of an application. */
interface Fingerprint {
  /** Shown to the user: `Chatwoot`. */
  readonly title: string;
  /** Tables, each with columns. All of them have to be there. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

const folder = 'mappings/databases';

/** Returns the mapping of the application that owns these tables, or undefined if no known application or more than one fits. */
export async function findPreset(database: Database): Promise<Preset | undefined> {
  const known = Object.entries((await yamlAt(`${folder}/fingerprints.yaml`)) as Record<string, Fingerprint>);
  const [found, ...others] = known.filter(([, { tables }]) => hasTables(tables, database));
  if (!found || others.length > 0) return undefined;
  const [name, { title, tables }] = found;
  const path = `${folder}/${name}.yaml`;
  const { source } = (await yamlAt(path)) as { readonly source: SourceSection };
  const options = fittingPart(source, database);
  if (options === undefined) return undefined;
  const told = Object.entries(tables).map(([table, columns]) => `${table} has ${columns.join(', ')}`);
  return { title, path, because: told.join('; '), options };
}

const hasTables = (tables: Fingerprint['tables'], database: Database): boolean =>
  Object.entries(tables).every(([name, columns]) => {
    const table = database.tables.find((one) => one.name === name);
    return table !== undefined && columns.every((column) => hasColumn(table, column));
  });

const hasColumn = ({ columns }: DatabaseTable, column: string): boolean => columns.some(({ name }) => name === column);

const yamlAt = async (path: string): Promise<unknown> => parse(await readFile(packageFile(path), 'utf8'));
