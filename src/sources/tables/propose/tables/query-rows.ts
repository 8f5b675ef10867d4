import { SourceError } from '../../../../lib/errors.ts';
import { QueriedTables } from '../../queried-tables.ts';
import { type Role, sharedRoles, type Tables } from '../../roles.ts';
import { valueText } from '../../bind/value.ts';
import type { DeclaredReference, Row, RowReader, TableSample } from '../../row.ts';
import { type Draft, namesOf } from '../columns.ts';
import { tableFacts } from '../graph/facts.ts';
import type { TableGroup } from '../graph/groups.ts';

/** Rows of a query that are looked at. */
const rowsMax = 1000;

/**
 * The tables that the user's own queries give, seen in the samples: a join of two samples may have fewer rows than that of the tables.
 * A query that cannot be run gives none; reading says what is wrong with it.
 */
export async function queriedGroups(
  samples: readonly TableSample[],
  groups: readonly TableGroup[],
  draft: Draft,
  nulls: readonly string[],
): Promise<ReadonlyMap<Role, TableGroup>> {
  const found = new Map<Role, TableGroup>();
  for (const role of ['messages', ...sharedRoles] as const) {
    const query = draft.at(`tables.${role}.query`);
    if (typeof query !== 'string') continue;
    const rows = await runQuery(role, query, samples, groups, nulls);
    const facts = tableFacts(...describeRows(role, query, rows, groups), nulls);
    const isCut = rows.length === rowsMax || groups.some((group) => group.isCut);
    found.set(role, { ...facts, paths: [], parts: [], isCut });
  }
  return found;
}

/** The rows of a query, with the name and the keys of the table that most of its columns are those of: what other tables say of that holds for them. */
function describeRows(role: Role, query: string, rows: readonly Row[], groups: readonly TableGroup[]) {
  const source = findSource(query, rows, groups);
  const isIn = ({ column, path, key }: DeclaredReference) => {
    const ids = groups.find(({ paths }) => paths.includes(path))?.columns.find(({ name }) => name === key)?.ids;
    const texts = rows.flatMap((row) => valueText(row.get(column)) ?? []);
    return ids !== undefined && texts.length > 0 && texts.every((text) => ids.has(text));
  };
  const named = groups.filter(({ name }) => query.includes(name));
  const references = named.flatMap(({ sample }) => sample.declared?.references ?? []).filter(isIn);
  const keys = source?.sample.declared?.primaryKey ?? [];
  const known = source?.key && rows.every((row) => source.key!.ids.has(valueText(row.get(source.key!.name)) ?? ''));
  const sample: TableSample = {
    path: known ? source.sample.path : `query of ${role}`,
    table: {},
    rows,
    declared: { ...source?.sample.declared, primaryKey: known || isKey(rows, source) ? keys : [], references },
  };
  return [sample, source?.name ?? role] as const;
}

/** The table whose key has no value twice in the rows, and that most columns of a query are those of: other tables name its rows by its name. */
function findSource(query: string, rows: readonly Row[], groups: readonly TableGroup[]): TableGroup | undefined {
  const names = namesOf(rows);
  const shared = ({ columns }: TableGroup) => columns.filter(({ name }) => names.includes(name)).length;
  const [best] = groups
    .filter(({ name }) => query.includes(name))
    .sort((a, b) => Number(isKey(rows, b)) - Number(isKey(rows, a)) || shared(b) - shared(a));
  return best && shared(best) > 1 ? best : undefined;
}

function isKey(rows: readonly Row[], table: TableGroup | undefined): boolean {
  const values = rows.map((row) => valueText(row.get(table?.key?.name ?? '')));
  return !values.includes(undefined) && new Set(values).size === values.length;
}

async function runQuery(
  role: Role,
  query: string,
  samples: readonly TableSample[],
  groups: readonly TableGroup[],
  nulls: readonly string[],
): Promise<readonly Row[]> {
  const tables: Tables<TableSample> = { [role]: { query } };
  const request = { tables, reader: sampleReader(samples, groups), nulls, signal: new AbortController().signal };
  const paths = [...new Set(samples.map(({ path }) => path))];
  const queried = await QueriedTables.find(request, paths, () => []);
  try {
    for await (const _ of queried.load(() => true));
    const rows: Row[] = [];
    for (const list of queried.of(role)?.rows() ?? []) {
      rows.push(...list);
      if (rows.length >= rowsMax) break;
    }
    return rows.slice(0, rowsMax);
  } catch (error) {
    if (error instanceof SourceError) return [];
    throw error;
  } finally {
    queried.close();
  }
}

/** The samples as if they were whole tables. */
const sampleReader = (samples: readonly TableSample[], groups: readonly TableGroup[]): RowReader<TableSample> => ({
  hasFixedNames: false,
  async *rows(path, table) {
    yield (table ?? samples.find((sample) => sample.path === path))?.rows ?? [];
  },
  tablesIn: async (path) =>
    samples
      .filter((sample) => sample.path === path)
      .map((table) => ({
        name:
          table.nameInQuery ??
          groups.find(({ paths, sample }) => paths.includes(path) && sample.table === table.table)?.name ??
          path,
        table,
      })),
});
