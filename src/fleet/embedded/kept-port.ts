import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { replaceFileSync } from '../../lib/files/atomic-file.ts';

/** Below those that systems hand to outgoing connections (Linux from 32768, others from 49152): while the server is down nobody gets its port by chance. */
const ports = { from: 20_000, below: 32_768 };

const pathIn = (folder: string): string => join(folder, 'port');

/** Where the server was the last time, if that is free: whoever was connected finds it again there. Else another that is free. */
export async function portFor(folder: string): Promise<number> {
  const kept = keptPort(folder);
  if (kept !== undefined && (await isFree(kept))) return kept;
  for (;;) {
    const port = randomInt(ports.from, ports.below);
    if (await isFree(port)) return port;
  }
}

export function keepPort(folder: string, port: number): void {
  if (keptPort(folder) !== port) replaceFileSync(pathIn(folder), `${port}\n`);
}

/** @returns Nothing where none was kept, or nothing that is one. */
function keptPort(folder: string): number | undefined {
  try {
    const port = Number(readFileSync(pathIn(folder), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
