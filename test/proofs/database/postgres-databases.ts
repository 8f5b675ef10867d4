import pg from 'pg';
import { onTestFinished } from 'vitest';
import { parseDatabaseAddress } from '../../../src/sources/database/address/address.ts';
import type { CellText, Database } from '../../../src/sources/database/database.ts';
import { openPostgres, type PostgresGiven } from '../../../src/sources/database/postgres/index.ts';
import { testPostgres } from '../../fleet/postgres.ts';

/** A database of the tests' server, and how it is opened. */
export interface TestDatabase {
  /** Runs statements as its superuser. */
  sql(statements: string): Promise<pg.QueryResult>;
  open(options?: OpenOptions): Promise<Database>;
  /** As its superuser connects. */
  readonly address: string;
  /** As an error says it. */
  readonly shown: string;
}

interface OpenOptions extends Partial<PostgresGiven> {
  readonly user?: string;
  readonly host?: string;
  readonly database?: string;
  /** `sslmode=require` */
  readonly parameters?: string;
}

export const forever: AbortSignal = new AbortController().signal;

/** Creates a database. The role `reader` has no rights, and the password `pass`. */
export async function testDatabase(statements = ''): Promise<TestDatabase> {
  const url = new URL((await testPostgres()).reveal());
  const name = url.pathname.slice(1);
  const sql = (text: string) => runAsSuperuser(url.href, text);
  await sql(
    `DO $$ BEGIN CREATE ROLE reader LOGIN PASSWORD 'pass'; EXCEPTION WHEN duplicate_object THEN NULL; END $$; ${statements}`,
  );
  return {
    sql,
    address: url.href,
    shown: `postgres://${url.hostname}:${url.port}/${name}`,
    async open({ user = url.username, host = url.hostname, database = name, parameters = '', ...given } = {}) {
      const address = parseDatabaseAddress(`postgres://${user}@${host}:${url.port}/${database}?${parameters}`, {});
      const env = { PGPASSWORD: user === 'reader' ? 'pass' : url.password };
      const opened = await openPostgres(address, { env, home: '/nowhere', signal: forever, ...given });
      onTestFinished(() => opened.close());
      return opened;
    },
  };
}

async function runAsSuperuser(connectionString: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {}); // some tests end it
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** All values of some columns, row by row. */
export async function valuesOf(
  database: Database,
  table: string,
  columns: readonly string[],
  signal: AbortSignal = forever,
): Promise<(readonly CellText[])[]> {
  const found: (readonly CellText[])[] = [];
  for await (const rows of database.rows(table, columns, signal)) found.push(...rows.map(({ values }) => values));
  return found;
}

/** Returns the error of a refused attempt. */
export async function refusal(attempt: Promise<unknown>): Promise<Error & { hint?: string }> {
  const error = await attempt.then(
    () => new Error('was not refused'),
    (thrown: unknown) => thrown as Error,
  );
  return error;
}
