/** MariaDB and PostgreSQL as they are read: as a user who may select, over TCP. */
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { RunningProcess } from '../../cli/process.ts';
import { testMariadb } from '../../proofs/database/mariadb.ts';
import { testDatabase } from '../../proofs/database/postgres-databases.ts';
import { chat, type Expected } from './form.ts';

export interface ServerForm extends Omit<Expected, 'during'> {
  /** Instead of the usual chat, or behind it. */
  readonly sql?: string;
  readonly also?: string;
  /** Instead of the right to select from all tables; DATABASE is its name. */
  readonly grants?: string;
  readonly during?: (program: RunningProcess, server: HostileServer) => Promise<void>;
}

export interface HostileServer {
  readonly address: string;
  readonly env: Readonly<Record<string, string>>;
  run(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** A session of its own, which lasts as long as the test. */
  hold(sql: string): Promise<void>;
  /** Statements that run for the program now. */
  running(): Promise<readonly { readonly id: number; readonly sql: string }[]>;
  /** Sums of all tables and views that do not change by themselves. */
  sums(): Promise<string>;
}

export async function startMariadb({ sql = chat, also = '', grants }: ServerForm): Promise<HostileServer> {
  const { server, name, run, beside } = await testMariadb(sql + also);
  await run(grants?.replaceAll('DATABASE', name) ?? `GRANT SELECT ON ${name}.* TO reader@'%'`);
  return {
    address: `mysql://reader@127.0.0.1:${server.port}/${name}`,
    env: { MYSQL_PWD: 'pass' },
    run,
    async hold(statements) {
      await (await beside()).query(statements);
    },
    async running() {
      const found = await run(
        `SELECT id, info FROM information_schema.processlist WHERE user = 'reader' AND db = '${name}'`,
      );
      return found.map(({ id, info }) => ({ id: Number(id), sql: String(info ?? '') }));
    },
    async sums() {
      const tables = await run(
        `SELECT table_name AS t FROM information_schema.tables WHERE table_schema = '${name}' AND table_type <> 'VIEW'`,
      );
      const names = tables.map(({ t }) => `\`${String(t).replaceAll('`', '``')}\``);
      return JSON.stringify(names.length === 0 ? [] : await run(`CHECKSUM TABLE ${names.join()}`));
    },
  };
}

export async function startPostgres({ sql = chat, also = '', grants }: ServerForm): Promise<HostileServer> {
  const database = await testDatabase();
  const run = async (text: string) => {
    const answer = await database.sql(text);
    return [answer].flat().at(-1)!.rows as Readonly<Record<string, unknown>>[];
  };
  // It would write by itself.
  await run('ALTER SYSTEM SET autovacuum = off');
  await run('SELECT pg_reload_conf()');
  await run(sql + also);
  await run(grants ?? 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader');
  return {
    address: database.shown.replace('://', '://reader@'),
    env: { PGPASSWORD: 'pass' },
    run,
    async hold(statements) {
      const pg = (await import('pg')).default;
      const client = new pg.Client({ connectionString: database.address });
      client.on('error', () => {});
      await client.connect();
      onTestFinished(() => client.end());
      await client.query(statements);
    },
    async running() {
      const found = await run(
        `SELECT pid, query FROM pg_stat_activity WHERE usename = 'reader' AND datname = current_database()`,
      );
      return found.map(({ pid, query }) => ({ id: Number(pid), sql: String(query) }));
    },
    // Whoever writes anything takes a number.
    sums: async () => JSON.stringify(await run('SELECT pg_snapshot_xmax(pg_current_snapshot())')),
  };
}

/** Waits until a statement of the program runs that these words are in. */
export async function untilRunning(server: HostileServer, words: string): Promise<number> {
  for (let look = 0; look < 600; look++) {
    const found = (await server.running()).find(({ sql }) => sql.includes(words));
    if (found) return found.id;
    await wait(20);
  }
  throw new Error(`the program never ran ${words}`);
}
