import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { atFileEnd } from '../file-end.ts';
import { program } from '../program.ts';
import { commandsOf, type Ended, environment, lineWatch, type Running, startSandbox, type Where } from './running.ts';

export { type Ended, testKey } from './running.ts';

/**
 * The program in a process of its own, for what only a process shows: signals that the system sends, kills, limits of the
 * shell, two that want one store. Everything else runs in the process of the test, many times as fast: `in-process.ts`.
 */

interface ProcessPlace extends Where {
  /** Run in a shell before the program, which then takes the shell's place: `ulimit -f 100`. */
  readonly shell?: string;
  /** Path of the launcher; `program` by default. */
  readonly launcher?: string;
}

export interface RunningProcess extends Running {
  readonly child: ChildProcess;
}

export function start(
  args: readonly string[],
  { folder, env = {}, input, shell, launcher = program }: ProcessPlace,
): RunningProcess {
  const command = [process.execPath, launcher, ...args];
  const [first, ...rest] = shell === undefined ? command : ['sh', '-c', `${shell}; exec "$@"`, 'sh', ...command];
  const child = spawn(first!, rest, {
    cwd: folder,
    env: { ...environment(folder), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // Whatever a failed test leaves running.
  atFileEnd(() => child.kill('SIGKILL'));
  if (input !== undefined) child.stdin!.end(input);
  const watch = lineWatch();
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (chunk: string) => (output[name] += chunk));
    createInterface({ input: child[name]! }).on('line', watch.add);
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    watch.end();
    return { code, signal, ...output } as Ended;
  });
  return { child, ended, line: watch.line, kill: (signal) => void child.kill(signal) };
}

export const { run, runJson } = commandsOf(start);

/** `chatferry sandbox` in its own process, ended with the test. */
export const serveSandbox = (folder: string, options?: Parameters<typeof startSandbox>[2]) =>
  startSandbox(start, folder, options);
