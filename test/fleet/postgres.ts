/**
 * PostgreSQL for tests: one server for each process that runs tests, which waits for no disk; a database for each test.
 *
 *     describe.skipIf(programs === null)('…', () => {
 *       it('…', async () => {
 *         const url = await testPostgres();
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../src/fleet/embedded/embedded.ts';
import { runningServer } from '../../src/fleet/embedded/run-server.ts';
import { Secret } from '../../src/lib/secret.ts';
import { atFileEnd } from '../file-end.ts';
import { childrenOf, sendSignal } from '../process-family.ts';
import { postgresPrograms } from '../requirements.ts';

/** Nothing where this machine has none; then it says aloud that tests are skipped. */
export const programs = postgresPrograms();

/** Settings without durability: commits need not survive a crash of the machine. */
const quickly = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '32MB',
  jit: 'off',
  max_prepared_transactions: '4',
};

let server: Promise<Secret> | undefined;
let databases = 0;

/** The address of a database that is fresh and empty. It is gone once the test file is over. */
export async function testPostgres(): Promise<Secret> {
  server ??= startServer();
  const url = await server;
  databases += 1;
  const name = `test_${databases}`;
  await run(url, `CREATE DATABASE ${name}`);
  atFileEnd(() => run(url, `DROP DATABASE ${name} WITH (FORCE)`));
  return new Secret(url.reveal().replace(/[^/]*$/, name));
}

async function startServer(): Promise<Secret> {
  const folder = serverFolder();
  const { url } = await startEmbedded(folder, { programs: programs!, settings: quickly });
  return url;
}

async function run(url: Secret, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A server that a test has for itself, to break it: what it has committed is on the disk. */
export interface OwnPostgres {
  readonly url: Secret;
  /** With the database's files in `data`: to be copied, or put back, while it is stopped. */
  readonly folder: string;
  /** Stops it, even under open connections. */
  stop(): Promise<void>;
  /** `kill -9` of its first process, or of all of its processes. Those that are left end by themselves, soon. */
  crash(dying: 'first' | 'all'): Promise<void>;
  /** Again, at the same address. */
  start(): Promise<void>;
}

/** @param folder Where it keeps everything, and who made it removes it; by default one that is gone with this process. */
export async function ownPostgres(folder = serverFolder()): Promise<OwnPostgres> {
  let current = await startEmbedded(folder, { programs: programs! });
  const { url } = current;
  return {
    url,
    folder,
    stop: () => current.stop(),
    async crash(dying) {
      const { pid } = runningServer(join(folder, 'data'))!;
      for (const one of [pid, ...(dying === 'all' ? childrenOf(pid) : [])]) sendSignal(one, 'SIGKILL');
      await current.stop();
    },
    async start() {
      current = await startEmbedded(folder, { programs: programs! });
    },
  };
}

/** Gone with this process. Others may come through, among them the user whom a server of root's runs as. */
export function serverFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-postgres-'));
  chmodSync(folder, 0o711);
  removeAfterwards(folder);
  return folder;
}

/** Once this process is gone, however it went, so is its server, and the folder. */
function removeAfterwards(folder: string): void {
  const script = `cat
    kill -INT $(head -n 1 "$0/data/postmaster.pid")
    for look in $(seq 100); do [ -e "$0/data/postmaster.pid" ] && sleep 0.1; done
    rm -rf "$0"`;
  const child = spawn('sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
}
