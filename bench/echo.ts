import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('echo-server.ts', import.meta.url));

export interface Stats {
  readonly importRequests: number;
  readonly messages: number;
  readonly listRequests: number;
}

export interface Echo {
  readonly url: string;
  /** Messages and requests that arrived since the start, as counted by the receiver and not by the sender. */
  stats(): Promise<Stats>;
  stop(): void;
}

/** Starts the echo server in a process of its own. It ends with this process, whatever happens. */
export async function startEcho(): Promise<Echo> {
  const server = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  return {
    url,
    stats: async () => (await (await fetch(`${url}/stats`)).json()) as Stats,
    stop: () => server.stdin.end(),
  };
}
