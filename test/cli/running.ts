import { join } from 'node:path';

/** Helpers for tests of the command line. They work the same whether the program runs in its own process or in that of the test. */

export const testKey = 'test-key-6f1d0c9b7a';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program while it runs, without a terminal. */
export interface Running {
  readonly ended: Promise<Ended>;
  /** The first line of either output that holds the words; undefined if it ends without. */
  line(words: string): Promise<string | undefined>;
  kill(signal: NodeJS.Signals): void;
}

export interface Where {
  /** Also holds caches and state: nothing is written to the home folder of the user who runs the tests. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface ServedSandbox {
  readonly url: string;
  readonly data: string;
  stop(): Promise<void>;
}

/** Returns the ways to run the program, however it is started. */
export function commandsOf<Place extends Where>(start: (args: readonly string[], where: Place) => Running) {
  const run = (args: readonly string[], where: Place): Promise<Ended> => start(args, where).ended;
  return {
    run,

    /** Runs a command with `--json`. @returns The object on its last line. */
    // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
    async runJson(args: readonly string[], where: Place): Promise<Ended & { readonly json: any }> {
      const ended = await run([...args, '--json'], where);
      const last = ended.stdout.trimEnd().split('\n').at(-1) ?? '';
      if (!last.startsWith('{')) throw new Error(`Exit ${ended.code} and no JSON line: ${ended.stdout}${ended.stderr}`);
      return { ...ended, json: JSON.parse(last) };
    },
  };
}

/** Starts `chatferry sandbox` and waits until it serves. @param start Runs it in the folder that is its second argument. */
export async function startSandbox(
  start: (args: readonly string[], where: Where) => Running,
  folder: string,
  {
    duplicates = 'refused',
    data = 'server.db',
    profile = 'spec',
  }: { readonly duplicates?: string; readonly data?: string; readonly profile?: string } = {},
): Promise<ServedSandbox> {
  const path = join(folder, data);
  const args = ['sandbox', '--port', '0', '--data', path, '--duplicates', duplicates, '--profile', profile];
  const { kill, line, ended } = start(args, { folder, env: { CHATFERRY_API_KEY: testKey } });
  const first = await line('Sandbox at ');
  const url = /http:\/\/[^,\s]+/.exec(first ?? '')?.[0];
  if (url === undefined) throw new Error(`The sandbox did not start: ${(await ended).stderr}`);
  const stop = async () => {
    kill('SIGTERM');
    await ended;
  };
  return { url, data: path, stop };
}

/** Collects lines of a running program, and lets callers wait for one. */
export function lineWatch() {
  const lines: string[] = [];
  const waiting = new Set<(line?: string) => void>();
  let isOver = false;
  return {
    add(line: string) {
      lines.push(line);
      for (const look of waiting) look(line);
    },
    end() {
      isOver = true;
      for (const look of waiting) look();
    },
    async line(words: string): Promise<string | undefined> {
      const met = lines.find((candidate) => candidate.includes(words));
      if (met !== undefined || isOver) return met;
      return await new Promise<string | undefined>((resolve) => {
        const look = (candidate?: string) => {
          if (candidate !== undefined && !candidate.includes(words)) return;
          waiting.delete(look);
          resolve(candidate);
        };
        waiting.add(look);
      });
    },
  };
}

/** Returns the environment without Chatferry's own variables, so that the user's settings do not change the tests. */
export function environment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(CHATFERRY_|NODE_OPTIONS$|VITEST)/.test(name));
  return {
    ...Object.fromEntries(own),
    NO_COLOR: '1',
    CHATFERRY_STATE_DIR: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, '..', 'cache'),
  };
}
