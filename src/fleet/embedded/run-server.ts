import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../lib/errors.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import { askToEnd } from './end-with-process.ts';
import { keepPort, portFor } from './kept-port.ts';
import { type Cluster, serverEnvironment } from './make-cluster.ts';
import { forgetServer, isAlive, type RunningServer, runningServer } from './running-server.ts';

export interface ServerOptions {
  /** By default that of the last time, or one that is free. */
  readonly port?: number | undefined;
  /** Of PostgreSQL, beside those that are always set: `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** How often a server that starts or ends is looked at, in ms. */
const lookMs = 50;
/** So long it may write what it holds, in ms. Then it is stopped as if the machine had died. */
const endMs = 30_000;
/** A log that is larger begins anew with the next start. */
const logBytesMax = 1024 * 1024;

/**
 * Starts the server, for this machine alone, and waits until it takes connections: one that was killed repairs itself first, which may
 * take a while. It has a session of its own, so Ctrl-C does not reach it, and goes on if this process is killed.
 *
 * @throws UsageError with what it says where it does not start.
 */
export async function runServer(cluster: Cluster, options: ServerOptions, clock: Clock): Promise<RunningServer> {
  const { data, folder } = cluster;
  forgetServer(data);
  const logPath = join(folder, 'postgres.log');
  const logBytes = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
  const isLarge = logBytes > logBytesMax;
  const log = openSync(logPath, isLarge ? 'w' : 'a', 0o600);
  const settings = { ...ownSettings, port: String(options.port ?? (await portFor(folder))), ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(cluster.programs.postgres, ['-D', data, ...flags], {
    ...cluster.runAs,
    cwd: folder,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let ended: unknown;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= lastWords(logPath, isLarge ? 0 : logBytes) ?? `it ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  const server = await untilReady(data, clock, () => ended !== undefined);
  if (server) {
    keepPort(folder, server.port);
    return server;
  }
  throw new UsageError(`Cannot start the PostgreSQL in "${folder}": ${ended}`, { hint: `Its log: ${logPath}` });
}

const ownSettings = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };

/** @returns Nothing where it will not be ready any more. */
export async function untilReady(
  data: string,
  clock: Clock,
  hasEnded: () => boolean,
): Promise<RunningServer | undefined> {
  while (!hasEnded()) {
    const server = runningServer(data);
    if (server?.isReady) return server;
    await clock.sleep(lookMs);
  }
  return undefined;
}

/** Why it ended, of what it wrote since. */
function lastWords(path: string, since: number): string | undefined {
  // It may have ended with its folder.
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path).subarray(since).toString().trim().split('\n');
  const why = lines.find((line) => /could not bind|FATAL:/.test(line)) ?? lines.at(-1);
  return why?.replace(/^.*?(?:FATAL|LOG):\s*/, '') || undefined;
}

/** Ends the sessions, writes what it holds, and ends. */
export async function endServer({ pid }: RunningServer, clock: Clock): Promise<void> {
  askToEnd(pid, 'SIGINT');
  const patientUntil = clock.monotonic() + endMs;
  while (isAlive(pid)) {
    if (clock.monotonic() > patientUntil) askToEnd(pid, 'SIGQUIT');
    await clock.sleep(lookMs);
  }
}
