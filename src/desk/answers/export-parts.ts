import { isObject } from '../../lib/maps/objects.ts';
import { type TableOutline, tablesInQuery } from '../../sources/table-source.ts';
import type { IgnoredFile } from '../../sources/signatures.ts';
import type { IgnoredRow, Page, PartRow } from '../shapes.ts';
import type { Inspection } from '../../commands/results.ts';

const pageRows = 100;

/** A table that was chosen for a role. */
interface ChosenTable {
  readonly role: string;
  readonly table: string;
  readonly because: string;
}

/** The tables that are read in a role, and those that a query reads. */
export const chosenTables = ({ roles, tables }: Pick<Inspection, 'roles' | 'tables'>): readonly ChosenTable[] =>
  roles.flatMap(({ role, value, because }) => {
    const { table, query } = isObject(value) ? value : {};
    if (typeof table === 'string') return [{ role, table, because }];
    const names = tables.map(({ name }) => name);
    return typeof query === 'string' ? tablesInQuery(query, names).map((name) => ({ role, table: name, because })) : [];
  });

/** Files and tables whose names hold the words: those that were counted, then the other tables of the export. */
export function partRows(inspection: Inspection | undefined, search: URLSearchParams): Page<PartRow> {
  if (inspection === undefined) return { rows: [], next: null };
  const words = (search.get('search') ?? '').toLowerCase();
  const isFound = ({ path, table = '' }: PartRow) => `${path} ${table}`.toLowerCase().includes(words);
  return slicePage(allParts(inspection).filter(isFound), search);
}

function allParts(inspection: Inspection): readonly PartRow[] {
  const { source, parts, tables } = inspection;
  const roles = Map.groupBy(chosenTables(inspection), ({ table }) => table);
  const roleOf = (name: string) =>
    roles
      .get(name)
      ?.map(({ role }) => role)
      .join(', ') ?? null;
  const counted = parts.map((part) => ({ ...part, role: roleOf(part.table ?? part.path), isAbout: false }));
  const names = new Set(parts.map(({ path, table }) => table ?? path));
  const others = tables
    .filter(({ name }) => !names.has(name))
    .map((table) => ({ ...uncounted(table, source === 'database'), role: roleOf(table.name) }));
  // Those that have a meaning first: a database may have hundreds of others.
  return [...counted, ...others.toSorted((one, other) => Number(one.role === null) - Number(other.role === null))];
}

const noCounts = { people: 0, conversations: 0, firstAtMs: null, lastAtMs: null };

const uncounted = ({ name, rows, isExact }: TableOutline, isTable: boolean): Omit<PartRow, 'role'> => ({
  ...(isTable ? { path: '', table: name } : { path: name }),
  rows: rows ?? null,
  isAbout: isExact !== true,
  ...noCounts,
});

/** The reasons for which files are ignored, those of most files first. */
export function ignoredRows(files: readonly IgnoredFile[], search: URLSearchParams): Page<IgnoredRow> {
  const rows = [...Map.groupBy(files, ({ reason }) => reason)].map(([reason, of]) => ignoredRow(reason, of));
  return slicePage(
    rows.toSorted((one, other) => other.count - one.count),
    search,
  );
}

const ignoredRow = (reason: string, [first, ...others]: readonly IgnoredFile[]): IgnoredRow => ({
  reason,
  count: others.length + 1,
  first: first!.path,
});

/** @param search Its `after` is the `next` of the page before. */
function slicePage<Row>(rows: readonly Row[], search: URLSearchParams): Page<Row> {
  const after = search.get('after') ?? '';
  const from = /^\d{1,9}$/.test(after) ? Number(after) : 0;
  const to = from + pageRows;
  return { rows: rows.slice(from, to), next: to < rows.length ? String(to) : null };
}
