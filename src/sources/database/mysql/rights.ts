import type { DatabaseProblem } from '../database.ts';
import type { MysqlCatalogue } from './catalogue.ts';
import { quoted } from './identifier.ts';
import type { Answer } from './session.ts';

/** Names that one problem repeats at most; the rest is counted. */
const listedMax = 20;

/**
 * Returns problems with the rights of the connection's role, and tables of the database without a snapshot.
 *
 * @param grants Answer to `SHOW GRANTS`.
 */
export function rightsProblems(catalogue: MysqlCatalogue, grants: Answer): readonly DatabaseProblem[] {
  return [...tooManyRights(catalogue, grants), ...withoutSnapshot(catalogue)];
}

/** Rights to read, and those without effect on data. */
const harmless: ReadonlySet<string> = new Set([
  'USAGE',
  'SELECT',
  'SHOW VIEW',
  'SHOW DATABASES',
  'LOCK TABLES',
  'EXECUTE',
  'PROXY',
  'PROCESS',
]);

function tooManyRights({ database }: MysqlCatalogue, grants: Answer): readonly DatabaseProblem[] {
  const rights = [...new Set(grants.flatMap(([grant]) => readRights(grant ?? '')))].filter(
    (right) => !harmless.has(right),
  );
  if (rights.length === 0) return [];
  const more = rights.length > 4 ? ` and ${rights.length - 4} more` : '';
  const reader = "'chatferry_reader'@'%'";
  const grant = `CREATE USER ${reader} IDENTIFIED BY '…'; GRANT SELECT ON ${pattern(database)}.* TO ${reader};`;
  return [
    {
      code: 'database-superuser',
      reason: `The user may do more than read (${rights.slice(0, 4).join(', ')}${more}); reading needs no more than SELECT. Better: ${grant}`,
    },
  ];
}

/** In a GRANT, _ and % stand for any characters. */
const pattern = (database: string): string => quoted(database.replaceAll(/[_%\\]/g, '\\$&'));

/**
 * Returns the rights of one GRANT, without the columns; empty for one that gives a role. Reads rights in the form
 * `GRANT …, B ON x TO y` only: a line may hold a hashed password.
 */
export function readRights(grant: string): readonly string[] {
  const withoutNames = grant.replaceAll(/`(?:[^`]|``)*`|'(?:[^'\\]|''|\\.)*'/g, 'x').replaceAll(/\s*\([^)]*\)/g, '');
  const rights = /^GRANT (.+?) ON /.exec(withoutNames)?.[1]?.split(/,\s*/) ?? [];
  return / WITH GRANT OPTION$/.test(withoutNames) ? [...rights, 'GRANT OPTION'] : rights;
}

function withoutSnapshot({ tables }: MysqlCatalogue): readonly DatabaseProblem[] {
  const names = tables.filter(({ hasSnapshot }) => !hasSnapshot).map(({ table }) => table.name);
  if (names.length === 0) return [];
  const more = names.length > listedMax ? ` and ${names.length - listedMax} more` : '';
  const reason = `These tables do not use InnoDB, so each is read in its current state, not in its state when reading began: ${names.slice(0, listedMax).join(', ')}${more}. Make sure that no program writes to them during the reading`;
  return [{ code: 'database-no-snapshot', reason }];
}
