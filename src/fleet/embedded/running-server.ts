import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A server as it says itself, in `postmaster.pid` of its folder. */
export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** It takes connections. */
  readonly isReady: boolean;
}

/** The server that works on this folder at the moment. @param data Absolute, as the server was given it. */
export function runningServer(data: string): RunningServer | undefined {
  const lines = readIfThere(join(data, 'postmaster.pid'))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0 && port > 0) || !isAlive(pid) || isAnother(pid, data)) return undefined;
  return { pid, port, isReady: lines[7]?.trim() === 'ready' };
}

/**
 * Forgets a server that is gone. PostgreSQL itself would not, where its number is another's by now, or nobody has asked for its end, as in
 * containers whose first process does not. Processes of it that live on are noticed all the same, by the memory that they share.
 */
export function forgetServer(data: string): void {
  if (!runningServer(data)) rmSync(join(data, 'postmaster.pid'), { force: true });
}

/** @returns false where nobody has that number, or somebody who has ended and whose end nobody has asked for. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !/\) Z /.test(readIfThere(`/proc/${pid}/stat`) ?? '');
}

/** After a restart of the machine, or in a new container, the number may be another's. Known on Linux alone. */
function isAnother(pid: number, data: string): boolean {
  const command = readIfThere(`/proc/${pid}/cmdline`);
  return command !== undefined && !command.includes(data);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
