import { UsageError } from '../lib/errors.ts';
import { nearestName } from '../lib/text/nearest-name.ts';
import { type PasswordVariable, parseDatabaseAddress, passwordVariableFor } from './database/address/address.ts';
import type { DatabaseTable, ServerClock } from './database/database.ts';
import { updateCopy } from './database/followed/update-copy.ts';
import { namedColumns } from './database/named-columns.ts';
import { openServer, passwordFileIn } from './database/open-database.ts';
import { databaseOptionsSchema, sharedOptions } from './database/options.ts';
import { assertTables, wantedColumns } from './database/wanted-columns.ts';

/**
 * Checks the address of a database server, without connecting to it.
 *
 * @returns The variable of the environment in which its password is looked for.
 * @throws UsageError for an address that cannot be used, or that holds a password. The error does not repeat it.
 */
export function checkServerAddress(url: string, env: NodeJS.ProcessEnv): PasswordVariable {
  parseDatabaseAddress(url, env);
  return passwordVariableFor(url);
}

/** Facts about a database server that the role of its address can see. */
export interface ServerFacts {
  /** `PostgreSQL` */
  readonly system: string;
  /** How many tables the role may read. */
  readonly tableCount: number;
  /** Defects of its rights or settings, each with the statement that fixes it. */
  readonly problems: readonly string[];
}

/**
 * Connects to a database server and reads its catalogue, no rows.
 *
 * @param source The `source:` section of a mapping: it says where the password is.
 * @throws UsageError for credentials or addresses that cannot be used; SourceError if the server refuses the login or
 *   does not answer.
 */
export async function inspectServer(
  url: string,
  source: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ServerFacts> {
  const database = await openServer(url, { signal, passwordFile: passwordFileIn(source) });
  try {
    const { system, tables, problems, clock } = database;
    const reasons = problems.map(({ reason }) => reason);
    return { system, tableCount: tables.length, problems: clock?.hidden ? [...reasons, blind(clock.hidden)] : reasons };
  } finally {
    await database.close();
  }
}

const blind = ({ reason, remedy }: NonNullable<ServerClock['hidden']>) =>
  `In a job with "cursor", rows that are committed late, by more than "overlap", wait for "readWhole": ${reason}. Better: ${remedy}`;

export type { ServerClock };

/** How a server's database is followed from one run to the next. */
export interface FollowedDatabase {
  /** Address, without a password. */
  readonly url: string;
  /** The `source:` section of a mapping: it says which tables and columns are read. */
  readonly source: Readonly<Record<string, unknown>>;
  /** By table, the column that is set to the time whenever a row changes. Other tables are read whole. */
  readonly cursor: Readonly<Record<string, string>>;
  /** Whether all tables are read whole. Asked once, before anything is read. */
  isWhole(clock: ServerClock | undefined): boolean;
  /** How far before the latest known time rows are read again, in ms. */
  readonly backMs: number;
  /** Called when everything was read, and is not kept yet. */
  beforeCommit(): void;
}

/**
 * Brings a copy of a server's database up to date, which is an export by itself: `database` reads it as it reads the server. It has only the
 * columns that the mapping names.
 *
 * @param copy Path of the copy, mode 0600.
 * @throws UsageError for a mapping or a cursor that does not fit; SourceError for the server; StoreError for the copy.
 */
export async function followDatabase(copy: string, followed: FollowedDatabase, signal: AbortSignal): Promise<void> {
  const options = databaseOptionsSchema.safeParse(followed.source);
  if (!options.success || !options.data.tables) throw noTables(followed.url);
  const { tables } = sharedOptions(options.data);
  const original = await openServer(followed.url, { signal, passwordFile: options.data.passwordFile });
  try {
    assertTables(original, tables);
    const columns = new Map(wantedColumns(original, tables, namedColumns(options.data)));
    for (const [name, column] of Object.entries(followed.cursor)) {
      const table = followedTable(name, column, original.tables, columns);
      columns.set(name, [...new Set([...columns.get(name)!, ...table.primaryKey, column])]);
    }
    const { backMs } = followed;
    const cursors = new Map(Object.entries(followed.cursor));
    const isWhole = followed.isWhole(original.clock);
    const beforeCommit = () => followed.beforeCommit();
    await updateCopy(copy, original, { columns, isWhole, cursors, backMs, beforeCommit }, signal);
  } finally {
    await original.close();
  }
}

const noTables = (url: string) =>
  new UsageError(`Cannot follow ${url}: the job's mapping does not say which tables hold what`, {
    hint: `Run "chatferry init ${url}", and name the mapping that it writes in the job`,
  });

/**
 * @throws UsageError if its rows cannot be distinguished, or no column shows when a row changed.
 */
function followedTable(
  name: string,
  column: string,
  tables: readonly DatabaseTable[],
  wanted: ReadonlyMap<string, readonly string[]>,
): DatabaseTable {
  const table = tables.find((one) => one.name === name);
  if (!table || !wanted.has(name))
    throw cannotFollow(name, 'it is no table that the mapping reads', suggestion(name, [...wanted.keys()]));
  const names = table.columns.map((one) => one.name);
  if (!names.includes(column)) throw cannotFollow(name, `it has no column "${column}"`, suggestion(column, names));
  const { type } = table.columns[names.indexOf(column)]!;
  if (/text|char|clob|json|enum/.test(type))
    throw cannotFollow(name, `its column "${column}" is ${type}, which is compared letter by letter`, leaveOut);
  if (table.primaryKey.length > 0) return table;
  throw cannotFollow(name, 'it has no primary key, so a changed row cannot be distinguished from a new one', leaveOut);
}

const leaveOut = 'Leave it out of "cursor": it is then read whole at each run';

function suggestion(given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names);
  return nearest === undefined ? `There are ${names.slice(0, 30).join(', ')}` : `Did you mean "${nearest}"?`;
}

const cannotFollow = (table: string, why: string, hint: string) =>
  new UsageError(`Cannot follow the table "${table}": ${why}`, { hint });
