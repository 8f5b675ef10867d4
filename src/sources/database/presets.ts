import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { packageFile } from '../../lib/package-files.ts';
import type { Preset } from '../source.ts';
import type { Database, DatabaseTable } from './database.ts';
import { fittingPart, type SourceSection } from './preset-fit.ts';

/** How the database of an application is told from others. */
interface Fingerprint {
  /** Shown to the user: `Chatwoot`. */
  readonly title: string;
  /** Tables, each with columns. All of them have to be there. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

const folder = 'mappings/databases';

/** The mapping of the application whose tables these are; nothing where they are nobody's that is known, or could be those of two. */
export async function findPreset(database: Database): Promise<Preset | undefined> {
  const known = Object.entries((await yamlAt(`${folder}/fingerprints.yaml`)) as Record<string, Fingerprint>);
  const [found, ...others] = known.filter(([, { tables }]) => isThere(tables, database));
  if (!found || others.length > 0) return undefined;
  const [name, { title, tables }] = found;
  const path = `${folder}/${name}.yaml`;
  const { source } = (await yamlAt(path)) as { readonly source: SourceSection };
  const options = fittingPart(source, database);
  if (options === undefined) return undefined;
  const told = Object.entries(tables).map(([table, columns]) => `${table} has ${columns.join(', ')}`);
  return { title, path, because: told.join('; '), options };
}

const isThere = (tables: Fingerprint['tables'], database: Database): boolean =>
  Object.entries(tables).every(([name, columns]) => {
    const table = database.tables.find((one) => one.name === name);
    return table !== undefined && columns.every((column) => hasColumn(table, column));
  });

const hasColumn = ({ columns }: DatabaseTable, column: string): boolean => columns.some(({ name }) => name === column);

const yamlAt = async (path: string): Promise<unknown> => parse(await readFile(packageFile(path), 'utf8'));
