import { isAlive } from './running-server.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Servers that end with this process. */
const servers = new Set<number>();

/**
 * However this process ends, short of being killed, the server is asked to end as well.
 *
 * @returns Takes that back.
 */
export function endWithProcess(pid: number): () => void {
  if (servers.size === 0) {
    process.on('exit', endServers);
    for (const signal of signals) process.on(signal, onSignal);
  }
  servers.add(pid);
  return () => {
    if (!servers.delete(pid) || servers.size > 0) return;
    process.off('exit', endServers);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

function endServers(): void {
  for (const pid of servers) askToEnd(pid, 'SIGINT');
}

/** Who else listens ends this process in an orderly way, with the server as long as it is needed. Otherwise the signal does what it always does. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  endServers();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}

/** @param signal SIGINT: sessions are ended, everything is written. SIGQUIT: at once, as if the machine had died. */
export function askToEnd(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  if (isAlive(pid)) process.kill(pid, signal);
}
