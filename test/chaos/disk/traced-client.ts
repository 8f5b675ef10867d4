import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { program } from '../../program.ts';
import { apiKey } from './server.ts';

export interface TracedEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly isHung: boolean;
}

/** The call that breaks: the one of this kind with this number, counted from 1, or that one and all later ones. */
export interface Injection {
  readonly call: 'fsync' | 'pwrite64';
  readonly number: number;
  readonly fault: 'SIGKILL' | 'EIO' | 'ENOSPC';
  readonly lasts: boolean;
}

/** strace counts calls by thread; SQLite makes its calls on the first one. */
export const injecting = ({ call, number, fault, lasts }: Injection): string[] => {
  const action = fault === 'SIGKILL' ? 'signal=SIGKILL' : `error=${fault}`;
  // With --seccomp-bpf it is three times as quick, and delivers no signals (strace 6.1).
  const speed = fault === 'SIGKILL' ? [] : ['--seccomp-bpf'];
  const inject = `inject=${call}:${action}:when=${number}${lasts ? '+' : ''}`;
  return [...speed, '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
};

export interface TracedRun {
  /** Path of the program. */
  readonly strace: string;
  readonly straceOptions: readonly string[];
  readonly args: readonly string[];
  /** Working folder; its state and caches stay in or next to it. */
  readonly folder: string;
  /** A module that is loaded before the program: breaks what a test says. */
  readonly preload?: string | undefined;
}

/** A run takes a second or two; one that takes a minute hangs. */
const hangMs = 60_000;

/** Runs the program under strace, without a terminal. */
export async function runTraced({ strace, straceOptions, args, folder, preload }: TracedRun): Promise<TracedEnd> {
  const command = ['-f', '-qq', ...straceOptions, process.execPath, program, ...args];
  const own = Object.entries(process.env).filter(([name]) => !/^(CHATFERRY_|NODE_OPTIONS$|VITEST)/.test(name));
  const child = spawn(strace, command, {
    cwd: folder,
    env: {
      ...Object.fromEntries(own),
      NO_COLOR: '1',
      CHATFERRY_API_KEY: apiKey,
      CHATFERRY_STATE_DIR: join(folder, 'state'),
      XDG_CACHE_HOME: join(folder, '..', 'cache'),
      ...(preload && { NODE_OPTIONS: `--import ${preload}` }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: strace alone would leave what it traces behind.
    detached: true,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    process.kill(-child.pid!, 'SIGKILL');
  }, hangMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { code, signal, stderr, isHung };
}
