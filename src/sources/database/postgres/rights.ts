import { countOf } from '../../../lib/text/count.ts';
import type { DatabaseProblem } from '../database.ts';
import type { PostgresCatalogue, PostgresTable } from './catalogue.ts';
import { quoted } from './identifier.ts';

/** Statements that one problem repeats at most; the rest is counted. */
const listedMax = 20;

/** Returns the rights and restrictions of the connection's role that the user should know about, with the SQL to paste. */
export function rightsProblems(catalogue: PostgresCatalogue): readonly DatabaseProblem[] {
  const { encoding } = catalogue;
  const strange =
    encoding !== 'SQL_ASCII'
      ? []
      : [
          problem(
            'database-encoding',
            'The database does not declare the encoding of its texts (SQL_ASCII): bytes that are not UTF-8 become �',
          ),
        ];
  return [...tooManyRights(catalogue), ...tooFewRights(catalogue), ...hiddenRows(catalogue), ...strange];
}

/** Whether the role may read at least part of the table. */
export const isReadable = ({ isWithinReach, table }: PostgresTable): boolean =>
  isWithinReach && table.columns.length > 0;

const problem = (code: string, reason: string): DatabaseProblem => ({ code, reason });

function tooManyRights({ role, isSuperuser, tables }: PostgresCatalogue): readonly DatabaseProblem[] {
  const writable = tables.filter(({ isWritable }) => isWritable);
  if (!isSuperuser && writable.length === 0) return [];
  const schemas = [...new Set(tables.filter(isReadable).map(({ schema }) => quoted(schema)))].join(', ');
  const reader = 'chatferry_reader';
  const grants = schemas
    ? ` GRANT USAGE ON SCHEMA ${schemas} TO ${reader}; GRANT SELECT ON ALL TABLES IN SCHEMA ${schemas} TO ${reader};`
    : '';
  const may = isSuperuser ? 'is a superuser' : `may write to ${countOf(writable.length, 'table')}`;
  return [
    problem(
      'database-superuser',
      `The role ${role} ${may}; reading needs no more than SELECT. Better: CREATE ROLE ${reader} LOGIN;${grants} and \\password ${reader}`,
    ),
  ];
}

function tooFewRights({ role, tables }: PostgresCatalogue): readonly DatabaseProblem[] {
  const shut = tables.filter((table) => !isReadable(table));
  const partly = tables.filter(isReadable).filter(({ columns }) => columns.some((column) => !column.isReadable));
  return [
    ...listed(
      'database-table-unreadable',
      `Left out: tables that the role ${role} may not read`,
      shut,
      (table) =>
        `${table.isWithinReach ? '' : `GRANT USAGE ON SCHEMA ${quoted(table.schema)} TO ${role}; `}GRANT SELECT ON ${table.from} TO ${role};`,
    ),
    ...listed(
      'database-column-unreadable',
      `Left out: columns that the role ${role} may not read, in tables`,
      partly,
      (table) => {
        const columns = table.columns.filter((column) => !column.isReadable).map(({ name }) => quoted(name));
        return `GRANT SELECT (${columns.join(', ')}) ON ${table.from} TO ${role};`;
      },
    ),
  ];
}

function hiddenRows({ role, tables }: PostgresCatalogue): readonly DatabaseProblem[] {
  const hidden = tables.filter((table) => isReadable(table) && table.hasRowSecurity);
  const what = `Cannot be read: tables with policies that hide rows from the role ${role}`;
  return listed('database-row-security', what, hidden, () => `ALTER ROLE ${role} BYPASSRLS;`);
}

function listed(
  code: string,
  what: string,
  tables: readonly PostgresTable[],
  grantOf: (table: PostgresTable) => string,
): readonly DatabaseProblem[] {
  if (tables.length === 0) return [];
  const grants = [...new Set(tables.slice(0, listedMax).map(grantOf))].join(' ');
  const names = tables.slice(0, listedMax).map(({ table }) => table.name);
  const more = tables.length > listedMax ? ` and ${tables.length - listedMax} more` : '';
  return [problem(code, `${what}: ${names.join(', ')}${more}. If they are wanted: ${grants}`)];
}
