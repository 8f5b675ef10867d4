import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { oneLine, truncate } from '../../lib/plain-text.ts';

/** A program that somebody configured. Where its output is not read, it waits. */
export interface Program {
  readonly output: AsyncIterable<Uint8Array>;
  /** Rejects where it cannot be started. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    /** The end of its standard error: lines at most, cut and without control characters. */
    readonly lastWords: readonly string[];
  }>;
  /** Ends it, if it still runs. */
  stop(): Promise<void>;
}

const lastWordsMax = 5;
const wordLengthMax = 200;
/** What a program gets to end by itself. */
const endMs = 5_000;

/**
 * Starts a program without a shell, in a process group of its own: what it starts itself ends with it. Our own variables stay
 * out of its environment, and with them the key of the service.
 *
 * @param signal Aborted: it is ended, first kindly.
 */
export function startProgram(
  [program, ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Program {
  const hasGroups = process.platform !== 'win32';
  const child = spawn(program!, args, {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CHATFERRY_'))),
    ...{ stdio: ['ignore', 'pipe', 'pipe'], detached: hasGroups, windowsHide: true },
  });
  // Attached at once: what nobody listens to when a program ends is thrown away.
  const output = child.stdout!.pipe(new PassThrough());
  // Whoever reads learns of it then; `ended` says it in any case.
  output.on('error', () => {});
  child.on('error', (error) => output.destroy(error));
  const lastWords: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lastWords.push(truncate(oneLine(line), wordLengthMax));
    if (lastWords.length > lastWordsMax) lastWords.shift();
  });
  const closed = once(child, 'close').then(([code, ended]) => ({ code, signal: ended, lastWords }));
  const kill = (name: NodeJS.Signals) => (hasGroups ? killGroup(child, name) : child.kill(name));
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const end = () => {
    if (isClosed) return;
    kill('SIGTERM');
    timer ??= setTimeout(() => {
      kill('SIGKILL');
      // What it started may have left its group, and keep its output open for ever.
      for (const stream of [output, child.stdout!, child.stderr!]) stream.destroy();
    }, endMs);
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  const ended = closed.finally(() => {
    isClosed = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  });
  ended.catch(() => {});
  const stop = async () => {
    // Nobody reads on: it must not wait for that.
    output.resume();
    end();
    await ended.catch(() => {});
  };
  return { output, ended, stop };
}

function killGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
