import type { Proposed } from '../../decisions/question.ts';
import type { OpenedExport } from '../../decisions/questions.ts';
import { isTable, listLeaves, type Settings, valueAt } from '../../lib/settings.ts';
import { isTableSource, type TableOutline, tablesInQuery } from '../../sources/table-source.ts';
import type { PreviewRow, SchemaLink, SchemaView, TableRow, TableView } from '../shapes.ts';

/** Bounds of what a page shows. */
const tablesMax = 2_000;
const linksMax = 5_000;
const columnsMax = 200;

/** The tables of an export, and the proposal that says what they are. */
export interface Schema {
  readonly tables: readonly TableOutline[];
  readonly proposed: Proposed;
}

/** @throws SourceError. Without an outline there are no tables. */
export async function readSchema({ adapter, inputs }: OpenedExport, proposed: Proposed): Promise<Schema> {
  const tables: TableOutline[] = [];
  if (isTableSource(adapter))
    for (const input of inputs) tables.push(...(await adapter.outline(input, proposed.options)));
  return { tables, proposed };
}

/** Tables with a role come first. */
export function schemaView(schema: Schema): SchemaView {
  const rows = schema.tables.map((table) => tableRow(table, schema));
  const sorted = rows.toSorted((one, other) => rank(other) - rank(one));
  return { tables: sorted.slice(0, tablesMax), links: listLinks(schema).slice(0, linksMax), total: rows.length };
}

const rank = ({ role }: TableRow): number => (role === null ? 0 : role === 'ignored' ? 1 : 2);

function tableRow({ name, rows, columns }: TableOutline, schema: Schema): TableRow {
  const role = roleOf(name, schema) ?? roleByQuery(name, schema);
  return {
    name,
    rows: rows ?? null,
    columns: columns.length,
    role: role ?? null,
    why: findEvidence(role, name, schema),
  };
}

const listRoles = ({ proposed }: Schema): readonly (readonly [role: string, name: string])[] =>
  Object.entries((proposed.options.tables ?? {}) as Settings).flatMap(([role, value]) => {
    const name = asTableName(value);
    return name === undefined ? [] : [[role, name] as const];
  });

/** The kinds of rows that a mapping knows. */
const roles = ['messages', 'users', 'members', 'conversations', 'attachments', 'reactions', 'edits'];

export const isRole = (name: string): boolean => roles.includes(name);

/** Returns the number of rows in the table of a role, over all inputs; undefined if no table has the role, or the number is unknown. */
export function countRowsInRole(
  role: string,
  schema: Schema,
): { readonly rows: number; readonly isExact: boolean } | undefined {
  const tables = tablesWithRole(role, schema);
  if (tables.length === 0 || tables.some(({ rows }) => rows === undefined)) return undefined;
  return {
    rows: tables.reduce((sum, { rows = 0 }) => sum + rows, 0),
    isExact: tables.every(({ isExact }) => isExact === true),
  };
}

function tablesWithRole(role: string, schema: Schema): readonly TableOutline[] {
  const { options, open } = schema.proposed;
  const name = listRoles(schema).find(([known]) => known === role)?.[1];
  // Without a choice all of them are tables of messages.
  const isOpen = open.some(({ key }) => key.startsWith('tables.'));
  if (role === 'messages' && options.tables === undefined && !isOpen) return schema.tables;
  return schema.tables.filter((table) => table.name === name);
}

/** A table is named by its name, a file, or the place of a list in a file. */
export function asTableName(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { table, file, list } = (isTable(value) ? value : {}) as Readonly<Record<string, unknown>>;
  if (typeof table === 'string') return table;
  if (typeof file !== 'string') return undefined;
  return typeof list === 'string' && list !== '' ? `${file}#${list}` : file;
}

const roleOf = (name: string, schema: Schema): string | undefined =>
  listRoles(schema).find(([, table]) => table === name)?.[0] ?? (isIgnored(name, schema) ? 'ignored' : undefined);

const isIgnored = (name: string, { proposed }: Schema): boolean =>
  [valueAt(proposed.options, ['tables', 'ignored']) ?? []].flat().includes(name);

const roleByQuery = (name: string, { proposed }: Schema): string | undefined =>
  Object.entries((proposed.options.tables ?? {}) as Settings).find(([, value]) => {
    const query = valueAt(value, ['query']);
    return typeof query === 'string' && tablesInQuery(query, [name]).length > 0;
  })?.[0];

function findEvidence(role: string | undefined, name: string, { proposed }: Schema): string | null {
  const key = `tables.${role ?? name}`;
  return proposed.findings.find((finding) => finding.key === key)?.because ?? null;
}

/** Roles whose rows a column of the key's last name names. */
const targets: Readonly<Record<string, string>> = {
  author: 'users',
  user: 'users',
  conversation: 'conversations',
  message: 'messages',
  reply: 'messages',
  quote: 'messages',
};

/** Keys of the database, and those by which the mapping joins tables. */
function listLinks(schema: Schema): readonly SchemaLink[] {
  const declared = schema.tables.flatMap(({ name, references }) =>
    references.map(({ column, table, key }): SchemaLink => ({ from: name, column, to: table, key, isDeclared: true })),
  );
  const isDeclared = ({ from, column, to }: SchemaLink) =>
    declared.some((link) => link.from === from && link.column === column && link.to === to);
  const tables = new Map(listRoles(schema));
  const joined = [...tables].flatMap(([role, from]) =>
    Object.entries(targets).flatMap(([key, target]): SchemaLink[] => {
      const to = tables.get(target);
      const column = asColumn(valueAt(schema.proposed.options, [role, key]));
      if (to === undefined || column === undefined) return [];
      return [
        { from, column, to, key: asColumn(valueAt(schema.proposed.options, [target, 'id'])) ?? '', isDeclared: false },
      ];
    }),
  );
  return [...declared, ...joined.filter((link) => !isDeclared(link))];
}

/** A column by itself, or with more about it. */
function asColumn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const from = valueAt(value, ['from']);
  return typeof from === 'string' ? from : undefined;
}

/** Whether values of a table may be shown: others may hold anything, such as passwords. */
export const areValuesShown = (name: string, schema: Schema): boolean => roleOf(name, schema) === 'messages';

/** One table; undefined if there is none of that name. @param preview Rows as they are, if the values of the table may be shown. */
export function tableView(name: string, schema: Schema, preview: readonly PreviewRow[]): TableView | undefined {
  const table = schema.tables.find((one) => one.name === name);
  if (table === undefined) return undefined;
  const role = roleOf(name, schema);
  const columns = table.columns.slice(0, columnsMax).map((column) => ({
    ...column,
    means: role === undefined ? null : findMeaning(column.name, role, schema),
    isKey: table.primaryKey.includes(column.name),
  }));
  const shown = areValuesShown(name, schema) ? preview : [];
  const rows = shown.map(({ row }) => columns.map((column) => row?.find(([of]) => of === column.name)?.[1] ?? ''));
  return { table: tableRow(table, schema), columns, rows };
}

/** The first key of the role's section that names the column. */
function findMeaning(column: string, role: string, { proposed }: Schema): string | null {
  const section = proposed.options[role];
  if (!isTable(section)) return null;
  const isNamed = (value: unknown) => value === column || (typeof value === 'string' && value.includes(`{${column}}`));
  const found = listLeaves(section).find(([path, value]) => isNamed(value) || path.includes(column));
  return found === undefined ? null : `${role}.${found[0][0]}`;
}
