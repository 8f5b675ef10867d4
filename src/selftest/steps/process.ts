import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../lib/package-files.ts';

const launcher = fileURLToPath(packageFile('bin/chatferry.mjs'));

/** So long without a line of output means that it hangs. Imports say what they wait for. */
const silenceMaxMs = 120_000;

export interface ChatferryProcess {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** The first line of either output that holds the words; undefined if it ends without. */
  line(words: string): Promise<string | undefined>;
  /** At once, with SIGKILL: it cannot do anything about it. */
  kill(): void;
  /** Ends it as Ctrl-C would, if the platform has such a thing. */
  stop(): void;
}

export interface Ended {
  /** Nothing where it was killed. */
  readonly code: number | null;
  readonly isKilled: boolean;
  /** It was killed because it said nothing for two minutes. */
  readonly isHung: boolean;
  readonly lastOutput: string;
  /** The end of standard error, 20 lines at most. */
  readonly lastWords: readonly string[];
}

export interface ProcessOptions {
  /** Folder in which it runs and keeps everything. */
  readonly folder: string;
  readonly apiKey: string;
  /** File of the folder to which its output is written. */
  readonly log: string;
  /** It may be silent for as long as it likes: a server. */
  readonly mayBeSilent?: boolean;
  /** Path of the launcher; that of this package by default. */
  readonly program?: string | undefined;
}

/** Starts `chatferry` with these arguments. It dies with this process, however this one ends. */
export function startChatferry(args: readonly string[], surroundings: ProcessOptions): ChatferryProcess {
  const { folder, log, mayBeSilent = false, program = launcher } = surroundings;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: environment(surroundings),
    // Through the channel it notices when this process is gone: see the launcher.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
  const file = createWriteStream(join(folder, log), { flags: 'a' });
  const lines: string[] = [];
  const lookers = new Set<(line?: string) => void>();
  const state = { isHung: false, lastOutput: '', lastWords: [] as string[] };
  const hang = () => {
    state.isHung = true;
    child.kill('SIGKILL');
  };
  const silence = mayBeSilent ? undefined : setTimeout(hang, silenceMaxMs);
  const readLines = (stream: 'stdout' | 'stderr') =>
    createInterface({ input: child[stream]! }).on('line', (line) => {
      silence?.refresh();
      file.write(`${line}\n`);
      if (stream === 'stdout') state.lastOutput = line;
      else state.lastWords = [...state.lastWords.slice(-19), line];
      lines.push(line);
      for (const look of lookers) look(line);
    });
  readLines('stdout');
  readLines('stderr');
  let hasEnded = false;
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    hasEnded = true;
    clearTimeout(silence);
    file.end();
    for (const look of lookers) look();
    return { code, isKilled: signal === 'SIGKILL', ...state };
  });
  return {
    pid: child.pid!,
    ended,
    kill: () => void child.kill('SIGKILL'),
    stop: () => void child.kill('SIGTERM'),
    line(words) {
      const seen = lines.find((candidate) => candidate.includes(words));
      if (seen !== undefined || hasEnded) return Promise.resolve(seen);
      return new Promise((resolve) => {
        const look = (line?: string) => {
          if (line !== undefined && !line.includes(words)) return;
          lookers.delete(look);
          resolve(line);
        };
        lookers.add(look);
      });
    },
  };
}

/**
 * Returns the environment of the process. It has no settings of the user who runs this, and the process leaves no trace
 * in their folders.
 */
function environment({ folder, apiKey }: ProcessOptions): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:CHATFERRY_|NODE_OPTIONS$|VITEST)/.test(name));
  return {
    ...Object.fromEntries(kept),
    CHATFERRY_API_KEY: apiKey,
    CHATFERRY_STATE_DIR: join(folder, 'state'),
    CHATFERRY_LAUNCHED: '1',
    NO_COLOR: '1',
  };
}
