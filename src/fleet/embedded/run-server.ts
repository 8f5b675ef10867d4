import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../lib/errors.ts';
import { replaceFileSync } from '../../lib/files/atomic-file.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import { type Cluster, serverEnvironment } from './make-cluster.ts';

export type ServerSettings = Readonly<Record<string, string>>;

/** A server as it describes itself, in `postmaster.pid` of its data. */
interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** It accepts connections. */
  readonly isReady: boolean;
}

/** How often a server that starts or ends is looked at, in ms. */
const lookMs = 50;
/** How long a server may take to write its data before it is stopped as if the machine had died, in ms. */
const endMs = 30_000;

/** The server that runs on this data. @param data Absolute, as the server got it. */
export function runningServer(data: string): RunningServer | undefined {
  const lines = readIfExists(join(data, 'postmaster.pid'))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0 && port > 0) || !isServer(pid, data)) return undefined;
  return { pid, port, isReady: lines[7]?.trim() === 'ready' };
}

/**
 * After a restart of the machine, or in a new container, another process may have that number. Only Linux can show
 * this; a zombie has no command line there.
 */
function isServer(pid: number, data: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return readIfExists(`/proc/${pid}/cmdline`)?.includes(data) ?? true;
}

/**
 * Starts the server, for this machine only, and waits until it accepts connections: one that was killed recovers first, which may take a while.
 * It has a session of its own, so Ctrl-C does not reach it. Call it only if no server runs on this data.
 *
 * @returns Its port. @throws UsageError with the server's own words if it does not start.
 */
export async function runServer(
  cluster: Cluster,
  settings: ServerSettings,
  clock: Clock,
  patientUntil = clock.monotonic() + endMs,
): Promise<number> {
  const { data, folder } = cluster;
  // PostgreSQL itself would believe a stale file if another process has that number by now.
  rmSync(join(data, 'postmaster.pid'), { force: true });
  const logPath = join(folder, 'postgres.log');
  const log = openSync(logPath, 'w', 0o600);
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: keptPort(folder), ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(cluster.programs.postgres, ['-D', data, ...flags], {
    ...cluster.runAs,
    cwd: folder,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let ended: string | undefined;
  child.once('error', ({ message }) => (ended = message));
  child.once('exit', (code, signal) => (ended = lastWords(logPath) || `it ended with ${signal ?? `code ${code}`}`));
  child.unref();
  while (ended === undefined) {
    const server = runningServer(data);
    if (server?.isReady) return server.port;
    await clock.sleep(lookMs);
  }
  // Sessions of a server whose first process was killed go on until their statement ends, and have its memory until then.
  if (ended.includes('still in use') && clock.monotonic() < patientUntil) {
    await clock.sleep(lookMs);
    return await runServer(cluster, settings, clock, patientUntil);
  }
  throw new UsageError(`Cannot start the PostgreSQL in "${folder}": ${ended}`, {
    hint: `Its log: "${logPath}". Its port: "${join(folder, 'port')}", where you can write another one`,
  });
}

/** It stays the same, so that others find the next server. Below the ports of outgoing connections: Linux has those from 32768, others from 49152. */
function keptPort(folder: string): string {
  const path = join(folder, 'port');
  if (!existsSync(path)) replaceFileSync(path, `${randomInt(20_000, 32_768)}\n`);
  return readFileSync(path, 'utf8').trim();
}

/** Why it ended: a line of its log looks like `2026-11-24 06:12:03.123 UTC [812] FATAL:  database files are incompatible with server`. */
function lastWords(path: string): string | undefined {
  const lines = readIfExists(path)?.trim().split('\n') ?? [];
  const reasons = lines.filter((line) => /could not|FATAL:|DETAIL:/.test(line));
  return (reasons.length > 0 ? reasons : lines.slice(-1)).map((line) => line.replace(/^.*?[A-Z]:\s+/, '')).join('; ');
}

/** @param signal SIGINT: ends sessions and writes its data. SIGQUIT: ends at once, as if the machine had died. */
export function askToEnd(data: string, signal: 'SIGINT' | 'SIGQUIT'): void {
  const server = runningServer(data);
  if (server) process.kill(server.pid, signal);
}

/** Resolves when no server runs on this data. */
export async function endServer(data: string, clock: Clock): Promise<void> {
  askToEnd(data, 'SIGINT');
  const patientUntil = clock.monotonic() + endMs;
  while (runningServer(data)) {
    if (clock.monotonic() > patientUntil) askToEnd(data, 'SIGQUIT');
    await clock.sleep(lookMs);
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
