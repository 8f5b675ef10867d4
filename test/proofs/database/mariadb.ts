/**
 * A MariaDB for tests: one server for each process that runs tests, which waits for no disk, on a socket and on a port of 127.0.0.1 with TLS;
 * a database for each test.
 *
 *     describe.skipIf(programs === null)('…', () => {
 *       it('…', async () => {
 *         const database = await testMariadb('CREATE TABLE messages (…)');
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import mysql, { type Connection } from 'mysql2/promise';
import { onTestFinished } from 'vitest';
import { parseDatabaseAddress } from '../../../src/sources/database/address/address.ts';
import type { CellText, Database } from '../../../src/sources/database/database.ts';
import { type MysqlGiven, openMysql } from '../../../src/sources/database/mysql/index.ts';
import { atFileEnd } from '../../file-end.ts';
import { mariadbPrograms } from '../../requirements.ts';

/** Nothing where this machine has none; then it says aloud that tests are skipped. */
export const programs = mariadbPrograms();

/** Whom a server of root's runs as; Debian's package makes that user. */
const serverName = 'mysql';

export interface TestServer {
  readonly socket: string;
  readonly port: number;
  /** With the certificate, which is for `localhost`. */
  readonly folder: string;
}

export interface TestDatabase {
  readonly server: TestServer;
  readonly name: string;
  /** Runs statements as root, in this database. Returns the answer of the last one. */
  run(sql: string): Promise<Answer>;
  /** Opens a root connection for parallel work: locks, transactions. */
  beside(): Promise<Connection>;
  /** As root on the socket, unless something else is said. */
  open(options?: OpenOptions): Promise<Database>;
  /** As an error says it. */
  shown(host: string): string;
}

type Answer = readonly Record<string, unknown>[];

interface OpenOptions extends Partial<MysqlGiven> {
  readonly user?: string;
  /** Over TCP. */
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  /** `ssl-mode=REQUIRED` */
  readonly parameters?: string;
}

export const forever: AbortSignal = new AbortController().signal;

let running: Promise<TestServer> | undefined;
let databases = 0;

/** A database that is fresh, with what `sql` makes in it. It is gone once the test file is over. The role `reader` has no rights, and the password `pass`. */
export async function testMariadb(sql = ''): Promise<TestDatabase> {
  running ??= startServer();
  const server = await running;
  databases += 1;
  const name = `test_${databases}`;
  const run: TestDatabase['run'] = (statements) => asRoot(server, name, statements);
  await asRoot(server, '', `CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  atFileEnd(() => run(`DROP DATABASE ${name}`));
  if (sql) await run(sql);
  return {
    server,
    name,
    run,
    shown: (host) => `mysql://${host}:${server.port}/${name}`,
    async beside() {
      const connection = await rootConnection(server, name);
      onTestFinished(() => connection.destroy());
      return connection;
    },
    async open({ user = 'root', host, port = server.port, database = name, parameters = '', ...given } = {}) {
      const place = host
        ? `${host}:${port}/${database}?${parameters}`
        : `localhost/${database}?socket=${server.socket}`;
      const address = parseDatabaseAddress(`mysql://${user}@${place}`, {});
      const env = user === 'root' ? {} : { MYSQL_PWD: 'pass' };
      const opened = await openMysql(address, { env, home: '/nowhere', signal: forever, ...given });
      onTestFinished(() => opened.close());
      return opened;
    },
  };
}

async function asRoot(server: TestServer, database: string, sql: string): Promise<Answer> {
  const connection = await rootConnection(server, database);
  try {
    const [rows, fields] = await connection.query(sql);
    const isList =
      Array.isArray(fields) && Array.isArray(rows) && fields.some((field) => !field || Array.isArray(field));
    return (isList ? rows.at(-1) : rows) as unknown as Answer;
  } finally {
    await connection.end();
  }
}

const rootConnection = (server: TestServer, database: string): Promise<Connection> =>
  mysql.createConnection({ socketPath: server.socket, user: 'root', database, multipleStatements: true });

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
  return await attempt.then(
    () => new Error('was not refused'),
    (thrown: unknown) => thrown as Error,
  );
}

async function startServer(): Promise<TestServer> {
  const { server, install } = programs!;
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-mariadb-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  const user = isRoot ? [`--user=${serverName}`] : [];
  const [data, socket, port] = [join(folder, 'data'), join(folder, 'socket'), await freePort()];
  execFileSync(
    install,
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...user],
    { stdio: 'pipe' },
  );
  useCertificate(folder, 'localhost');
  const certificate = ['cert', 'key'].map((part) => `--ssl-${part}=${join(folder, 'server.pem')}`);
  const net = [`--socket=${socket}`, '--bind-address=127.0.0.1', `--port=${port}`, ...certificate];
  const quickly = ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0', '--innodb-buffer-pool-size=64M'];
  const child = spawn(
    server,
    ['--no-defaults', `--datadir=${data}`, `--pid-file=${folder}/pid`, ...net, ...quickly, ...user],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  removeAfterwards(folder, child.pid!);
  child.unref();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.includes('ready for connections')) break;
  }
  if (!lines.at(-1)?.includes('ready for connections')) throw new Error(`MariaDB ended: ${lines.join('\n')}`);
  child.stderr.resume();
  (child.stderr as unknown as { unref(): void }).unref();
  const started = { socket, port, folder };
  await asRoot(started, '', "CREATE USER reader@'%' IDENTIFIED BY 'pass'");
  return started;
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, serverName], { stdio: 'pipe' }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (!address || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Self-signed certificates by host, with their keys. */
export const certificates = {
  localhost: fileURLToPath(new URL('../../service/fixtures/self-signed.pem', import.meta.url)),
  'other.example.org': fileURLToPath(new URL('fixtures/other-host.pem', import.meta.url)),
};

/** The server reads it when it starts, and with FLUSH SSL. */
export const useCertificate = (folder: string, host: keyof typeof certificates): void =>
  copyFileSync(certificates[host], join(folder, 'server.pem'));

/** Once this process is gone, however it went, so is its server, and the folder. */
function removeAfterwards(folder: string, pid: number): void {
  const script = `cat
    kill -9 "$1"
    for look in $(seq 100); do kill -0 "$1" && sleep 0.1; done
    rm -rf "$0"`;
  const child = spawn('sh', ['-c', script, folder, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
}
