import { openServer, passwordFileOf } from './database/open-database.ts';

/** What a database server shows to the role of its address. */
export interface ServerLook {
  /** `PostgreSQL` */
  readonly system: string;
  /** How many tables the role may read. */
  readonly tableCount: number;
  /** What its rights or its settings leave to be desired, in words with the statement that helps. */
  readonly problems: readonly string[];
}

/**
 * Connects to a database server and reads its catalogue, no rows.
 *
 * @param source The `source:` section of a mapping: where the password is.
 * @throws UsageError for credentials or addresses that cannot be used; SourceError if the server lets nobody in or does not answer.
 */
export async function lookAtServer(
  url: string,
  source: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ServerLook> {
  const database = await openServer(url, { signal, passwordFile: passwordFileOf(source) });
  try {
    const { system, tables, problems } = database;
    return { system, tableCount: tables.length, problems: problems.map(({ reason }) => reason) };
  } finally {
    await database.close();
  }
}
