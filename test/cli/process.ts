import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const launcher = fileURLToPath(new URL('../../bin/chatferry.mjs', import.meta.url));

/** Whatever a failed test left running ends with its file. */
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

export const testKey = 'test-key-6f1d0c9b7a';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program in a process of its own, without a terminal. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** The first line of either output that holds the words; undefined if it ends without. */
  line(words: string): Promise<string | undefined>;
}

export interface Where {
  /** Also where caches and state go: nothing is written to the home of whoever runs the tests. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Run in a shell before the program, which then takes the shell's place: `ulimit -f 100`. */
  readonly shell?: string;
}

export function start(args: readonly string[], { folder, env = {}, input, shell }: Where): Running {
  const command = [process.execPath, launcher, ...args];
  const [program, ...rest] = shell === undefined ? command : ['sh', '-c', `${shell}; exec "$@"`, 'sh', ...command];
  const child = spawn(program!, rest, {
    cwd: folder,
    env: { ...environment(folder), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (input !== undefined) child.stdin!.end(input);
  const lines: string[] = [];
  const waiting = new Set<(line?: string) => void>();
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (chunk: string) => (output[name] += chunk));
    createInterface({ input: child[name]! }).on('line', (line) => {
      lines.push(line);
      for (const look of waiting) look(line);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    for (const look of waiting) look();
    return { code, signal, ...output } as Ended;
  });
  children.add(child);
  const line = async (words: string) => {
    const met = lines.find((candidate) => candidate.includes(words));
    if (met !== undefined) return met;
    return await new Promise<string | undefined>((resolve) => {
      const look = (candidate?: string) => {
        if (candidate !== undefined && !candidate.includes(words)) return;
        waiting.delete(look);
        resolve(candidate);
      };
      waiting.add(look);
      if (child.exitCode !== null || child.signalCode !== null) void ended.then(() => look());
    });
  };
  return { child, ended, line };
}

export const run = (args: readonly string[], where: Where): Promise<Ended> => start(args, where).ended;

/** Runs a command with `--json`. @returns The object on its last line. */
// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
export async function runJson(args: readonly string[], where: Where): Promise<Ended & { readonly json: any }> {
  const ended = await run([...args, '--json'], where);
  const last = ended.stdout.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) throw new Error(`Exit ${ended.code} and no JSON line: ${ended.stdout}${ended.stderr}`);
  return { ...ended, json: JSON.parse(last) };
}

export interface ServedSandbox {
  readonly url: string;
  readonly data: string;
  stop(): Promise<void>;
}

/** `chatferry sandbox` in its own process, ended with the test. */
export async function serveSandbox(
  folder: string,
  {
    duplicates = 'refused',
    data = 'server.db',
    profile = 'spec',
  }: { readonly duplicates?: string; readonly data?: string; readonly profile?: string } = {},
): Promise<ServedSandbox> {
  const args = ['sandbox', '--port', '0', '--data', data, '--duplicates', duplicates, '--profile', profile];
  const { child, line, ended } = start(args, { folder, env: { CHATFERRY_API_KEY: testKey } });
  const first = await line('Sandbox at ');
  const url = /http:\/\/[^,\s]+/.exec(first ?? '')?.[0];
  if (url === undefined) throw new Error(`The sandbox did not start: ${(await ended).stderr}`);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, data: join(folder, data), stop };
}

/** Our own variables stay out, so that the settings of whoever runs the tests change nothing. */
function environment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(CHATFERRY_|NODE_OPTIONS$|VITEST)/.test(name));
  return {
    ...Object.fromEntries(own),
    NO_COLOR: '1',
    CHATFERRY_STATE_DIR: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, '..', 'cache'),
  };
}
