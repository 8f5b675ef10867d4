import { z } from 'zod';
import type { Tables } from '../tables/roles.ts';
import { type Bindings, bindingShape, tablesSchema } from '../tables/schema/bindings.ts';

const databaseTableSchema = z.lazy(() =>
  z.strictObject({
    table: z
      .string()
      .min(1)
      .describe(
        'Name of a table, with its schema if that is not the one that is searched first; * and ? match anything.',
      ),
  }),
);

export const databaseOptionsSchema = z.lazy(() =>
  z.strictObject({
    passwordFile: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Path of a file that contains only the password of the server, mode 0600. Default: the sources of the system's own clients, PGPASSWORD or ~/.pgpass, MYSQL_PWD or ~/.my.cnf.",
      ),
    copy: z
      .boolean()
      .default(true)
      .describe(
        'Whether to copy rows from a server first, into a private temporary file of about 170 bytes a row: the server is not needed after the copy. Without the copy, a transaction stays open on the server until the plan is done.',
      ),
    tables: tablesSchema(databaseTableSchema, '{ table: NAME }'),
    ...bindingShape(),
    nulls: z
      .array(z.string())
      .default([])
      .describe(
        'Texts that mean "no value", in addition to NULL and the empty text. Default none: a database uses NULL.',
      ),
  }),
);

export type DatabaseOptions = z.output<typeof databaseOptionsSchema>;

/** A table as what is shared with files calls it: its name is its path. */
export interface TableAsFile {
  readonly file: string;
}

/** The options as what is shared with files takes them. */
export const sharedOptions = ({ tables, copy, passwordFile, ...bindings }: DatabaseOptions) => ({
  bindings: bindings satisfies Bindings,
  tables: tables && (mapTables(tables, asFile) as Tables<TableAsFile>),
});

/** Names of the tables that unvalidated options give a role. */
export function listTableNames({ tables }: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const values = typeof tables === 'object' && tables !== null ? Object.values(tables) : [];
  const names = values.map((value) => (typeof value === 'object' && value !== null ? value.table : value));
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** The tables of a mapping, each changed; `ignored` stays as it is. */
export function mapTables(
  tables: Readonly<Record<string, unknown>>,
  change: (table: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(tables).map(([role, table]) => [role, role === 'ignored' ? table : change(table)]),
  );
}

/** `{ file }` of `{ table }`; a query as it is. */
export const asFile = (element: unknown): unknown => renamed(element, 'table', 'file');

/** `{ table }` of `{ file }`. */
export const asTable = (element: unknown): unknown => renamed(element, 'file', 'table');

function renamed(element: unknown, from: string, to: string): unknown {
  if (typeof element !== 'object' || element === null || !Object.hasOwn(element, from)) return element;
  return Object.fromEntries(Object.entries(element).map(([key, value]) => [key === from ? to : key, value]));
}
