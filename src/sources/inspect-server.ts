import { type PasswordVariable, parseDatabaseAddress, passwordVariableOf } from './database/address/address.ts';
import { openServer, passwordFileOf } from './database/open-database.ts';

/**
 * Checks the address of a database server, without connecting to it.
 *
 * @returns The variable of the environment in which its password is looked for.
 * @throws UsageError for an address that cannot be used, or that holds a password. The error does not repeat it.
 */
export function checkServerAddress(url: string, env: NodeJS.ProcessEnv): PasswordVariable {
  parseDatabaseAddress(url, env);
  return passwordVariableOf(url);
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
  const database = await openServer(url, { signal, passwordFile: passwordFileOf(source) });
  try {
    const { system, tables, problems } = database;
    return { system, tableCount: tables.length, problems: problems.map(({ reason }) => reason) };
  } finally {
    await database.close();
  }
}
