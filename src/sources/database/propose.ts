import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { countOf } from '../../lib/text/count.ts';
import type { Finding, Proposal } from '../table-source.ts';
import { DatabaseUnreachable } from './address/unreachable.ts';
import { proposeTables } from '../tables/known-layouts.ts';
import type { DeclaredKeys, Row, RowStep, TableSample } from '../tables/row.ts';
import type { Database, DatabaseTable } from './database.ts';
import { type FoundDatabase, passwordFileIn } from './open-database.ts';
import { asFile, asTable, mapTables } from './options.ts';
import { databaseRowReader } from './rows.ts';

/** Rows of each table that are looked at. */
const rowsMax = 1000;
/** UTF-16 units of all samples together, and of each at least. */
const lengthOfAll = 8 * 1024 * 1024;
const lengthMin = 64 * 1024;

/** Tables that are named one by one: a database of hundreds fits a screen. */
const namedMax = 12;

/** Samples that were taken before, for the next proposal of the same export. */
const known = new WeakMap<ExportInput, Samples>();

/** Samples of the tables. */
interface Samples {
  readonly tables: readonly TableSample[];
  /** Tables that cannot be read, each in words. */
  readonly faults: readonly string[];
  /** Names of those of which no row can be read: they are not empty. */
  readonly unread: ReadonlySet<string>;
}

/** Which table and which column is what: by the keys that the catalogue declares, and by values. */
export async function proposeDatabase(
  input: ExportInput,
  found: FoundDatabase,
  options: Readonly<Record<string, unknown>>,
): Promise<Proposal> {
  const { signal } = new AbortController();
  const database = await found.open({ signal, passwordFile: passwordFileIn(options) });
  try {
    const samples = known.get(input) ?? (await takeSamples(database, found.path, signal));
    known.set(input, samples);
    // Who has said which table is which may begin before there are rows.
    if (samples.tables.length === 0 && !('tables' in options)) refuseWithoutRows(database, found, samples.faults);
    const said = { nulls: [], ...options };
    const asFiles = 'tables' in options ? { ...said, tables: changed(options.tables, asFile) } : said;
    const reader = databaseRowReader(database, found.path, () => true, signal);
    const proposal = await proposeTables(samples.tables, asFiles, { reader, of: input });
    const { nulls, tables, ...bindings } = proposal.options;
    return {
      ...proposal,
      options: {
        ...(tables !== undefined && { tables: changed(tables, asTable) }),
        ...bindings,
        ...(Array.isArray(nulls) && nulls.length > 0 && { nulls }),
      },
      findings: [...proposal.findings.map(ofTables), ...notInspected(database, samples)],
    };
  } finally {
    await database.close();
  }
}

/** A view may still be named by hand. @throws SourceError for a database in which there is nothing to ask about */
function refuseWithoutRows(
  { tables, problems }: Database,
  { path, isServer }: FoundDatabase,
  faults: readonly string[],
): void {
  if (tables.some(({ isView }) => isView)) return;
  const names = tables.map(({ name }) => name).join(', ');
  const empty =
    names === '' ? `It has no tables${isServer ? ' that this user may read' : ''}` : `Empty tables: ${names}`;
  const hint = [empty, ...problems.map(({ reason }) => reason), ...faults].join('. ');
  throw new SourceError(`Cannot find any rows in "${path}"`, { hint });
}

const changed = (tables: unknown, change: (table: unknown) => unknown): unknown =>
  typeof tables === 'object' && tables !== null ? mapTables(tables as Record<string, unknown>, change) : tables;

function ofTables(finding: Finding): Finding {
  if (!finding.key.startsWith('tables.') || finding.key === 'tables.ignored') return finding;
  return {
    ...finding,
    ...('value' in finding && { value: asTable(finding.value) }),
    alternatives: finding.alternatives.map((reading) => ({ ...reading, value: asTable(reading.value) })),
  };
}

/** Reports problems of the database, tables without rows (the role may not see them), and views. */
function notInspected(
  { tables, problems }: Database,
  { tables: samples, faults, unread }: Samples,
): readonly Finding[] {
  const isSeen = ({ name }: DatabaseTable) => unread.has(name) || samples.some(({ path }) => path === name);
  const named = (what: string, found: readonly DatabaseTable[]): readonly Finding[] => {
    if (found.length === 0) return [];
    const more = found.length > namedMax ? `, ${countOf(found.length - namedMax, 'more table')}` : '';
    const names = found.slice(0, namedMax).map(({ name }) => name);
    const because = `${what}: ${names.join(', ')}${more}`;
    return [{ key: 'tables', because, alternatives: [], isRequired: false }];
  };
  const broken = tables.flatMap(({ name, fault }) =>
    fault === undefined ? [] : `the view ${JSON.stringify(name)} cannot be read: ${fault}`,
  );
  const told = [...problems.map(({ reason }) => reason), ...faults, ...broken].map((because): Finding => {
    return { key: 'tables', because, alternatives: [], isRequired: false };
  });
  return [
    ...told,
    ...named(
      'without a row',
      tables.filter((table) => !table.isView && !isSeen(table)),
    ),
    ...named(
      'views, which were not inspected',
      tables.filter(({ isView, fault }) => isView && fault === undefined),
    ),
  ];
}

/** Rows of views are not sampled: reading a view may never end, and its data is already in tables. */
async function takeSamples(database: Database, path: string, signal: AbortSignal): Promise<Samples> {
  const reader = databaseRowReader(database, path, () => true, signal);
  const inspected = database.tables.filter(({ isView }) => !isView);
  const lengthMax = Math.max(lengthMin, lengthOfAll / inspected.length);
  const tables: TableSample[] = [];
  const faults: string[] = [];
  const unread = new Set<string>();
  for (const table of inspected) {
    const { rows, isCut, fault, invalid } = await firstRows(reader.rows(table.name, undefined), lengthMax);
    if (fault !== undefined) faults.push(`${table.name} cannot be read to its end: ${fault}`);
    if (invalid !== undefined) faults.push(`${table.name} has rows that cannot be read: ${invalid}`);
    if (rows.length === 0 && (fault ?? invalid) !== undefined) unread.add(table.name);
    if (rows.length === 0) continue;
    const name = table.name.split('.').at(-1)!;
    tables.push({
      path: table.name,
      name,
      nameInQuery: table.name,
      table: {},
      rows,
      isCut,
      declared: declaredKeys(table, database),
    });
  }
  return { tables, faults, unread };
}

interface FirstRows {
  readonly rows: readonly Row[];
  /** Whether there are more. */
  readonly isCut: boolean;
  /** Why there may be more. */
  readonly fault?: string;
  /** Why the first of those that are not among them is none of them. */
  readonly invalid?: string | undefined;
}

/** @throws DatabaseUnreachable; a table that cannot be read hinders no other. */
async function firstRows(lists: AsyncIterable<readonly RowStep[]>, lengthMax: number): Promise<FirstRows> {
  const rows: Row[] = [];
  let [length, count] = [0, 0];
  let invalid: string | undefined;
  try {
    for await (const steps of lists) {
      for (const step of steps) {
        if (count++ === rowsMax || length > lengthMax) return { rows, isCut: true, invalid };
        if (step.type !== 'row') {
          invalid ??= step.reason;
          continue;
        }
        rows.push(step);
        for (const name of step.names()) length += String(step.get(name) ?? '').length;
      }
    }
    return { rows, isCut: false, invalid };
  } catch (error) {
    if (!(error instanceof SourceError) || error instanceof DatabaseUnreachable) throw error;
    return { rows, isCut: true, invalid, fault: error.message };
  }
}

function declaredKeys({ columns: all, primaryKey, foreignKeys }: DatabaseTable, { tables }: Database): DeclaredKeys {
  return {
    primaryKey,
    words: new Map(all.flatMap(({ name, words }) => (words ? [[name, words] as const] : []))),
    comments: new Map(all.flatMap(({ name, comment }) => (comment ? [[name, comment] as const] : []))),
    references: foreignKeys.flatMap(({ columns, table, references }) => {
      const [column, ...others] = columns;
      // Without a name it is the primary key there.
      const key = references[0] ?? tables.find(({ name }) => name === table)?.primaryKey[0];
      return column === undefined || others.length > 0 || key === undefined ? [] : [{ column, path: table, key }];
    }),
  };
}
