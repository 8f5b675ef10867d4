import { isAlive } from './running-server.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A server that ends with this process where nobody else uses it. */
export interface UsedServer {
  readonly pid: number;
  isAlone(): boolean;
}

const servers = new Set<UsedServer>();

/**
 * However this process ends, short of being killed, the server is asked to end as well. There is no time to wait for an answer then: where
 * others use it, it goes on, and the last one of them ends it.
 *
 * @returns Takes that back.
 */
export function endWithProcess(server: UsedServer): () => void {
  if (servers.size === 0) {
    process.on('exit', endServers);
    for (const signal of signals) process.on(signal, onSignal);
  }
  servers.add(server);
  return () => {
    if (!servers.delete(server) || servers.size > 0) return;
    process.off('exit', endServers);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

function endServers(): void {
  for (const { pid, isAlone } of servers) if (isAlone()) askToEnd(pid, 'SIGINT');
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
