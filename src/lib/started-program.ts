import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface StartedProgram {
  /** Resolves when it has ended and its output was read. The code is null if a signal ended it, or it could not start. */
  readonly ended: Promise<{ readonly code: number | null }>;
  /** Calls the listener with each line of its output. Lines from before the first listener are lost. */
  onLine(listener: (stream: 'stdout' | 'stderr', line: string) => void): void;
  /** Asks it to stop, as Ctrl-C does. */
  interrupt(): void;
}

/**
 * Starts a program in this folder, with this environment and nothing to read. A Ctrl-C in the terminal does not reach
 * it: whoever started it decides when it is asked to stop, and asks once.
 */
export function startProgram(path: string, args: readonly string[]): StartedProgram {
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows this would open a window.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const ended = new Promise<{ code: number | null }>((resolve) => {
    child.once('error', () => resolve({ code: null }));
    child.once('close', (code) => resolve({ code }));
  });
  return {
    ended,
    onLine(listener) {
      for (const stream of ['stdout', 'stderr'] as const)
        createInterface({ input: child[stream] }).on('line', (line) => listener(stream, line));
      child.once('error', (error) => listener('stderr', error.message));
    },
    interrupt: () => void child.kill('SIGINT'),
  };
}
